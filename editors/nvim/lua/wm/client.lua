--- The connection to the server. It finds the server, starts one for each root,
--- attaches buffers, and restarts a server that crashes.
local config = require("wm.config")
local text = require("wm.text")

local M = {}

--- After this many crashes in this time a server stays down until `:WM restart`.
local MAX_CRASHES, CRASH_WINDOW_MS = 5, 3 * 60 * 1000

--- The version of the wm/* methods that this plugin speaks.
local PROTOCOL_VERSION = 1

--- The signal with which Neovim stops a server that does not exit.
local SIGTERM = 15

--- How long a server may take to exit before it is killed: as long as its last writes
--- may take. Nobody waits for it meanwhile.
M.GRACE_MS = 10000

--- The same when the editor quits, which blocks.
local LAST_GRACE_MS = 1000

--- Requests that the editor sends to all servers; it shows the results when all have
--- responded.
local SHARED = { "hoverProvider", "codeActionProvider" }

M.SILENT = "the server does not respond; :WM restart restarts it"
local UNREADABLE = "the server sent an invalid response; update it and the plugin together"
local NO_FILE = "no file of this project is open; open one to start the server"

---@class wm.Process
---@field pid? integer nil after it has exited
---@field withheld? table<string, any> capabilities removed while it is silent

---@class wm.Workspace
---@field root string
---@field client_id? integer
---@field process? wm.Process
---@field attempt? table the latest attempt to start the server; what an earlier one finds out is ignored
---@field state "starting"|"running"|"silent"|"failed"|"stopped"
---@field problem? string the problem and what to do, when silent, failed or stopped
---@field waiting table<fun(problem: string), true> fails a request that is still waiting
---@field crashes integer[] when, in milliseconds
---@field ended? string how the server last exited, such as "exit code 3"
---@field viewed? string the chosen session; by default the server decides

---@type table<string, wm.Workspace>
local workspaces = {}

local running = {} ---@type table<wm.Process, true> processes that the editor waits for when it quits
local listeners = {} ---@type fun(workspace: wm.Workspace, event: string)[]
local checked = {} ---@type table<string, string> versions by command
local warned = {} ---@type table<string, boolean>

--- Registers a callback for "ready" (the server has started), "changed" (the memory may
--- have changed), "silent" (the server does not respond) and "gone" (the server has
--- exited).
---@param callback fun(workspace: wm.Workspace, event: "ready"|"changed"|"silent"|"gone")
function M.listen(callback)
  table.insert(listeners, callback)
end

local function tell(workspace, event)
  for _, callback in ipairs(listeners) do
    callback(workspace, event)
  end
end

function M.log_path()
  return vim.fs.joinpath(vim.fn.stdpath("log"), "wm-lsp.log")
end

--- Returns the server that `make build` writes into the checkout of this plugin.
local function checkout_binary()
  local file = debug.getinfo(1, "S").source:sub(2)
  local path = vim.fs.normalize(vim.fn.fnamemodify(file, ":p:h:h:h:h:h") .. "/bin/wm-lsp")
  return vim.fn.executable(path) == 1 and path or nil
end

--- Returns the command of the server, with the path of an existing program.
---@return string[]? cmd
---@return string? problem
function M.find()
  local cmd = vim.deepcopy(config.current.cmd)
  -- normalize expands only ~ and $VAR and runs nothing.
  local name = vim.fs.normalize(cmd[1])
  local path = name ~= "" and vim.fn.exepath(name) or ""
  if path == "" and cmd[1] == config.defaults.cmd[1] then
    path = checkout_binary() or ""
  end
  if path == "" then
    return nil,
      ("%s was not found; put it on your PATH (make install) or set its path: "):format(cmd[1])
        .. 'require("wm").setup{ cmd = { "/path/to/wm-lsp" } }'
  end
  cmd[1] = path
  return cmd
end

---@param code integer
---@param signal integer
---@return string for example "exit code 3"
local function describe_end(code, signal)
  return signal ~= 0 and ("signal %d"):format(signal) or ("exit code %d"):format(code)
end

local is_windows = vim.fn.has("win32") == 1

--- Kills a program and its process group: what it started and, if it is started by a
--- script, the script. Windows has no process groups.
---@param process wm.Process
local function kill(process)
  if process.pid then
    vim.uv.kill(is_windows and process.pid or -process.pid, "sigkill")
  end
end

--- Runs a program. The callback gets the result, or nil after a timeout. The program is
--- killed on a timeout and when the editor quits.
---@param cmd string[]
---@param callback fun(result?: vim.SystemCompleted)
function M.run(cmd, callback)
  local process = {}
  local function done(result)
    if running[process] then
      process.pid, running[process] = nil, nil
      callback(result)
    end
  end
  process.pid = vim.system(cmd, { text = true, detach = not is_windows }, vim.schedule_wrap(done)).pid
  running[process] = true
  vim.defer_fn(function()
    kill(process)
    done(nil)
  end, config.current.timeout_ms)
end

--- Runs the program with --version, once per command. The callback gets a problem, or
--- nil and the version.
---@param cmd string[]
---@param callback fun(problem?: string, version?: string)
function M.check(cmd, callback)
  local key = table.concat(cmd, "\0")
  if checked[key] then
    return callback(nil, checked[key])
  end
  local function refuse(why)
    callback(("%s is not a working wm-lsp (%s); check the setting cmd"):format(cmd[1], why))
  end
  local ask = vim.list_extend(vim.deepcopy(cmd), { "--version" })
  local ok, problem = pcall(M.run, ask, function(result)
    if not result then
      return callback(("%s does not respond to --version; check the setting cmd"):format(cmd[1]))
    end
    local version = result.code == 0 and (result.stdout or ""):match("wm%-lsp[%s%p]+([^\n]+)")
    if not version then
      return refuse(describe_end(result.code, result.signal))
    end
    checked[key] = text.line(version, 80)
    callback(nil, checked[key])
  end)
  if not ok then
    refuse(tostring(problem):match("[^\n]*"))
  end
end

--- Reports whether a buffer is a file that the server should know.
---@param buf integer
local function is_file(buf)
  if not vim.api.nvim_buf_is_loaded(buf) or vim.bo[buf].buftype ~= "" then
    return false
  end
  local name = vim.api.nvim_buf_get_name(buf)
  if name == "" or name:match("^%a[%w+.-]+://") or vim.fn.isdirectory(name) == 1 then
    return false
  end
  local size = vim.api.nvim_buf_get_offset(buf, vim.api.nvim_buf_line_count(buf))
  return size <= config.current.max_bytes
end

--- Returns the root of a buffer.
---@param buf integer
---@return string
local function root_of(buf)
  return vim.fs.root(buf, config.current.root_markers) or vim.b[buf].wm_root or vim.fs.normalize(vim.fn.getcwd())
end

local function is_inside(path, root)
  return path == root or vim.startswith(path, root == "/" and root or root .. "/")
end

--- Returns the workspace with the nearest root above a path.
---@param path string
---@return wm.Workspace?
function M.workspace_of_path(path)
  local found
  for root, workspace in pairs(workspaces) do
    if is_inside(path, root) and (not found or #root > #found.root) then
      found = workspace
    end
  end
  return found
end

--- Returns the workspace of a buffer. For a buffer without a file it is the workspace
--- of the current directory, or the only one.
---@param buf integer
---@return wm.Workspace?
function M.workspace_of(buf)
  local shown = workspaces[vim.b[buf].wm_root or ""]
  if shown then
    return shown
  elseif is_file(buf) then
    return workspaces[root_of(buf)]
  end
  local roots = vim.tbl_keys(workspaces)
  return M.workspace_of_path(vim.fs.normalize(vim.fn.getcwd())) or (#roots == 1 and workspaces[roots[1]]) or nil
end

--- Returns the client of a workspace if its server is initialized.
---@param workspace wm.Workspace
---@return vim.lsp.Client?
function M.client_of(workspace)
  local client = workspace.client_id and vim.lsp.get_client_by_id(workspace.client_id)
  if client and client.initialized then
    return client
  end
end

--- Returns params that name the chosen session, if any.
---@param workspace wm.Workspace
---@param params? table
---@return table
function M.viewing(workspace, params)
  return vim.tbl_extend("keep", params or {}, { sessionId = workspace.viewed })
end

---@return table<string, wm.Workspace>
function M.workspaces()
  return workspaces
end

-- Neovim 0.11 made client.request(...) client:request(...).
local has_methods = vim.fn.has("nvim-0.11") == 1

---@param client vim.lsp.Client
---@param name "request"|"notify"|"stop"
local function call(client, name, ...)
  if has_methods then
    return client[name](client, ...)
  end
  return client[name](...)
end

local ENDED = "the server has just exited; try again"

--- Records that a server has responded. A silent server is running again.
---@param workspace wm.Workspace
---@param process wm.Process
local function note_answer(workspace, process)
  local client = M.client_of(workspace)
  if workspace.state == "silent" and workspace.process == process and client then
    workspace.state, workspace.problem = "running", nil
    for _, name in ipairs(SHARED) do
      client.server_capabilities[name] = process.withheld[name]
    end
    tell(workspace, "changed")
  end
end

--- Records that a server has not responded in time. Until it responds, requests to all
--- servers skip it.
---@param workspace wm.Workspace
---@param process wm.Process
local function note_silence(workspace, process)
  local client = M.client_of(workspace)
  if workspace.state == "running" and workspace.process == process and client then
    workspace.state, workspace.problem, process.withheld = "silent", M.SILENT, {}
    for _, name in ipairs(SHARED) do
      process.withheld[name], client.server_capabilities[name] = client.server_capabilities[name], false
    end
    tell(workspace, "silent")
  end
end

--- Writes into the log of the server.
---@param path string of the log
---@param message string
---@param how string
local function note(path, message, how)
  local log = io.open(path, "a")
  if log then
    local at = os.date("!%Y-%m-%dT%H:%M:%SZ")
    log:write(('time=%s level=ERROR msg="%s" how=%s\n'):format(at, message, vim.json.encode(how)))
    log:close()
  end
end

--- Sends a request. The callback gets the result, or a problem as a sentence; no
--- response is also a problem. If the callback fails on the result, it is called again
--- with a problem, because the result is invalid. The reason is the server's code for a
--- refusal, such as "notFound".
---@param workspace wm.Workspace
---@param method string
---@param params table
---@param callback fun(problem?: string, result?: any, reason?: string)
function M.request(workspace, method, params, callback)
  local client = M.client_of(workspace)
  if not client then
    return callback(workspace.problem or "the server is starting; try again")
  end
  local sent = call(client, "request", method, next(params) and params or vim.empty_dict(), function(err, result)
    if err then
      local reason = type(err.data) == "table" and err.data.reason or nil
      return callback(err.message or "the server returned an error without a message", nil, reason)
    end
    local read, failure = xpcall(callback, debug.traceback, nil, result)
    if not read then
      note(M.log_path(), UNREADABLE, failure)
      callback(UNREADABLE)
    end
  end)
  if not sent then
    callback(ENDED)
  end
end

--- Runs a callback that may belong to another plugin. An error is reported and stops
--- nothing here.
---@param callback function
local function protected(callback, ...)
  local ok, failure = xpcall(callback, debug.traceback, ...)
  if not ok then
    vim.schedule(function()
      error(failure, 0)
    end)
  end
end

--- Wraps the request function so that every request gets a response, including the
--- editor's own: from the server, or an error if the server is silent or has exited. A
--- late response only shows that the server is responding again.
---@param workspace wm.Workspace
---@param process wm.Process
---@param request function of vim.lsp.rpc.PublicClient
---@return function
local function answering(workspace, process, request)
  return function(method, params, callback, on_reply)
    if method == "initialize" or method == "shutdown" then
      return request(method, params, callback, on_reply) -- await_answer and stop handle timeouts of these
    end
    local given_up, timer = false, nil
    local function give_up(problem)
      given_up = true
      protected(callback, { code = vim.lsp.protocol.ErrorCodes.InternalError, message = problem })
    end
    local sent, id = request(method, params, function(...)
      if not given_up then
        callback(...)
      end
    end, function(...)
      workspace.waiting[give_up] = nil
      if not timer:is_closing() then
        timer:close()
      end
      note_answer(workspace, process)
      if on_reply then
        on_reply(...)
      end
    end)
    if sent then
      workspace.waiting[give_up] = true
      timer = vim.defer_fn(function()
        if workspace.waiting[give_up] then
          workspace.waiting[give_up] = nil
          note_silence(workspace, process)
          give_up(M.SILENT)
        end
      end, config.current.timeout_ms)
    end
    return sent, id
  end
end

--- Fails all waiting requests of a server that has exited.
---@param workspace wm.Workspace
local function abandon(workspace)
  local waiting = workspace.waiting
  workspace.waiting = {}
  for give_up in pairs(waiting) do
    give_up(ENDED)
  end
end

--- Stops the server of a workspace and fails its waiting requests. If it does not exit
--- soon, it is killed.
---@param workspace wm.Workspace
local function stop(workspace)
  local process = workspace.process
  local client = workspace.client_id and vim.lsp.get_client_by_id(workspace.client_id)
  workspace.client_id, workspace.process = nil, nil
  if client then
    for _, buf in ipairs(client.initialized and vim.tbl_keys(client.attached_buffers) or {}) do
      vim.lsp.buf_detach_client(buf, client.id)
    end
    call(client, "stop")
  end
  if process then
    vim.defer_fn(function()
      kill(process)
    end, M.GRACE_MS)
  end
  abandon(workspace)
end

--- Sends a notification; without a server it is dropped.
---@param workspace wm.Workspace
---@param method string
---@param params table
function M.notify(workspace, method, params)
  local client = M.client_of(workspace)
  if client then
    call(client, "notify", method, params)
  end
end

---@param workspace wm.Workspace
---@param problem string
local function fail(workspace, problem)
  workspace.state, workspace.problem = "failed", problem
  if not warned[problem] then
    warned[problem] = true
    -- A longer message would show a hit-enter prompt. The panel shows it in full.
    local short = vim.fn.strdisplaywidth("wm: " .. problem) <= vim.v.echospace
    text.warn(short and problem or problem:match("[^;(]*"):gsub("%s+$", "") .. "; see :checkhealth wm")
  end
  tell(workspace, "gone")
end

local function capabilities()
  local offered = vim.lsp.protocol.make_client_capabilities()
  offered.experimental = { workingMemory = { notifications = true } }
  return offered
end

---@param workspace wm.Workspace
---@param client vim.lsp.Client
local function on_ready(workspace, client)
  local offered = vim.tbl_get(client.server_capabilities, "experimental", "workingMemory", "version")
  if offered ~= PROTOCOL_VERSION then
    stop(workspace)
    return fail(workspace, "this wm-lsp uses another version of the protocol; update it and the plugin together")
  end
  workspace.state, workspace.problem, workspace.client_id = "running", nil, client.id
  tell(workspace, "ready")
end

---@param workspace wm.Workspace
---@param process wm.Process
local function on_exit(workspace, process)
  if workspace.process ~= process or workspace.state == "stopped" or vim.v.exiting ~= vim.NIL then
    return
  end
  workspace.client_id, workspace.process = nil, nil
  local now = vim.uv.now()
  workspace.crashes = vim.tbl_filter(function(at)
    return now - at < CRASH_WINDOW_MS
  end, workspace.crashes)
  table.insert(workspace.crashes, now)
  if #workspace.crashes > MAX_CRASHES then
    fail(workspace, ("the server keeps exiting (%s); see :WM log, :WM restart"):format(workspace.ended))
    return abandon(workspace)
  end
  workspace.state, workspace.problem = "starting", nil
  tell(workspace, "gone")
  abandon(workspace)
  vim.schedule(function()
    M.attach_root(workspace.root)
  end)
end

--- Logs how a server exited unless the exit was requested.
---@param workspace wm.Workspace
---@param path string
---@param code integer
---@param signal integer
local function note_end(workspace, path, code, signal)
  workspace.ended = describe_end(code, signal)
  if code + signal ~= 0 and signal ~= SIGTERM then
    note(path, "the server exited", workspace.ended)
  end
end

--- Calls a function that starts a program and returns its process id. Neovim does not
--- expose the id, so it is that of the new child.
---@generic T
---@param start fun(): T
---@return T
---@return integer? pid
local function with_pid(start)
  local before = vim.api.nvim_get_proc_children(vim.fn.getpid())
  local started = start()
  for _, pid in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
    if not vim.tbl_contains(before, pid) then
      return started, pid
    end
  end
  return started, nil
end

--- Starts the program. Neovim always gets exit code 0, because its own warning would
--- show a hit-enter prompt; this plugin reports the exit itself.
---@param workspace wm.Workspace
---@param cmd string[]
---@return fun(dispatchers: vim.lsp.rpc.Dispatchers): vim.lsp.rpc.PublicClient
local function starter(workspace, cmd)
  local cwd, log = vim.fn.isdirectory(workspace.root) == 1 and workspace.root or nil, M.log_path()
  return function(dispatchers)
    local process, tell_neovim = {}, dispatchers.on_exit
    dispatchers.on_exit = function(code, signal)
      if signal ~= 0 then
        kill(process) -- the end of a script does not end its children
      end
      process.pid, running[process] = nil, nil
      note_end(workspace, log, code, signal)
      -- Before Neovim removes the client: on_exit still counts it.
      vim.schedule(function()
        on_exit(workspace, process)
      end)
      tell_neovim(0, 0)
    end
    local rpc, pid = with_pid(function()
      return vim.lsp.rpc.start(cmd, dispatchers, { cwd = cwd })
    end)
    process.pid, running[process], workspace.process = pid, true, process
    return vim.tbl_extend("force", rpc, { request = answering(workspace, process, rpc.request) })
  end
end

---@param workspace wm.Workspace
---@param cmd string[]
---@return table
local function client_config(workspace, cmd)
  local current = config.current
  local full = vim.list_extend(cmd, { "--log-file", M.log_path(), "--log-level", current.log_level })
  local function own(client_id)
    return workspace.client_id == client_id
  end
  return {
    name = "wm",
    cmd = starter(workspace, full),
    root_dir = workspace.root,
    workspace_folders = { { uri = vim.uri_from_fname(workspace.root), name = vim.fs.basename(workspace.root) } },
    capabilities = capabilities(),
    init_options = next(current.settings) and current.settings or vim.empty_dict(),
    settings = { wm = next(current.settings) and current.settings or vim.empty_dict() },
    handlers = {
      ["wm/changed"] = function(_, _, ctx)
        if own(ctx.client_id) then
          tell(workspace, "changed")
        end
      end,
    },
    commands = {
      -- The arguments of code actions omit what the user has to supply.
      ["wm.remember"] = function(command)
        require("wm.remember").run(workspace, command)
      end,
    },
    on_init = function(client)
      if own(client.id) then -- not if it was stopped before it responded
        on_ready(workspace, client)
      end
    end,
  }
end

--- Returns the file buffers of a root that were read, or the one that was opened first:
--- a client needs a buffer to start.
---@param root string
---@return integer[]
function M.buffers(root)
  local files = vim.tbl_filter(function(buf)
    return is_file(buf) and root_of(buf) == root
  end, vim.api.nvim_list_bufs())
  local read = vim.tbl_filter(function(buf)
    return vim.b[buf].wm_read
  end, files)
  return #read > 0 and read or { files[1] }
end

--- Stops a server that does not respond to `initialize` in time.
---@param workspace wm.Workspace
local function await_answer(workspace)
  local client_id = workspace.client_id
  vim.defer_fn(function()
    if workspace.state ~= "starting" or workspace.client_id ~= client_id then
      return
    end
    stop(workspace)
    fail(workspace, M.SILENT)
  end, config.current.timeout_ms)
end

--- Leaves a workspace without a server until one of its files is opened.
---@param workspace wm.Workspace
local function rest(workspace)
  workspace.state, workspace.problem = "stopped", NO_FILE
  tell(workspace, "gone")
end

---@param workspace wm.Workspace
---@param cmd string[]
local function start(workspace, cmd)
  local buffers = M.buffers(workspace.root)
  if #buffers == 0 then
    return rest(workspace)
  end
  vim.fn.mkdir(vim.fs.dirname(M.log_path()), "p")
  local settings = client_config(workspace, cmd)
  for _, buf in ipairs(buffers) do
    local id = vim.lsp.start(settings, {
      bufnr = buf,
      silent = true,
      reuse_client = function(client)
        return client.id == workspace.client_id
      end,
    })
    if not id then
      return fail(workspace, ("%s cannot be started; see :checkhealth wm"):format(cmd[1]))
    end
    workspace.client_id, vim.b[buf].wm_read = id, true
  end
  await_answer(workspace)
end

--- Starts the server of a root and attaches its buffers.
---@param root string
function M.attach_root(root)
  local workspace = workspaces[root] or { root = root, crashes = {}, waiting = {} }
  workspaces[root] = workspace
  local attempt = {}
  workspace.attempt = attempt
  if #M.buffers(root) == 0 then
    return rest(workspace)
  end
  workspace.state, workspace.problem = "starting", nil
  local cmd, missing = M.find()
  if not cmd then
    return fail(workspace, missing --[[@as string]])
  end
  M.check(cmd, function(problem)
    if workspace.attempt ~= attempt then
      return
    end
    if problem then
      return fail(workspace, problem)
    end
    start(workspace, cmd)
  end)
end

--- Attaches a buffer that was read to the server of its root. Starts the server if needed,
--- with any file.
---@param buf integer
function M.attach(buf)
  if not is_file(buf) then
    return
  end
  local root = root_of(buf)
  vim.b[buf].wm_root = root -- kept when the current directory changes
  local workspace = workspaces[root]
  if not workspace or workspace.state == "stopped" then
    return M.attach_root(root)
  end
  if workspace.client_id and vim.b[buf].wm_read then
    vim.lsp.buf_attach_client(buf, workspace.client_id)
  end
end

--- Tells the server that a file is read.
---@param buf integer
function M.read(buf)
  if is_file(buf) and not vim.b[buf].wm_read then
    vim.b[buf].wm_read = true
    M.attach(buf)
  end
end

--- Restarts the server of a workspace, also one that has failed.
---@param workspace wm.Workspace
function M.restart(workspace)
  workspace.crashes, checked, warned = {}, {}, {}
  workspace.state, workspace.problem = "starting", nil
  stop(workspace)
  M.attach_root(workspace.root)
end

--- Waits for the servers to exit after Neovim has asked them to. Those that do not
--- respond or take too long are killed.
local function leave()
  for _, workspace in pairs(workspaces) do
    if workspace.state == "silent" then
      kill(workspace.process)
    end
  end
  vim.wait(LAST_GRACE_MS, function()
    return next(running) == nil
  end, 5)
  vim.tbl_map(kill, vim.tbl_keys(running))
end

---@param group integer
function M.setup(group)
  vim.api.nvim_create_autocmd("VimLeave", { group = group, callback = leave })
end

return M
