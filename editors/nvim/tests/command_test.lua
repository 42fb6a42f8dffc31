local env = require("env")

local function open()
  local root = env.open()
  env.wait_received("textDocument/didOpen")
  env.wait("the server ready", function()
    local _, workspace = next(require("wm.client").workspaces())
    return workspace.state == "running"
  end)
  return root
end

test("remember takes the text of the command, and a type", function()
  open()
  vim.cmd("WM remember Tabs are forbidden")
  env.equal({ text = "Tabs are forbidden", type = "project" }, env.wait_received("wm/memory/add"))
  env.wait_said("added (project): Tabs are forbidden")
  vim.cmd("WM remember type=decision We use SQLite")
  env.equal({ text = "We use SQLite", type = "decision" }, env.wait_received("wm/memory/add", 2))
end)

test("remember without the type that it announces says which there are", function()
  open()
  for i, written in ipairs({ "WM remember type=", "WM remember type= We use SQLite", "1WM remember type=" }) do
    vim.cmd(written)
    env.equal(
      "wm: type= must be one of project, feedback, decision, reference, or a type from the settings",
      env.said[i]
    )
  end
  env.equal({}, env.received("wm/memory/add"))
end)

test("what follows a subcommand is taken as it is written", function()
  open()
  for i, written in ipairs({ [[use \\d+ and \ , two  spaces]], [[a\ b | "c" % #]], [[\]] }) do
    vim.cmd("WM  remember  " .. written)
    env.equal(written, env.wait_received("wm/memory/add", i).text)
  end
  vim.cmd([[WM remember type=decision  two  \d]])
  env.equal({ text = [[two  \d]], type = "decision" }, env.wait_received("wm/memory/add", 4))
end)

test("remember takes the selection, and asks for the type", function()
  open()
  local types
  vim.ui.select = function(items, opts, callback)
    types = vim.tbl_map(opts.format_item, items)
    callback(items[4])
  end
  vim.api.nvim_win_set_cursor(0, { 1, 1 })
  env.press("vj:WM remember<CR>")
  env.equal({ text = "ne\ntw", type = "glossary", files = { "a.txt" } }, env.wait_received("wm/memory/add"))
  env.equal({ "Fact", "feedback", "decision: what was chosen", "glossary" }, types)
  vim.cmd("2,3WM remember type=feedback")
  env.equal({ text = "two\nthree", type = "feedback", files = { "a.txt" } }, env.wait_received("wm/memory/add", 2))
end)

test("remember without anything asks for a text", function()
  open()
  vim.ui.input = function(_, callback)
    callback("asked for")
  end
  vim.cmd("WM remember")
  env.equal({ text = "asked for", type = "project" }, env.wait_received("wm/memory/add"))
  vim.ui.input = function(_, callback)
    callback("reject what was asked for")
  end
  vim.cmd("WM remember")
  local buf = env.wait("the text that is not lost", function()
    local buf = vim.fn.bufnr("^wm://input")
    return buf ~= -1 and buf
  end)
  env.equal({ "reject what was asked for" }, vim.api.nvim_buf_get_lines(buf, 0, -1, false))
  vim.api.nvim_set_current_win(vim.fn.bufwinid(buf))
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, { "Another text" })
  vim.cmd.write()
  env.equal({ text = "Another text", type = "project" }, env.wait_received("wm/memory/add", 3))
  env.wait("the split closed", function()
    return not vim.api.nvim_buf_is_valid(buf)
  end)
end)

test("a picker that answers late answers for the file in which it was asked", function()
  local root = open()
  local types, answer
  vim.ui.select = function(items, _, callback)
    types, answer = items, callback
  end
  env.press("V:WM remember<CR>")
  env.wait("the question", function()
    return answer
  end)
  vim.cmd.edit(env.repository({ ["c.txt"] = "c\n" }) .. "/c.txt")
  env.wait_received("initialize", 2)
  answer(types[3])
  answer(types[2])
  env.equal({ text = "one", type = "decision", files = { "a.txt" } }, env.wait_received("wm/memory/add"))
  env.equal({ 1, root }, { #env.received("wm/memory/add"), require("wm.client").workspace_of_path(root).root })
end)

test("context shows exactly what an agent would receive", function()
  open()
  vim.cmd("WM context")
  env.wait("the context", function()
    return vim.api.nvim_buf_get_name(0):find("wm://context", 1, true)
  end)
  env.equal({ "<context>", "line two", "</context>" }, vim.api.nvim_buf_get_lines(0, 0, -1, false))
  env.equal(false, vim.bo.modifiable)
  vim.cmd("WM context")
  env.wait_received("wm/context", 2)
end)

--- Runs :WM doctor and returns its lines.
---@return string[]
local function doctor()
  vim.cmd("WM doctor")
  env.wait("the doctor", function()
    return vim.api.nvim_buf_get_name(0) == "wm://doctor"
  end)
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end

test("doctor shows where memory is kept and what is wrong", function()
  open()
  local lines = doctor()
  env.equal("store      /memory (healthy)", lines[3])
  env.equal({ "", "Problems:", "warning: the disk is small – buy another" }, vim.list_slice(lines, #lines - 2))
  env.equal(true, vim.wo.winbar:find("Doctor%=", 1, true) ~= nil)
end)

test("pause and resume", function()
  open()
  vim.cmd("WM pause 30")
  env.equal({ minutes = 30 }, env.wait_received("wm/pause"))
  env.wait_said("recording is paused until 2030-01-01 02:30")
  vim.cmd("WM resume")
  env.equal({ resume = true }, env.wait_received("wm/pause", 2))
  env.wait_said("recording resumed")
end)

test("a pause that is no number of minutes is refused", function()
  open()
  for i, given in ipairs({ "soon", "0", "-5", "inf", "nan", "1e300" }) do
    vim.cmd("WM pause " .. given)
    env.equal({ i, true }, { #env.said, env.said[i]:find("takes minutes", 1, true) ~= nil })
  end
  env.equal({}, env.received("wm/pause"))
end)

test("log opens what the server wrote, or says where it will be", function()
  open()
  local path = require("wm.client").log_path()
  vim.cmd("WM log")
  env.wait_said("there is no log yet; it will be written to ")
  env.write(path, "first\nlast\n")
  vim.cmd("WM log")
  env.equal({ path, 2 }, { vim.api.nvim_buf_get_name(0), vim.api.nvim_win_get_cursor(0)[1] })
end)

test("an unknown subcommand is answered in a line that asks for no Enter", function()
  open()
  vim.cmd("WM " .. ("dance"):rep(20))
  env.wait_said("is unknown; :WM <Tab> lists all")
  env.equal(true, vim.fn.strdisplaywidth(env.said[#env.said]) <= 68) -- v:echospace of 80 columns
end)

test("without a subcommand the panel opens and closes", function()
  open()
  vim.cmd("WM")
  env.equal(true, require("wm.panel").is_open())
  vim.cmd("WM")
  env.equal(false, require("wm.panel").is_open())
end)

test("an error of the server is shown as one line", function()
  open()
  require("wm.client").request(select(2, next(require("wm.client").workspaces())), "wm/none", {}, function(problem)
    require("wm.text").warn(problem)
  end)
  env.wait_said("no such thing\\nhere")
end)

test("completion knows subcommands and their arguments", function()
  local function complete(line)
    return vim.fn.getcompletion(line, "cmdline")
  end
  env.equal({ "remember", "restart", "resume" }, complete("WM re"))
  env.equal({ "type=decision" }, complete("WM remember type=d"))
  env.equal({ "decision" }, { complete("'<,'>WM remember type=d")[1]:match("type=(.*)") })
  env.equal({}, complete("WM remember type=decision x"))
  env.equal({ "15", "480", "60" }, complete("WM pause "))
  env.equal(16, #complete("WM "))
end)

test("completion of a note takes those that the panel knows, and asks nobody", function()
  open()
  local function note(path)
    local archive = { title = "Archive", method = "wm/notes/archive", params = { path = path } }
    return { id = path, icon = "note", label = path, actions = { archive } }
  end
  local folder = { id = "detail", icon = "folder", label = "detail", children = { note("detail/a.md") } }
  local sections = { { id = "notes", title = "Notes", show = "always", items = { note("overview.md"), folder } } }
  local function complete(line)
    return vim.fn.getcompletion(line, "cmdline")
  end
  env.equal({}, complete("WM archive "))
  env.panel({ seq = 1, badge = 0, sections = sections })
  vim.cmd("WM panel")
  env.wait("the panel", function()
    return env.panel_lines()[1] == "Notes"
  end)
  env.equal({ "detail/a.md", "overview.md" }, complete("WM archive "))
  env.equal({ "overview.md" }, complete("WM archive o"))
  env.equal({}, env.received("wm/notes/list"))
end)

test("what is said asks for no Enter, however long it is", function()
  open()
  vim.cmd("WM remember " .. ("häßlich "):rep(40))
  env.wait_said("added (project): häßlich")
  local said = env.said[#env.said]
  env.equal(
    { vim.v.echospace, "…" },
    { vim.fn.strdisplaywidth(said), vim.fn.strcharpart(said, vim.fn.strchars(said) - 1) }
  )
end)

test("health reports the binary, the servers and their problems", function()
  open()
  vim.cmd("checkhealth wm")
  local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  for _, part in ipairs({ "version 1.2.3", "memory in /memory", "the disk is small", "buy another" }) do
    env.equal({ part, true }, { part, report:find(part, 1, true) ~= nil })
  end
end)

test("health says what is missing", function()
  require("wm").setup({ cmd = { "/nowhere/wm-lsp" } })
  vim.cmd("checkhealth wm")
  local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  env.equal(true, report:find("/nowhere/wm-lsp was not found", 1, true) ~= nil)
end)

test("health says what to do about a server that does not answer", function()
  open()
  env.poke("test/silence")
  for _, timeout_ms in ipairs({ 50, env.patience }) do
    require("wm.config").current.timeout_ms = timeout_ms
    vim.cmd("checkhealth wm")
    local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
    env.equal(true, report:find("the server does not respond; :WM restart restarts it", 1, true) ~= nil)
    env.equal(true, report:find("- :WM restart", 1, true) ~= nil)
  end
end)

test("an answer that cannot be read is a failure like any other", function()
  open()
  vim.ui.select = function(items, options, callback)
    vim.tbl_map(options.format_item or tostring, items)
    callback(items[1])
  end
  local answers = { "null", "5", "true", '"text"', "[5]" }
  local fields = { "entries", "hits", "files", "sessions", "sections", "sizes", "problems", "store", "workspace" }
  for _, odd in ipairs({ "5", "[5]", "[null]", "[[5]]" }) do
    local pairs = vim.tbl_map(function(field)
      return ('"%s":%s'):format(field, odd)
    end, fields)
    local pressure =
      '"pressure":{"lastChecked":"2","percentage":[],"used":{},"history":[{"percentage":1},{"percentage":2},3]}'
    table.insert(answers, ('{%s,"pausedUntil":%s,%s}'):format(table.concat(pairs, ","), odd, pressure))
  end
  vim.v.errmsg = ""
  local asked = 0
  for _, answer in ipairs(answers) do
    env.answer(answer)
    for _, command in ipairs({
      "search words",
      "trace e1",
      "archive",
      "archive a.md",
      "overview",
      "session",
      "doctor",
      "context",
      "usage",
      "pause",
      "remember Tabs are forbidden",
    }) do
      vim.cmd("WM " .. command)
    end
    asked = asked + 1
    env.wait_received("wm/memory/add", asked)
    env.wait("all of it answered", function()
      return next(select(2, next(require("wm.client").workspaces())).waiting) == nil
    end)
  end
  env.equal("", vim.v.errmsg)
  env.wait_said("the server sent an invalid response")
  local log = table.concat(vim.fn.readfile(require("wm.client").log_path()), "\n")
  env.equal(true, log:find("attempt to index", 1, true) ~= nil)
end)

test("marks without a selection are lines", function()
  open()
  vim.cmd("1mark < | 2mark > | 1,2WM remember type=project")
  env.equal("one\ntwo", env.wait_received("wm/memory/add").text)
end)

test("what the doctor says is aligned by its longest name, also that nothing is wrong", function()
  open()
  env.answer(vim.json.encode({
    version = "1",
    workspace = { root = "/w", key = "k", resolvedBy = "git" },
    store = { path = "/memory", healthy = true },
    sessions = 1,
    retrieval = "lexical",
    sizes = { databaseBytes = 5, entries = 3 },
    problems = {},
  }))
  env.equal({
    "wm-lsp 1",
    "workspace      /w (k, by git)",
    "store          /memory (healthy)",
    "sessions       1",
    "retrieval      lexical",
    "databaseBytes  5",
    "entries        3",
    "",
    "No problems.",
  }, doctor())
end)

test("what fails after an answer is no failure of the picker", function()
  vim.ui.select = function(items, _, callback)
    callback(items[1])
  end
  local ok, failure = pcall(require("wm.ask").select, { "one" }, {}, function()
    error("it is this one", 0)
  end)
  env.equal({ false, "it is this one", {} }, { ok, failure, env.said })
end)

--- Waits until the program runs with some last arguments in a terminal that has the cursor.
---@param ... string
local function await_in_terminal(...)
  local wanted = { ... }
  env.wait(table.concat(wanted, " "), function()
    return vim.iter(env.received("started")):any(function(started)
      return vim.deep_equal(wanted, vim.list_slice(started.args, #started.args - #wanted + 1))
    end)
  end)
  env.equal("terminal", vim.bo.buftype)
end

test("an agent that is on this machine is connected in a terminal, by choice or by name", function()
  env.open()
  local shown
  vim.ui.select = function(items, options, callback)
    shown = vim.list_extend({ options.prompt }, vim.tbl_map(options.format_item, items))
    callback(items[1])
  end
  vim.cmd("WM connect")
  await_in_terminal("install", "claude-code")
  env.equal({ "Which agent is to use the memory?", "Claude Code", "Gemini CLI (connected)" }, shown)
  vim.cmd("close")
  shown = nil
  vim.cmd("WM connect codex")
  await_in_terminal("install", "codex")
  env.equal(nil, shown)
end)

test("a machine without agents says so, and a program that cannot list them", function()
  env.open("alone")
  vim.cmd("WM connect")
  env.wait_said("no agent was found here; :WM connect {name} connects one")
  vim.env.FAKE_MODE = "old"
  vim.cmd("WM connect")
  env.wait_said("the agents cannot be listed")
end)
