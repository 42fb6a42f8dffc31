--- The trace of a memory entry: what happened to it, and why it is kept.
local client = require("wm.client")
local text = require("wm.text")
local view = require("wm.view")

local M = {}

--- Requests the trace of an entry and shows it.
---@param workspace wm.Workspace
---@param id string
function M.open(workspace, id)
  client.request(workspace, "wm/memory/explain", { id = id }, function(problem, explained)
    if problem then
      return text.warn(problem)
    end
    view.show("wm://trace", explained.markdown, { markdown = true, title = "Trace" })
  end)
end

return M
