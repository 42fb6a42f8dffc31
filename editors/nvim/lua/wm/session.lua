--- Whose memory is shown: each session has its core memory, working memory, notes
--- and context. The editor shows its own, until another one is chosen.
local client = require("wm.client")
local text = require("wm.text")

local M = {}

---@param session table
---@return string
local function describe(session)
  local name = session.title or session.agent or session.sessionId
  local state = session.live and "live" or "ended"
  return ("%s (%s, turn %d)"):format(text.line(name, 80), state, tonumber(session.turn) or 0)
end

--- Asks whose memory to show.
---@param workspace wm.Workspace
function M.choose(workspace)
  client.request(workspace, "wm/session/list", {}, function(problem, result)
    if problem then
      return text.warn(problem)
    end
    local choices = { { own = true } }
    for _, session in ipairs(type(result.sessions) == "table" and result.sessions or {}) do
      if type(session.sessionId) == "string" then
        table.insert(choices, session)
      end
    end
    vim.ui.select(choices, {
      prompt = "Show the memory of",
      format_item = function(choice)
        return choice.own and "this editor" or describe(choice)
      end,
    }, function(choice)
      if choice then
        workspace.viewed = choice.sessionId
        require("wm.panel").reload(workspace)
        require("wm.context").reload(workspace)
      end
    end)
  end)
end

return M
