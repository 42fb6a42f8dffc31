--- The connection to the server: finds it, starts one for each root, attaches
--- the buffers, and starts it again when it crashes.
local config = require("wm.config")
local text = require("wm.text")

local M = {}

--- A server that ended this often in this time stays down until `:WM restart`.
local MAX_CRASHES, CRASH_WINDOW_MS = 5, 3 * 60 * 1000

--- The version of the wm/* methods that this plugin speaks.
local PROTOCOL_VERSION = 1

--- How Neovim ends a server that does not end by itself.
local SIGTERM = 15

--- How long a server that is to end may take until it is killed; the second is for
--- one that ends with the editor, which waits for it.
local GRACE_MS, LAST_GRACE_MS = 2000, 1000

--- What an editor asks all servers together, and shows when all have answered.
local SHARED = { "hoverProvider", "codeActionProvider" }

M.SILENT = "the server does not answer; :WM restart starts it again"
local UNREADABLE = "the server gave an answer that cannot be read; update it and the plugin together"
local NO_FILE = "no file of this project is open; opening one starts the server"

---@class wm.Process
---@field pid? integer until it has ended
---@field withheld? table<string, any> capabilities that are taken away while it is silent

---@class wm.Workspace
---@field root string
---@field client_id? integer
---@field process? wm.Process
---@field state "starting"|"running"|"silent"|"failed"|"stopped"
---@field problem? string what to do about it, when silent, failed or stopped
---@field waiting table<fun(problem: string), true> gives up on what has no answer yet
---@field crashes integer[] when, in milliseconds
---@field ended? string how the server ended the last time, such as "exit code 3"
---@field viewed? string the session whose memory is shown; by default the one that works, as the server sees it

---@type table<string, wm.Workspace>
local workspaces = {}

local running = {} ---@type table<wm.Process, true> those that the editor waits for when it ends
local listeners = {} ---@type fun(workspace: wm.Workspace, event: string)[]
local checked = {} ---@type table<string, string> versions by command
local warned = {} ---@type table<string, boolean>

--- Calls back on "ready" (the server has started), "changed" (the memory has, or may
--- have), "silent" (the server does not answer) and "gone" (the server ended).
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

--- The server that `make build` leaves in the checkout that holds this plugin.
local function checkout_binary()
  local file = debug.getinfo(1, "S").source:sub(2)
  local path = vim.fs.normalize(vim.fn.fnamemodify(file, ":p:h:h:h:h:h") .. "/bin/wm-lsp")
  return vim.fn.executable(path) == 1 and path or nil
end

--- The command of the server, with the binary as a path that exists.
---@return string[]? cmd
---@return string? problem
function M.find()
  local cmd = vim.deepcopy(config.current.cmd)
  -- Only ~ and $VAR are expanded, and nothing is run for it.
  local name = vim.fs.normalize(cmd[1])
  local path = name ~= "" and vim.fn.exepath(name) or ""
  if path == "" and cmd[1] == config.defaults.cmd[1] then
    path = checkout_binary() or ""
  end
  if path == "" then
    return nil,
      ("%s is not there; put it on your PATH (make install) or set where it is: "):format(cmd[1])
        .. 'require("wm").setup{ cmd = { "/path/to/wm-lsp" } }'
  end
  cmd[1] = path
  return cmd
end

---@param code integer
---@param signal integer
---@return string such as "exit code 3"
local function describe_end(code, signal)
  return signal ~= 0 and ("signal %d"):format(signal) or ("exit code %d"):format(code)
end

local is_windows = vim.fn.has("win32") == 1

--- Kills a program, with all that it started or, if it is a script, that started it:
--- it is the leader of a group, but on Windows.
---@param process wm.Process
local function kill(process)
  if process.pid then
    vim.uv.kill(is_windows and process.pid or -process.pid, "sigkill")
  end
end

--- Runs a program. The callback gets how it ended, or nil if it did not in time: then
--- it is killed, as it is when the editor ends.
---@param cmd string[]
---@param callback fun(result?: vim.SystemCompleted)
local function run(cmd, callback)
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

--- Asks the program for its version, once, and calls back with what is wrong
--- with it, or with nil and its version.
---@param cmd string[]
---@param callback fun(problem?: string, version?: string)
function M.check(cmd, callback)
  local key = table.concat(cmd, "\0")
  if checked[key] then
    return callback(nil, checked[key])
  end
  local function refuse(why)
    callback(("%s is not a wm-lsp that runs here (%s); set cmd to the one that is"):format(cmd[1], why))
  end
  local ask = vim.list_extend(vim.deepcopy(cmd), { "--version" })
  local ok, problem = pcall(run, ask, function(result)
    if not result then
      return callback(("%s does not answer to --version; see whether the setting cmd is right"):format(cmd[1]))
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

--- Whether a buffer is a file that the server should know.
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

--- The root that a buffer belongs to.
---@param buf integer
---@return string
local function root_of(buf)
  return vim.fs.root(buf, config.current.root_markers) or vim.b[buf].wm_root or vim.fs.normalize(vim.fn.getcwd())
end

local function is_inside(path, root)
  return path == root or vim.startswith(path, root == "/" and root or root .. "/")
end

--- The workspace whose root is nearest above a path.
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

--- The workspace of a buffer; for one without a file or text of it, that of the
--- current directory, or the only one there is.
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

--- The client of a workspace, if its server has answered.
---@param workspace wm.Workspace
---@return vim.lsp.Client?
function M.client_of(workspace)
  local client = workspace.client_id and vim.lsp.get_client_by_id(workspace.client_id)
  if client and client.initialized then
    return client
  end
end

--- Whether the server of a workspace offers a method.
---@param workspace wm.Workspace
---@param method string
---@return boolean
function M.offers(workspace, method)
  local client = M.client_of(workspace)
  local methods = client and vim.tbl_get(client.server_capabilities, "experimental", "workingMemory", "methods")
  return type(methods) == "table" and vim.tbl_contains(methods, method)
end

--- The params of a call about the session that was chosen, if any.
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

-- Methods of a client are called with a colon since 0.11, with a dot before.
local has_methods = vim.fn.has("nvim-0.11") == 1

---@param client vim.lsp.Client
---@param name "request"|"notify"|"stop"
local function call(client, name, ...)
  if has_methods then
    return client[name](client, ...)
  end
  return client[name](...)
end

local ENDED = "the server has just ended; try again"

--- Notes that a server answers, also one that was silent.
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

--- Notes that a server has not answered in time. Until it does, nobody who asks all
--- servers waits for it.
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

--- Sends a request. The callback gets a sentence if it failed, also for want of an
--- answer, else the result. It is called once, and again if it failed on the result:
--- what cannot be read is a failure, too. The reason is a word of the server for its
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
      return callback(err.message or "the server gave an error without a message", nil, reason)
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

--- Runs what may be another plugin's. That it fails is told, and stops nothing here.
---@param callback function
local function protected(callback, ...)
  local ok, failure = xpcall(callback, debug.traceback, ...)
  if not ok then
    vim.schedule(function()
      error(failure, 0)
    end)
  end
end

--- Has every request answered, also those of the editor itself: by the server, else
--- by an error when it is silent or has ended. An answer that comes later than that
--- only shows that the server is there again.
---@param workspace wm.Workspace
---@param process wm.Process
---@param request function of vim.lsp.rpc.PublicClient
---@return function
local function answering(workspace, process, request)
  return function(method, params, callback, on_reply)
    if method == "initialize" or method == "shutdown" then
      return request(method, params, callback, on_reply) -- await_answer and stop watch over these
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

--- Ends the waiting for a server that has ended.
---@param workspace wm.Workspace
local function abandon(workspace)
  local waiting = workspace.waiting
  workspace.waiting = {}
  for give_up in pairs(waiting) do
    give_up(ENDED)
  end
end

--- Ends the server of a workspace. Nobody waits for it from now on; if it has not
--- ended by itself in a moment, it is killed.
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
    end, GRACE_MS)
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
    -- A longer message would ask for Enter; the panel has it in full, too.
    local short = vim.fn.strdisplaywidth("wm: " .. problem) <= vim.v.echospace
    text.warn(short and problem or problem:match("[^;(]*"):gsub("%s+$", "") .. "; :checkhealth wm says more")
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
    return fail(workspace, "this wm-lsp speaks another version of the protocol; update it and the plugin together")
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
    fail(workspace, ("the server keeps ending (%s); :WM log, then :WM restart"):format(workspace.ended))
    return abandon(workspace)
  end
  workspace.state, workspace.problem = "starting", nil
  tell(workspace, "gone")
  abandon(workspace)
  vim.schedule(function()
    M.attach_root(workspace.root)
  end)
end

--- Notes in the log how a server ended, if it was not asked to.
---@param workspace wm.Workspace
---@param path string
---@param code integer
---@param signal integer
local function note_end(workspace, path, code, signal)
  workspace.ended = describe_end(code, signal)
  if code + signal ~= 0 and signal ~= SIGTERM then
    note(path, "the server ended", workspace.ended)
  end
end

--- Starts a program by what is given, and finds out its process id, which Neovim
--- keeps to itself: it is the child that is new.
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

--- Starts the program. Neovim is told of a plain end whatever it was: its warning
--- would ask for Enter, and what there is to say is said here.
---@param workspace wm.Workspace
---@param cmd string[]
---@return fun(dispatchers: vim.lsp.rpc.Dispatchers): vim.lsp.rpc.PublicClient
local function starter(workspace, cmd)
  local cwd, log = vim.fn.isdirectory(workspace.root) == 1 and workspace.root or nil, M.log_path()
  return function(dispatchers)
    local process, tell_neovim = {}, dispatchers.on_exit
    dispatchers.on_exit = function(code, signal)
      if signal ~= 0 then
        kill(process) -- a script that was ended has ended nothing below it
      end
      process.pid, running[process] = nil, nil
      note_end(workspace, log, code, signal)
      -- First, as long as Neovim knows the client: it counts whom it waits for.
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
      -- Code actions leave open what a person has to say.
      ["wm.remember"] = function(command)
        require("wm.remember").run(workspace, command)
      end,
    },
    on_init = function(client)
      on_ready(workspace, client)
    end,
  }
end

--- The buffers of files of one root.
---@param root string
---@return integer[]
function M.buffers(root)
  return vim.tbl_filter(function(buf)
    return is_file(buf) and root_of(buf) == root
  end, vim.api.nvim_list_bufs())
end

--- Gives up on a server that has not answered to `initialize` in time.
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

--- Leaves a workspace without a server until a file of it is opened.
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
      return fail(workspace, ("%s does not start; :checkhealth wm says more"):format(cmd[1]))
    end
    workspace.client_id = id
  end
  await_answer(workspace)
end

--- Starts the server of a root and attaches its buffers.
---@param root string
function M.attach_root(root)
  local workspace = workspaces[root] or { root = root, crashes = {}, waiting = {} }
  workspaces[root] = workspace
  if #M.buffers(root) == 0 then
    return rest(workspace)
  end
  workspace.state, workspace.problem = "starting", nil
  local cmd, missing = M.find()
  if not cmd then
    return fail(workspace, missing --[[@as string]])
  end
  M.check(cmd, function(problem)
    if workspace.state ~= "starting" or workspace.client_id then
      return
    end
    if problem then
      return fail(workspace, problem)
    end
    start(workspace, cmd)
  end)
end

--- Makes a buffer known to the server of its root, which is started if need be.
---@param buf integer
function M.attach(buf)
  if not is_file(buf) then
    return
  end
  local root = root_of(buf)
  vim.b[buf].wm_root = root -- it stays so when the current directory changes
  local workspace = workspaces[root]
  if not workspace or workspace.state == "stopped" then
    return M.attach_root(root)
  end
  if workspace.client_id then
    vim.lsp.buf_attach_client(buf, workspace.client_id)
  end
end

--- Ends the server of a workspace and starts it again, also one that was given up.
---@param workspace wm.Workspace
function M.restart(workspace)
  workspace.crashes, checked, warned = {}, {}, {}
  workspace.state, workspace.problem = "starting", nil
  stop(workspace)
  M.attach_root(workspace.root)
end

--- Waits until the servers have ended, which Neovim has asked them to; those that do
--- not answer, or take too long, are killed.
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
