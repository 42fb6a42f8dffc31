--- The statusline item: "wm", and what needs the user's attention.
local client = require("wm.client")
local text = require("wm.text")

local M = {}

---@class wm.Status
---@field badge integer memories to review
---@field pressure? table
---@field paused_until? string when recording resumes, as sent by the server

---@type table<string, wm.Status> by root
local known = {}

--- Whether anything shows the status. Until then no requests are sent for it.
local wanted = false

---@type table<string, boolean> by root: a request is pending or scheduled
local asked = {}

local function redraw()
  vim.cmd.redrawstatus({ bang = true })
end

--- Stores the status of a workspace and redraws; redraws again when its pause ends.
---@param workspace wm.Workspace
---@param status? wm.Status
local function learn(workspace, status)
  known[workspace.root] = status
  redraw()
  local pause_end = status and text.seconds(status.paused_until)
  if pause_end then
    vim.defer_fn(redraw, math.max(pause_end - os.time(), 0) * 1000)
  end
end

---@param workspace wm.Workspace
local function ask(workspace)
  if not wanted or asked[workspace.root] or not client.client_of(workspace) then
    return
  end
  asked[workspace.root] = true
  vim.defer_fn(function()
    local params = client.viewing(workspace, { sections = { "budget" } })
    client.request(workspace, "wm/panel", params, function(_, panel)
      client.request(workspace, "wm/status", {}, function(_, status)
        asked[workspace.root] = nil
        learn(workspace, {
          badge = type(panel) == "table" and text.whole(panel.badge) or 0,
          pressure = type(panel) == "table" and type(panel.pressure) == "table" and panel.pressure or nil,
          paused_until = type(status) == "table" and status.pausedUntil or nil,
        })
      end)
    end)
  end, 100)
end

---@param root string
---@return boolean
local function is_paused(root)
  local pause_end = known[root] and text.seconds(known[root].paused_until)
  return pause_end ~= nil and pause_end > os.time()
end

--- Returns the workspace of the statusline that is being drawn.
---@return wm.Workspace?
local function current()
  return client.workspace_of(vim.api.nvim_win_get_buf(tonumber(vim.g.statusline_winid) or 0))
end

--- Returns the status of a workspace, and requests it if it is unknown.
---@param workspace wm.Workspace
---@return wm.Status?
local function status_of(workspace)
  wanted = true
  if not known[workspace.root] then
    ask(workspace)
  end
  return known[workspace.root]
end

--- Returns a short text for a statusline: "wm", and what needs attention. Outside of a
--- workspace it is empty.
---@return string
function M.text()
  local workspace = current()
  if not workspace then
    return ""
  elseif workspace.problem then
    return "wm !"
  elseif not client.client_of(workspace) then
    return "wm …"
  end
  local status = status_of(workspace)
  if not status then
    return "wm"
  end
  local parts = { "wm" }
  if is_paused(workspace.root) then
    table.insert(parts, "paused")
  end
  if status.badge > 0 then
    table.insert(parts, ("%d to review"):format(status.badge))
  end
  local pressure = status.pressure
  local percentage = pressure and pressure.level ~= "safe" and text.whole(pressure.percentage)
  if percentage then
    table.insert(parts, ("%d %% %s"):format(percentage, text.line(pressure.level, 20)))
  end
  return table.concat(parts, " ")
end

--- Returns when a pause ends, for the panel. While recording it is empty.
---@return string
function M.pause()
  local workspace = current()
  local status = workspace and not workspace.problem and status_of(workspace)
  if status and is_paused(workspace.root) then
    return "paused until " .. text.time(status.paused_until)
  end
  return ""
end

--- Returns the text as a 'statusline' item; a click pauses or resumes recording.
---@return string
function M.component()
  local shown = M.text():gsub("%%", "%%%%")
  return shown == "" and "" or ("%%@v:lua.require'wm.status'.click@%s%%X"):format(shown)
end

--- Pauses or resumes recording.
---@param workspace wm.Workspace
function M.toggle_pause(workspace)
  local paused = is_paused(workspace.root)
  client.request(workspace, "wm/pause", { resume = paused or nil }, function(problem, result)
    if problem then
      return text.warn(problem)
    end
    local status = known[workspace.root] or { badge = 0 }
    status.paused_until = type(result) == "table" and result.pausedUntil or nil
    learn(workspace, status)
    text.say(paused and "recording resumed" or "recording is paused until " .. text.time(status.paused_until))
  end)
end

--- Handles a click on the item. It applies to the window of the clicked statusline, or
--- to the current window if the statusline is global.
function M.click()
  local workspace = client.workspace_of(vim.api.nvim_win_get_buf(vim.fn.getmousepos().winid))
  if workspace then
    M.toggle_pause(workspace)
  end
end

function M.setup()
  client.listen(function(workspace, event)
    if event == "gone" or event == "silent" then
      learn(workspace, nil)
    else
      ask(workspace)
    end
  end)
end

return M
