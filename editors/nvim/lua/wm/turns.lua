--- What a person does has its turn: an undo takes back what was asked for before it, also if the server has not
--- answered that yet, and what is asked for after an undo comes after it.
local client = require("wm.client")

local M = {}

--- How many answers are awaited.
local awaited = 0

---@class wm.Turn
---@field run fun()
---@field undoes? boolean

---@type wm.Turn[]
local waiting = {}

--- Does what waits. An undo waits until no answer is awaited. If the last one refuses an action, the undo that waited
--- for it has nothing to take back.
---@param refused? boolean
local function go_on(refused)
  if refused and awaited == 0 and waiting[1] and waiting[1].undoes then
    table.remove(waiting, 1)
  end
  while waiting[1] and (awaited == 0 or not waiting[1].undoes) do
    table.remove(waiting, 1).run()
  end
end

--- Does something in its turn.
---@param run fun() sends requests by M.request
---@param undoes? boolean whether it takes back, or does again, what was done before it
function M.take(run, undoes)
  table.insert(waiting, { run = run, undoes = undoes })
  go_on()
end

--- Sends a request of a turn.
---@param workspace wm.Workspace
---@param method string
---@param params table
---@param callback fun(problem?: string, result?: any, reason?: string): boolean? whether an action was refused
function M.request(workspace, method, params, callback)
  awaited = awaited + 1
  local answered = false
  client.request(workspace, method, params, function(...)
    if not answered then -- a callback that fails is called again
      answered, awaited = true, awaited - 1
    end
    go_on(callback(...))
  end)
end

--- Sends a request that is a turn of its own; see M.request.
---@param workspace wm.Workspace
---@param method string
---@param params table
---@param callback fun(problem?: string, result?: any, reason?: string): boolean? whether an action was refused
function M.send(workspace, method, params, callback)
  M.take(function()
    M.request(workspace, method, params, callback)
  end)
end

return M
