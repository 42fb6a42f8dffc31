--- The details of an item of the panel, or of what search found, as a page that is kept
--- up to date.
local ask = require("wm.ask")
local client = require("wm.client")
local text = require("wm.text")
local view = require("wm.view")
local window = require("wm.window")

local M = {}

local NAME = "wm://detail"

---@class wm.Detail what the page shows
---@field workspace wm.Workspace
---@field params table of wm/panel/resolve
---@field actions wm.Action[]

---@type wm.Detail?
local shown

--- Opens the link at the cursor: an item of the panel or a file.
---@param perform fun(workspace: wm.Workspace, action: wm.Action)
local function follow(perform)
  local target = view.link_at_cursor()
  if not target or not shown then
    return text.say("there is no link here")
  elseif vim.startswith(target, "wm:") then
    return M.open(shown.workspace, vim.uri_decode(target:sub(#"wm:" + 1)), perform)
  elseif vim.startswith(target, "file:") then
    return window.show_location({ uri = target })
  end
  text.warn("the link leads to no file: " .. text.line(target))
end

---@param perform fun(workspace: wm.Workspace, action: wm.Action)
local function choose_action(perform)
  if not shown or #shown.actions == 0 then
    return text.say("there are no actions here")
  end
  local workspace = shown.workspace
  ask.select(shown.actions, {
    prompt = "Action",
    format_item = function(action)
      return text.line(action.title)
    end,
  }, function(action)
    if action then
      perform(workspace, action)
    end
  end)
end

---@param result table of wm/panel/resolve
---@return string content, wm.View.Options
local function page_of(result)
  local keys = #result.actions > 0 and "Enter: link, a: actions" or "Enter: link"
  return result.markdown, { markdown = true, title = "Details · " .. keys }
end

---@param detail wm.Detail
---@param callback fun(problem?: string, result: table)
local function ask_for(detail, callback)
  client.request(detail.workspace, "wm/panel/resolve", detail.params, function(problem, result)
    result = type(result) == "table" and result or {}
    local title = text.line(result.title, 40)
    result.actions = type(result.actions) == "table" and result.actions or {}
    for _, action in ipairs(result.actions) do
      action.about = ("“%s”"):format(title)
    end
    callback(problem, result)
  end)
end

--- Shows the details of an item.
---@param workspace wm.Workspace
---@param id string
---@param perform fun(workspace: wm.Workspace, action: wm.Action) runs an action
---@param session? string the session whose item it is, if the panel does not show that one
function M.open(workspace, id, perform, session)
  local params = client.viewing(workspace, { id = id, full = true })
  params.sessionId = session or params.sessionId
  local detail = { workspace = workspace, params = params, actions = {} }
  ask_for(detail, function(problem, result)
    if problem then
      return text.warn(problem)
    end
    detail.actions, shown = result.actions, detail
    local buf = view.show(NAME, page_of(result))
    if not buf then
      return
    end
    local function map(key, does, what)
      vim.keymap.set("n", key, function()
        does(perform)
      end, { buffer = buf, nowait = true, desc = "wm: " .. what })
    end
    map("<CR>", follow, "open the link at the cursor")
    map("<2-LeftMouse>", follow, "open the link at the cursor")
    map("a", choose_action, "all actions")
  end)
end

--- Reads the page again if it is shown.
---@param workspace wm.Workspace
function M.reload(workspace)
  local detail = shown
  if not detail or detail.workspace ~= workspace or not view.buffer(NAME) then
    return
  end
  ask_for(detail, function(problem, result)
    if not problem and shown == detail and view.buffer(NAME) then
      detail.actions = result.actions
      view.update(NAME, page_of(result))
    end
  end)
end

function M.setup()
  client.listen(function(workspace, event)
    if event == "changed" then
      M.reload(workspace)
    end
  end)
end

return M
