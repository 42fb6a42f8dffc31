local env = require("env")
local client = require("wm.client")

test("the server is started for the repository, with capability, settings and file", function()
  local root = env.open(nil, { settings = { memory = { maxEntries = 3 } } })
  local params = env.wait_received("initialize")
  env.equal({ notifications = true }, params.capabilities.experimental.workingMemory)
  env.equal({ memory = { maxEntries = 3 } }, params.initializationOptions)
  env.equal(vim.uri_from_fname(root), params.workspaceFolders[1].uri)
  env.equal(1, #params.workspaceFolders)
  env.equal(vim.uri_from_fname(root .. "/a.txt"), env.wait_received("textDocument/didOpen").textDocument.uri)
  local args = table.concat(env.received("started")[1].args, " ")
  env.equal(true, args:find("--log-file " .. client.log_path(), 1, true) ~= nil)
end)

test("files of one repository share a server, those of another have their own", function()
  local root = env.open()
  vim.cmd.edit(root .. "/b.txt")
  env.wait_received("textDocument/didOpen", 2)
  local other = env.repository({ ["sub/c.txt"] = "c\n" })
  vim.cmd.edit(other .. "/sub/c.txt")
  env.wait_received("textDocument/didOpen", 3)
  env.equal(2, #env.received("initialize"))
  env.equal({ root, other }, {
    client.workspace_of_path(root .. "/b.txt").root,
    client.workspace_of_path(other .. "/sub/c.txt").root,
  })
end)

test("what is only shown is not read: a glance, a preview, a diff; what is edited there is", function()
  local looks = require("wm.looks")
  looks.SECOND_MS = 30
  local root = env.open()
  env.wait_received("textDocument/didOpen")
  for _, name in ipairs({ "glance", "preview", "read", "diff" }) do
    env.write(root .. "/" .. name, name .. "\n")
  end
  local function opened(count)
    return vim.uri_to_fname(env.wait_received("textDocument/didOpen", count).textDocument.uri):match("[^/]+$")
  end
  vim.cmd.edit(root .. "/glance")
  vim.cmd.pedit(root .. "/preview")
  vim.cmd.edit(root .. "/read")
  env.equal("read", opened(2))
  vim.cmd("wincmd P")
  env.equal("preview", vim.fn.expand("%:t"))
  local waited = false
  vim.defer_fn(function()
    waited = true
  end, 10 * looks.SECOND_MS)
  env.wait("a look at the preview", function()
    return waited
  end)
  vim.cmd("pclose")
  vim.cmd.tabedit(root .. "/diff")
  vim.cmd.diffthis()
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { "edited" })
  vim.api.nvim_exec_autocmds("TextChanged", { buffer = 0 }) -- as after the keys of a user
  env.equal("diff", opened(3))
end)

test("what is no file is not sent", function()
  local root = env.open(nil, { max_bytes = 100 })
  env.write(root .. "/big.txt", ("x"):rep(101))
  env.wait_received("textDocument/didOpen")
  vim.cmd.edit(root .. "/big.txt")
  vim.cmd.edit("scheme://host/path")
  vim.cmd.edit(root)
  vim.cmd.enew()
  vim.bo.buftype = "nofile"
  vim.cmd.edit(root .. "/b.txt")
  env.equal(vim.uri_from_fname(root .. "/b.txt"), env.wait_received("textDocument/didOpen", 2).textDocument.uri)
  env.equal(2, #env.received("textDocument/didOpen"))
end)

test("a missing server gives one message with the next step", function()
  local root = env.repository({ ["a.txt"] = "", ["b.txt"] = "" })
  require("wm").setup({ cmd = { "/nowhere/wm-lsp" } })
  vim.cmd.edit(root .. "/a.txt")
  env.wait_said("/nowhere/wm-lsp was not found; see :checkhealth wm")
  vim.cmd.edit(root .. "/b.txt")
  vim.cmd("WM panel")
  env.wait("the panel saying it", function()
    return env.panel_lines()[1]
      == "/nowhere/wm-lsp was not found; put it on your PATH (make install) or set its path: "
        .. 'require("wm").setup{ cmd = { "/path/to/wm-lsp" } }'
  end)
  env.equal(1, #env.said)
end)

test("a program that is something else is not started", function()
  local root = env.repository({ ["a.txt"] = "" })
  require("wm").setup({ cmd = { "/bin/echo" } })
  vim.cmd.edit(root .. "/a.txt")
  env.wait_said("is not a working wm-lsp")
  env.equal({}, vim.lsp.get_clients())
end)

test("a program that cannot be run gives a message", function()
  local root = env.repository({ ["a.txt"] = "", ["wm-lsp"] = "no program" })
  vim.uv.fs_chmod(root .. "/wm-lsp", 493)
  require("wm").setup({ cmd = { root .. "/wm-lsp" } })
  vim.cmd.edit(root .. "/a.txt")
  env.wait_said("is not a working wm-lsp")
end)

--- Waits until the server is being started. An editor that blocks on it never gets
--- here.
local function wait_starting()
  env.wait("the server being started", function()
    local _, workspace = next(client.workspaces())
    return workspace and workspace.state == "starting"
  end)
end

test("a program that hangs at --version does not freeze the editor", function()
  env.open("mute", { timeout_ms = 2500 })
  wait_starting()
  vim.cmd("WM panel")
  env.equal({ { "The server is starting …" }, {} }, { env.panel_lines(), env.said })
  env.wait_said("does not respond to --version")
end)

test("a server that hangs does not freeze the editor", function()
  env.open("hang", { timeout_ms = 2500 })
  wait_starting()
  vim.cmd("WM panel")
  env.equal({ { "The server is starting …" }, {} }, { env.panel_lines(), env.said })
  vim.cmd("WM doctor")
  env.wait_said("the server is starting; try again")
  env.wait_said("the server does not respond")
  env.equal(1, vim.iter(env.panel_lines()):join(""):find("the server does not respond", 1, true))
end)

test("a server that hangs after its start is reported until it answers again", function()
  env.open()
  env.wait_received("textDocument/didOpen")
  vim.cmd("WM panel")
  env.wait_received("wm/panel")
  local status = require("wm").status
  env.wait("the status", function()
    return status() == "wm"
  end)
  env.poke("test/silence")
  require("wm.config").current.timeout_ms = 50
  vim.cmd("WM remember Tabs are forbidden")
  env.wait_said("the server does not respond; :WM restart restarts it")
  env.equal(1, vim.iter(env.panel_lines()):join(""):find("the server does not respond", 1, true))
  env.equal("wm !", status())
  require("wm.config").current.timeout_ms = env.patience
  env.panel({ seq = 2, badge = 0, sections = { { id = "m", title = "After it", show = "always", items = {} } } })
  env.poke("test/answer")
  env.wait("the panel of the server that answers", function()
    return env.panel_lines()[1] == "After it"
  end)
  env.equal("wm", status())
  env.equal(1, #vim.tbl_filter(function(said)
    return said:find("Tabs are forbidden", 1, true) or said:find("does not respond", 1, true)
  end, env.said))
end)

test("what a server that ends has not answered is told at once", function()
  env.open()
  env.wait_received("textDocument/didOpen")
  env.poke("test/silence")
  vim.cmd("WM remember Tabs are forbidden")
  env.poke("test/crash")
  env.wait_said("the server has just exited; try again")
end)

test("a server without the memory's methods is refused", function()
  env.open("old")
  env.wait_said("another version of the protocol")
end)

test("a server that crashes is started again and gets its files", function()
  env.open()
  env.wait_received("textDocument/didOpen")
  env.poke("test/crash")
  env.wait_received("textDocument/didOpen", 2)
  env.equal(2, #env.received("started"))
end)

test("a server that keeps crashing is given up after five restarts", function()
  env.open("crash")
  env.wait_said("the server keeps exiting (exit code 3); see :WM log, :WM restart")
  env.equal(6, #env.received("started"))
  env.equal(1, #env.said)
  vim.cmd("WM log")
  env.equal(true, vim.api.nvim_get_current_line():find('msg="the server exited" how="exit code 3"', 1, true) ~= nil)
  vim.cmd("close")
  vim.env.FAKE_MODE = nil
  vim.cmd("WM restart")
  env.wait_received("textDocument/didOpen", #env.received("textDocument/didOpen") + 1)
end)

test("a server that sends garbage is given up", function()
  env.open("garbage", { timeout_ms = 2000 })
  env.wait_said("the server does not respond")
end)

test("restart ends the old server and starts a new one", function()
  env.open()
  env.wait_received("textDocument/didOpen")
  vim.cmd("WM restart")
  env.wait_received("textDocument/didOpen", 2)
  env.wait("one server", function()
    return #vim.lsp.get_clients({ name = "wm" }) == 1
  end)
  env.equal(1, #env.received("shutdown"))
end)

test("a restart starts another server also when the first one has just responded to initialize", function()
  local root = env.repository({ ["a.txt"] = "one\n" })
  env.setup()
  env.know_version()
  vim.cmd.edit(root .. "/a.txt")
  client.attach_root(root)
  local function has_responded()
    return #env.received("test/initialized") > 0
  end
  env.equal(true, (vim.wait(env.patience, has_responded, 5, true))) -- the callback of the response waits meanwhile
  vim.cmd("WM restart")
  env.wait("the other server", function()
    local workspace, second = client.workspaces()[root], env.received("started")[2]
    return client.client_of(workspace) and second and workspace.process.pid == second.pid
  end)
end)

test("what a former start finds out about the program stops no restart", function()
  local answers = {}
  client.check = function(_, callback)
    table.insert(answers, callback)
  end
  env.open()
  env.wait("the first check", function()
    return answers[1]
  end)
  vim.cmd("WM restart")
  answers[1]("it does not respond to --version")
  answers[2](nil, "1.2.3")
  env.wait_received("textDocument/didOpen")
  env.equal({ "wm: restarting the server" }, env.said)
end)

--- Reports whether a process exists.
---@param pid integer
local function lives(pid)
  return vim.uv.kill(pid, 0) == 0
end

test("restart ends a server that hangs, and nobody waits for it meanwhile", function()
  env.open()
  env.wait_received("textDocument/didOpen")
  local hung = env.received("started")[1].pid
  vim.uv.kill(hung, "sigstop")
  client.GRACE_MS = 100
  vim.cmd("WM restart")
  env.equal({ {}, true }, { vim.lsp.get_clients({ bufnr = 0 }), lives(hung) })
  env.wait("its process gone", function()
    return not lives(hung)
  end)
  env.wait("the new server alone", function()
    local clients = vim.lsp.get_clients()
    return #clients == 1 and clients[1].attached_buffers[vim.api.nvim_get_current_buf()]
  end)
  env.equal(true, lives(env.received("started")[2].pid))
end)

test("a server that hangs at its start is ended", function()
  env.open("hang", { timeout_ms = 2500 })
  client.GRACE_MS = 100
  vim.uv.kill(
    env.wait("the server", function()
      return env.received("started")[1]
    end).pid,
    "sigstop"
  )
  env.wait_said("the server does not respond")
  env.wait("its process gone", function()
    return not lives(env.received("started")[1].pid)
  end)
end)

test("what the editor asks a server that ends is answered", function()
  env.open()
  env.wait_received("textDocument/didOpen")
  env.poke("test/silence")
  local answers
  vim.lsp.buf_request_all(0, "textDocument/hover", vim.lsp.util.make_position_params(0, "utf-16"), function(all)
    answers = all
  end)
  env.poke("test/crash")
  env.wait("an answer", function()
    return answers
  end)
end)

test("a callback of another plugin that fails stops no restart, and is told", function()
  env.open()
  env.wait_received("textDocument/didOpen")
  env.poke("test/silence")
  for _ = 1, 3 do
    vim.lsp.buf_request(0, "textDocument/hover", vim.lsp.util.make_position_params(0, "utf-16"), function(_, result)
      return result.contents
    end)
  end
  vim.v.errmsg = ""
  require("wm.client").restart(select(2, next(client.workspaces())))
  env.wait_received("textDocument/didOpen", 2)
  env.equal(true, vim.v.errmsg:find("client_test.lua", 1, true) ~= nil)
end)

test("a callback of another plugin that fails stops no start after a crash", function()
  env.open()
  env.wait_received("textDocument/didOpen")
  env.poke("test/silence")
  vim.lsp.buf_request(0, "textDocument/hover", vim.lsp.util.make_position_params(0, "utf-16"), function(_, result)
    return result.contents
  end)
  env.poke("test/crash")
  env.wait_received("textDocument/didOpen", 2)
end)

test("a callback of another plugin that fails hides no server that does not answer", function()
  env.open()
  env.wait_received("textDocument/didOpen")
  env.poke("test/silence")
  require("wm.config").current.timeout_ms = 50
  vim.lsp.buf_request(0, "textDocument/hover", vim.lsp.util.make_position_params(0, "utf-16"), function(_, result)
    return result.contents
  end)
  env.wait("the server known to be silent", function()
    return select(2, next(client.workspaces())).state == "silent"
  end)
end)

--- Opens a file with the fake server as the child of a script.
---@param mode? string
---@param timeout_ms? integer
---@return integer pid of the server
local function open_below_script(mode, timeout_ms)
  local root = env.repository({ ["a.txt"] = "one\n", ["wm-lsp"] = '#!/bin/sh\n"$@"\nexit $?\n' })
  vim.uv.fs_chmod(root .. "/wm-lsp", 493)
  env.setup(mode)
  local cmd = vim.list_extend({ root .. "/wm-lsp" }, require("wm.config").current.cmd)
  require("wm").setup({ cmd = cmd, timeout_ms = timeout_ms or env.patience })
  env.know_version()
  vim.cmd.edit(root .. "/a.txt")
  return env.wait("the server", function()
    return env.received("started")[1]
  end).pid
end

test("a server that hangs below a script is killed with it", function()
  local hung = open_below_script()
  env.wait_received("textDocument/didOpen")
  vim.uv.kill(hung, "sigstop")
  client.GRACE_MS = 100
  vim.cmd("WM restart")
  env.wait("its process gone", function()
    return not lives(hung)
  end)
end)

test("a server that hangs below a script at its start is killed with it", function()
  local hung = open_below_script("hang", 2500)
  vim.uv.kill(hung, "sigstop")
  client.GRACE_MS = 100
  env.wait_said("the server does not respond")
  env.wait("its process gone", function()
    return not lives(hung)
  end)
end)

test("a server that hangs below a script ends with the editor", function()
  local path = vim.fn.tempname()
  local program = [[
    package.path = arg[1]
    local env, pid = require("env"), nil
    local root = env.repository({ ["a.txt"] = "one\n", ["wm-lsp"] = '#!/bin/sh\n"$@"\nexit $?\n' })
    vim.uv.fs_chmod(root .. "/wm-lsp", 493)
    env.setup()
    table.insert(require("wm.config").current.cmd, 1, root .. "/wm-lsp")
    vim.cmd.edit(root .. "/a.txt")
    env.wait_received("textDocument/didOpen")
    pid = env.received("started")[1].pid
    vim.uv.kill(pid, "sigstop")
    io.stdout:write(pid)
    vim.cmd.qall()
  ]]
  env.write(path, program)
  local child = vim
    .system({ vim.v.progpath, "--headless", "--clean", "-l", path, package.path }, { text = true })
    :wait()
  local pid = tonumber(child.stdout)
  env.equal({ 0, "number" }, { child.code, type(pid) })
  env.wait("its process gone", function()
    return not lives(pid --[[@as integer]])
  end)
end)

test("a program that hangs below a script at --version is killed with it", function()
  local root = env.repository({ ["a.txt"] = "one\n", ["wm-lsp"] = "#!/bin/sh\nsleep 1000 &\necho $! >&2\nwait\n" })
  vim.uv.fs_chmod(root .. "/wm-lsp", 493)
  local system, hung = vim.system, nil
  vim.system = function(cmd, options, callback)
    options.stderr = function(_, pid)
      hung = hung or tonumber(pid)
    end
    local process = system(cmd, options, callback)
    env.wait("what it starts", function() -- before the timeout begins
      return hung
    end)
    return process
  end
  require("wm").setup({ cmd = { root .. "/wm-lsp" }, timeout_ms = 2500 })
  vim.cmd.edit(root .. "/a.txt")
  env.wait_said("does not respond to --version")
  env.wait("its process gone", function()
    return hung and not lives(hung)
  end)
end)

test("a file without a repository stays with its server when the current directory changes", function()
  local folder = vim.uv.fs_realpath(vim.fn.fnamemodify(vim.fn.tempname(), ":h"))
  env.write(folder .. "/loose.txt", "one\n")
  env.setup()
  vim.cmd.cd(folder)
  vim.cmd.edit("loose.txt")
  env.wait_received("textDocument/didOpen")
  vim.cmd.cd("/")
  local buf = vim.api.nvim_get_current_buf()
  env.equal(folder, client.workspace_of(buf).root)
  vim.cmd.write()
  client.attach(buf)
  env.equal({ folder }, vim.tbl_keys(client.workspaces()))
end)

test("a restart without a file of the project says what to do", function()
  env.open()
  env.wait_received("textDocument/didOpen")
  vim.cmd("WM panel")
  env.wait_received("wm/panel")
  vim.cmd("wincmd t | enew | bwipeout #")
  vim.cmd("WM restart")
  local what = "no file of this project is open; open one to start the server"
  env.equal({ { "wm: " .. what }, what }, { env.said, vim.iter(env.panel_lines()):join("") })
end)

test("the name of the server is a name or a path, nothing that is run", function()
  vim.env.WM_TEST_FOLDER = vim.fs.dirname(vim.v.progpath)
  local touched = vim.fn.tempname()
  for cmd, found in pairs({
    [""] = false,
    ["%"] = false,
    ["*"] = false,
    ["`touch " .. touched .. "`"] = false,
    ["$WM_TEST_FOLDER/nvim"] = vim.v.progpath,
    ["~/wm-lsp"] = false,
  }) do
    require("wm.config").current.cmd = { cmd }
    local command, problem = client.find()
    env.equal({ cmd, found, found == false }, { cmd, command and command[1] or false, problem ~= nil })
  end
  env.equal(0, vim.fn.filereadable(touched))
end)
