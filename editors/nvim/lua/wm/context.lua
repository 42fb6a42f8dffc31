--- The context that an agent would get now: the exact text, and what it consists of.
--- Both pages are kept up to date while they are shown.
local client = require("wm.client")
local session = require("wm.session")
local text = require("wm.text")
local usage = require("wm.usage")
local view = require("wm.view")

local M = {}

--- How long changes are collected before a page is reloaded.
local GATHER_MS = 50

--- The pages by buffer name: how each shows the result of wm/context.
---@type table<string, fun(context: table): wm.View.Content, wm.View.Options>
local pages = {
  ["wm://context"] = function(context)
    local title = ("Context: %s tokens, %s characters"):format(tostring(context.tokens), tostring(context.chars))
    return context.text, { filetype = "markdown", title = title }
  end,
  ["wm://usage"] = function(context)
    local function draw(width)
      local sheet = usage.sheet(context, width)
      return sheet.lines, sheet.marks
    end
    return draw, { filetype = "wm-usage", title = "Usage" }
  end,
}

---@param workspace wm.Workspace
---@param callback fun(context: table)
local function ask(workspace, callback)
  -- A preview changes nothing on the server.
  session.request(workspace, "wm/context", { preview = true }, function(problem, context)
    if problem then
      return text.warn(problem)
    end
    callback(type(context) == "table" and context or {})
  end)
end

---@param workspace wm.Workspace
---@param name string
local function open(workspace, name)
  ask(workspace, function(context)
    local buf = view.show(name, pages[name](context))
    if buf then
      vim.b[buf].wm_root = workspace.root
    end
  end)
end

--- Shows the text that an agent would get.
---@param workspace wm.Workspace
function M.text(workspace)
  open(workspace, "wm://context")
end

--- Shows how full the context was over time, and what it consists of.
---@param workspace wm.Workspace
function M.usage(workspace)
  open(workspace, "wm://usage")
end

--- Returns the pages of a workspace that are shown.
---@param workspace wm.Workspace
---@return string[]
local function shown(workspace)
  return vim.tbl_filter(function(name)
    local buf = view.buffer(name)
    return buf ~= nil and vim.b[buf].wm_root == workspace.root
  end, vim.tbl_keys(pages))
end

---@type table<string, true> by root: a reload is scheduled
local asked = {}

--- Reloads the pages of a workspace.
---@param workspace wm.Workspace
function M.reload(workspace)
  if asked[workspace.root] or #shown(workspace) == 0 then
    return
  end
  asked[workspace.root] = true
  vim.defer_fn(function()
    asked[workspace.root] = nil
    ask(workspace, function(context)
      for _, name in ipairs(shown(workspace)) do
        view.update(name, pages[name](context))
      end
    end)
  end, GATHER_MS)
end

function M.setup()
  client.listen(function(workspace, event)
    if event == "changed" then
      M.reload(workspace)
    end
  end)
end

return M
