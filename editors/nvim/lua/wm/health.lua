--- :checkhealth wm
local client = require("wm.client")

local M = {}

--- How long the report waits for a server, in milliseconds.
local PATIENCE_MS = 2000

--- Waits for a function that calls back, with a timeout.
---@param start fun(done: fun(...))
---@return any[]? answer nil on a timeout
local function await(start)
  local answer
  start(function(...)
    answer = { n = select("#", ...), ... }
  end)
  vim.wait(PATIENCE_MS, function()
    return answer ~= nil
  end, 10)
  return answer
end

local function check_binary()
  local cmd, missing = client.find()
  if not cmd then
    return vim.health.error(missing --[[@as string]])
  end
  local answer = await(function(done)
    client.check(cmd, done)
  end)
  if not answer then
    vim.health.error(cmd[1] .. " does not respond to --version", "Check the setting cmd.")
  elseif answer[1] then
    vim.health.error(answer[1])
  else
    vim.health.ok(("%s, version %s"):format(cmd[1], answer[2]))
  end
end

---@param workspace wm.Workspace
local function check_workspace(workspace)
  if not client.client_of(workspace) then
    return vim.health.warn(("%s: %s"):format(workspace.root, workspace.problem or workspace.state), ":WM restart")
  end
  local answer = await(function(done)
    client.request(workspace, "wm/status", {}, done)
  end)
  local problem, status = not answer and client.SILENT or answer[1], answer and answer[2]
  if problem then
    return vim.health.error(("%s: %s"):format(workspace.root, problem), { ":WM restart", ":WM log" })
  end
  vim.health.ok(("%s: running, memory in %s"):format(workspace.root, vim.tbl_get(status, "store", "path") or "none"))
  for _, found in ipairs(type(status.problems) == "table" and status.problems or {}) do
    local report = found.severity == "error" and vim.health.error or vim.health.warn
    report(tostring(found.message), found.fix)
  end
end

function M.check()
  vim.health.start("wm")
  if vim.fn.has("nvim-0.10") == 0 then
    return vim.health.error("Neovim is too old", "Use 0.10 or newer.")
  end
  require("wm").ensure()
  check_binary()
  vim.health.info("log: " .. client.log_path())
  if next(client.workspaces()) == nil then
    vim.health.info("no server is running: no file of a project is open")
  end
  for _, workspace in vim.spairs(client.workspaces()) do
    check_workspace(workspace)
  end
end

return M
