--- The session that is shown. Core memory, working memory, notes and context belong to
--- a session. By default the server picks the active one.
local ask = require("wm.ask")
local client = require("wm.client")
local text = require("wm.text")

local M = {}

--- Sends a request about the session that is shown: the chosen one, else the one that
--- the server shows in its panel.
---@param workspace wm.Workspace
---@param method string
---@param params table
---@param callback fun(problem?: string, result?: any)
---@param request? function like that of the client, which it is by default
function M.request(workspace, method, params, callback, request)
  request = request or client.request
  if workspace.viewed then
    return request(workspace, method, client.viewing(workspace, params), callback)
  end
  request(workspace, "wm/session/list", {}, function(problem, result)
    if problem then
      return callback(problem)
    end
    local shown = type(result) == "table" and result.shown or nil
    request(workspace, method, vim.tbl_extend("keep", params, { sessionId = shown }), callback)
  end)
end

---@param session table
---@return string
local function describe(session)
  local name = session.title or session.agent or session.sessionId
  local since = session.live and ", since " .. text.time(session.startedAt) or ""
  return ("%s (%s%s)"):format(text.line(name, 80), session.live and "live" or "ended", since)
end

--- Asks which session to show.
---@param workspace wm.Workspace
function M.choose(workspace)
  client.request(workspace, "wm/session/list", {}, function(problem, result)
    if problem then
      return text.warn(problem)
    end
    local choices = { { default = true } }
    for _, session in ipairs(type(result.sessions) == "table" and result.sessions or {}) do
      if type(session.sessionId) == "string" then
        table.insert(choices, session)
      end
    end
    ask.select(choices, {
      prompt = "Show the memory of",
      format_item = function(choice)
        return choice.default and "the active session" or describe(choice)
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
