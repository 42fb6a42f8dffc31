local env = require("env")

--- Opens a file and waits for the server.
---@param mode? string
---@return string root
local function open(mode)
  local root = env.open(mode)
  env.wait_received("textDocument/didOpen")
  env.wait("the server running", function()
    local _, workspace = next(require("wm.client").workspaces())
    return workspace and workspace.state == "running"
  end)
  return root
end

--- Waits for a buffer and returns its lines.
---@param name string
---@return string[]
local function lines_of(name)
  return env.wait(name, function()
    local buf = vim.fn.bufnr("^" .. name .. "$")
    return buf ~= -1 and vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  end)
end

--- Answers questions with the given values, in order, and records the questions.
local function answer(choices, inputs)
  local asked = {}
  vim.ui.select = function(items, opts, callback)
    table.insert(asked, opts.prompt)
    local choice = table.remove(choices, 1)
    callback(type(choice) == "function" and choice(items, opts) or items[choice])
  end
  vim.ui.input = function(opts, callback)
    table.insert(asked, opts.prompt)
    callback(table.remove(inputs, 1))
  end
  return asked
end

local function search_window(title)
  for _, win in ipairs(vim.api.nvim_list_wins()) do
    local shown = vim.api.nvim_win_get_config(win).title
    if shown and shown[1][1]:find(title, 1, true) then
      return vim.api.nvim_win_get_buf(win), win
    end
  end
end

local function results()
  local buf = search_window("Enter: go there")
  return buf and vim.api.nvim_buf_get_lines(buf, 0, -1, false)
end

test("the words of a search are sent as they are written", function()
  open()
  answer({ 2 })
  vim.cmd([[WM search use  \d]])
  env.equal([[use  \d]], env.wait_received("wm/search").query)
end)

test("a search with words asks for one of the hits and goes to its file", function()
  open()
  vim.cmd("WM search nothing of the kind")
  env.wait_said("nothing that is remembered fits these words")
  local labels = {}
  local asked = answer({
    function(items, opts)
      labels = vim.tbl_map(opts.format_item, items)
      return items[1]
    end,
  })
  vim.cmd("WM search words")
  env.wait("the line of the file", function()
    return vim.api.nvim_buf_get_name(0) == vim.uv.fs_realpath(vim.env.FAKE_RECORD)
      and vim.api.nvim_win_get_cursor(0)[1] == 2
  end)
  env.equal({ "Memory" }, asked)
  env.equal(
    { "[notes · detail/a.md › A] found words", "[workspace · removed] found words" },
    vim.list_slice(labels, 1, 2)
  )
end)

test("a hit with a row in the panel is found there, another one has its details", function()
  local row = { id = "memory:r", kind = "memory", icon = "law", label = "the row", actions = {} }
  open()
  local section = { id = "memory", title = "Memory", show = "always", items = { row } }
  env.panel({ seq = 1, badge = 0, sections = { section } })
  answer({ 3, 2, 4 })
  vim.cmd("WM search words")
  env.wait("the row", function()
    return vim.bo.filetype == "wm-panel" and vim.api.nvim_get_current_line():find("the row", 1, true)
  end)
  vim.cmd("WM search words")
  env.equal({ "memory:gone", "", "more\\x1b about it", "", "in the cart" }, lines_of("wm://detail"))
  env.equal({ id = "memory:gone", full = true }, env.wait_received("wm/panel/resolve"))
  vim.cmd("WM search words")
  env.equal({ id = "core:g", full = true, sessionId = "o" }, env.wait_received("wm/panel/resolve", 2))
end)

test("a link in details leads to what it is about, and their actions are offered", function()
  open()
  answer({ 2, 1 })
  vim.cmd("WM search words")
  lines_of("wm://detail")
  env.press("a")
  env.equal({ id = "memory:gone" }, env.wait_received("wm/memory/remove"))
  env.press("G$<CR>")
  env.equal({ id = "session:a b", full = true }, env.wait_received("wm/panel/resolve", 2))
end)

test("a search follows what is typed, and Escape leaves nothing behind", function()
  open()
  local buf = vim.api.nvim_get_current_buf()
  vim.cmd("WM search")
  env.wait("all entries", function()
    return vim.deep_equal(
      results(),
      { "[Decision · claude-code] The parser is written by hand", "[Fact · person] Tests run\\x1b in parallel" }
    )
  end)
  local prompt = search_window("Search memory")
  local function type_in(query)
    vim.api.nvim_buf_set_lines(prompt, 0, -1, false, { query })
    vim.api.nvim_exec_autocmds("TextChangedI", { buffer = prompt })
  end
  type_in("nothing of it")
  env.wait("nothing", function()
    return vim.deep_equal(results(), { "Nothing that is remembered fits these words." })
  end)
  type_in("typed")
  env.wait("the server's hits", function()
    return (results() or {})[2] == "[workspace · removed] found typed"
  end)
  env.press("<Esc>")
  env.equal({ nil, buf, false }, { results(), vim.api.nvim_get_current_buf(), vim.api.nvim_buf_is_valid(prompt) })
end)

test("Enter in a search goes to the chosen hit", function()
  open()
  vim.cmd("WM search")
  env.wait("all entries", function()
    return #(results() or {}) == 2
  end)
  env.press("<C-n><C-n><C-n><CR>")
  env.equal({ id = "memory:e2", full = true }, env.wait_received("wm/panel/resolve"))
  env.equal(nil, results())
end)

test("a search ends when the cursor leaves it", function()
  open()
  vim.cmd("WM search")
  env.wait("the hits", function()
    return #(results() or {}) == 2
  end)
  local _, window = search_window("Enter: go there")
  env.equal(false, vim.api.nvim_win_get_config(window).focusable)
  vim.cmd.wincmd("p")
  env.wait("no window of it", function()
    return #vim.api.nvim_list_wins() == 1
  end)
end)

test("very long lines are cut before they are shown", function()
  open("long")
  local label
  answer({
    function(items, opts)
      label = opts.format_item(items[1])
    end,
  })
  vim.cmd("WM search long")
  env.wait("the picker", function()
    return label
  end)
  local cut = ("long "):rep(60) .. "…"
  env.equal("[notes · detail/a.md › A] " .. cut, label)
  vim.cmd("WM search")
  env.wait("the hit", function()
    return vim.deep_equal(results(), { "[Decision] " .. cut })
  end)
  local _, window = search_window("Enter: go there")
  env.equal(1, vim.api.nvim_win_text_height(window, {}).all)
  env.press("<Esc>")
  vim.cmd("WM context")
  env.equal({ ("long "):rep(2000) .. "…" }, lines_of("wm://context"))
end)

test("the trace of an entry is asked for by its text, or given", function()
  open()
  local asked = answer({ 2 })
  vim.cmd("WM trace")
  env.equal({ id = "e2" }, env.wait_received("wm/memory/explain"))
  env.equal({ "Trace of" }, asked)
  vim.cmd("WM trace e1")
  env.equal({ id = "e1" }, env.wait_received("wm/memory/explain", 2))
end)

test("the overview opens as a file, a note goes to the archive", function()
  local notes = vim.fn.tempname()
  vim.fn.mkdir(notes, "p")
  env.write(notes .. "/overview.md", "# what goes on\n")
  vim.env.FAKE_NOTES = notes
  open()
  vim.cmd("WM overview")
  env.wait("the overview", function()
    return vim.api.nvim_buf_get_name(0):find("overview.md", 1, true)
  end)
  env.equal({ "# what goes on" }, vim.api.nvim_buf_get_lines(0, 0, -1, false))
  vim.cmd("close")
  local offered
  answer({
    function(items)
      offered = items
      return items[1]
    end,
  })
  vim.cmd("WM archive")
  env.equal({ path = "overview.md", sessionId = "s1" }, env.wait_received("wm/notes/archive"))
  env.equal({ "overview.md" }, offered)
  env.wait_said("archived as archive/overview.md")
  vim.cmd("WM archive detail/a.md")
  env.equal({ path = "detail/a.md", sessionId = "s1" }, env.wait_received("wm/notes/archive", 2))
end)

test("what was archived can be undone", function()
  open()
  env.answer('{"path":"archive/a.md","undo":{"method":"wm/notes/restore","params":{"path":"archive/a.md"}}}')
  vim.cmd("WM archive a.md")
  env.wait_said("archived (u in the panel undoes it) as archive/a.md")
  vim.cmd("WM panel")
  env.press("u")
  env.wait_said("undone: Archive “a.md”")
  env.equal({ path = "archive/a.md" }, env.wait_received("wm/notes/restore"))
end)

test("all that looks at a session looks at the one that the panel shows, and only looks", function()
  open()
  vim.cmd("WM context")
  env.equal({ sessionId = "s1", preview = true }, env.wait_received("wm/context"))
  vim.cmd("WM usage")
  env.equal({ sessionId = "s1", preview = true }, env.wait_received("wm/context", 2))
  vim.cmd("WM overview")
  env.equal({ sessionId = "s1" }, env.wait_received("wm/notes/list"))
end)

test("the memory of another session is shown when it is chosen", function()
  open()
  env.panel({ seq = 1, badge = 0, sections = {} })
  vim.cmd("WM panel")
  env.equal({}, env.wait_received("wm/panel"))
  vim.cmd.wincmd("p")
  local labels
  answer({
    function(items, opts)
      labels = vim.tbl_map(opts.format_item, items)
      return items[3]
    end,
    1,
  })
  vim.cmd("WM session")
  env.equal({ sessionId = "s2" }, env.wait_received("wm/panel", 2))
  env.equal({ "the active session", "an agent (live, since 2030-01-01 12:31)", "another agent (ended)" }, labels)
  vim.cmd("WM context")
  env.equal({ sessionId = "s2", preview = true }, env.wait_received("wm/context"))
  vim.cmd.wincmd("p")
  vim.cmd("WM session")
  env.equal({}, env.wait_received("wm/panel", 3))
end)

test("the usage is drawn as a curve and a bar, and stays up to date", function()
  open()
  vim.o.number = true
  vim.cmd("WM usage")
  local lines = lines_of("wm://usage")
  env.equal(false, vim.wo.number)
  env.equal({
    "Context  80 % high  80,000 of 100,000 chars",
    "Advice: Compress.",
    "100 % ┤                    ",
    "      ┤               ▂▃▅▆█",
    "      ┤          ▂▃▅▆██████",
    "      ┤     ▂▃▅▆███████████",
    "  0 % ┤▂▃▅▆████████████████",
  }, vim.list_slice(lines, 1, 7))
  env.equal("       2030-01-01 12:31 – 2030-01-01 12:50", lines[8])
  env.equal({
    "What an agent is told  1,000 tokens",
    ("█"):rep(15) .. ("▓"):rep(42) .. ("▒"):rep(3),
    "█ How to use it          250 tokens   25 %",
    "▓ Project memory         700 tokens   70 %",
    "    left out: e9, over the limit",
    "    left out: 1,200 more",
    "▒ Advice                  50 tokens    5 %",
  }, vim.list_slice(lines, 10))
  vim.cmd.wincmd("p")
  local window = vim.api.nvim_get_current_win()
  env.poke("test/changed")
  env.wait_received("wm/context", 2)
  env.equal(window, vim.api.nvim_get_current_win())
end)

test("the usage is as wide as its window, however often that changes", function()
  open()
  vim.cmd("WM usage")
  local lines = lines_of("wm://usage")
  env.wait_received("wm/context")
  vim.cmd("topleft vnew | wincmd p")
  vim.wo.foldcolumn = "2"
  --- Returns the lines of the drawing for a width.
  local function drawn(width)
    vim.api.nvim_win_set_width(0, width)
    vim.api.nvim_exec_autocmds("WinResized", {})
    return lines_of("wm://usage")
  end
  env.equal({
    "Context  80 % high",
    "  80,000 of 100,000 chars",
    "Advice: Compress.",
    "100 % ┤                  ",
    "      ┤             ▂▃▅▆█",
    "      ┤        ▂▃▅▆██████",
    "      ┤   ▂▃▅▆███████████",
    "  0 % ┤▅▆████████████████",
    "       2030-01-01 12:33",
    " – 2030-01-01 12:50",
    "",
    "What an agent is told",
    "  1,000 tokens",
    ("█"):rep(6) .. ("▓"):rep(18) .. "▒",
    "█ How to use it     ",
    "     250 tokens   25 %",
    "▓ Project memory    ",
    "     700 tokens   70 %",
    "    left out: e9, over the limit",
    "    left out: 1,200 more",
    "▒ Advice            ",
    "      50 tokens    5 %",
  }, drawn(27))
  local bar = ("█"):rep(5) .. ("▓"):rep(14) .. "▒"
  env.equal({ true, true }, { vim.list_contains(drawn(22), bar), vim.list_contains(drawn(3), bar) })
  env.equal(lines, drawn(70))
  env.equal({ true, 1 }, { vim.wo.wrap, #env.received("wm/context") })
end)

test("the usage shows what the whole window holds, as far as the host reports it", function()
  open()
  local pressure = { used = 60, limit = 100, percentage = 60, level = "safe", unit = "tokens", lastChecked = "2" }
  local window = {
    { id = "memory", label = "this memory", size = 10 },
    { id = "system", label = "system", size = 20 },
    { id = "tools", label = "tools", size = 0 },
    { id = "rest", label = "the rest", size = 30 },
    { id = "free", label = "free", size = 40 },
  }
  local sections = { { id = "guide", label = "Guide", tokens = 10 }, { id = "meta", label = "Advice", tokens = 0 } }
  env.answer(vim.json.encode({ tokens = 10, sections = sections, pressure = pressure, window = window }))
  vim.cmd("WM usage")
  env.equal({
    "Context  60 % safe  60 of 100 tokens",
    "",
    "The whole window  100 tokens",
    ("█"):rep(6) .. ("▓"):rep(12) .. ("▒"):rep(18) .. ("░"):rep(24),
    "█ this memory                    10 tokens   10 %",
    "▓ system                         20 tokens   20 %",
    "▒ the rest                       30 tokens   30 %",
    "░ free                           40 tokens   40 %",
    "",
    "What an agent is told  10 tokens",
    ("█"):rep(60),
    "█ Guide                   10 tokens  100 %",
  }, lines_of("wm://usage"))
end)

test("the curve leaves hours without a report out, and says so", function()
  open()
  local history = {}
  for i, time in ipairs({ "08:00:00", "08:10:00", "12:10:00", "12:12:00", "12:32:00", "12:33:00" }) do
    table.insert(history, { at = ("2030-01-01T%sZ"):format(time), percentage = i * 15 })
  end
  local pressure = { used = 90, limit = 100, percentage = 90, level = "high", unit = "tokens", lastChecked = "2" }
  pressure.history = history
  env.answer(vim.json.encode({ tokens = 0, sections = {}, pressure = pressure }))
  vim.cmd("WM usage")
  env.equal({
    "100 % ┤  ┊  ┊ ▄",
    "      ┤  ┊  ┊▆█",
    "      ┤  ┊▂█┊██",
    "      ┤ ▄┊██┊██",
    "  0 % ┤▆█┊██┊██",
    "       2030-01-01 10:30 – 2030-01-01 15:03   ┊ 4 h without a report",
  }, vim.list_slice(lines_of("wm://usage"), 2, 7))
end)

test("the usage says that no agent has reported any", function()
  open()
  local pressure = { used = 0, limit = 180000, percentage = 0, level = "safe", unit = "chars", lastChecked = "" }
  env.answer(vim.json.encode({ tokens = 0, sections = {}, pressure = pressure }))
  vim.cmd("WM usage")
  env.equal({ "No agent has reported how full its context is.", "" }, vim.list_slice(lines_of("wm://usage"), 1, 2))
end)

test("the context stays up to date where it is shown, and its window is the same", function()
  open()
  vim.cmd("WM context")
  env.equal({ "<context>", "line two", "</context>" }, lines_of("wm://context"))
  local window = vim.fn.bufwinid("wm://context")
  env.poke("test/changed")
  env.wait_received("wm/context", 2)
  env.equal(window, vim.fn.bufwinid("wm://context"))
  vim.cmd("close")
  env.poke("test/changed")
  env.poke("test/last")
  env.wait_received("test/last")
  env.equal(2, #env.received("wm/context"))
end)

test("curves and bars hold whatever numbers come", function()
  local usage = require("wm.usage")
  env.equal("", usage.sparkline({ { percentage = 5 } }))
  env.equal(
    "▁▁▄██",
    usage.sparkline({
      { percentage = -5 },
      { percentage = 0 },
      { percentage = 50 },
      { percentage = 100 },
      { percentage = 1e9 },
      { percentage = vim.NIL },
      {},
    })
  )
  env.equal("", usage.sparkline(vim.NIL))
  for _, case in ipairs({
    { {}, {} },
    { { 0, 0 }, { 0, 0 } },
    { { 1, 1 }, { 5, 5 } },
    { { 1, 1e6 }, { 1, 9 } },
    { { 7 }, { 10 } },
  }) do
    env.equal(case[2], usage.shares(case[1], 10))
  end
end)

test("an error of the line is remembered with its fix and a type", function()
  open()
  vim.diagnostic.set(vim.api.nvim_create_namespace("other"), 0, {
    { lnum = 0, col = 0, message = "here", severity = 1 },
    { lnum = 1, col = 0, message = "elsewhere", severity = 1 },
  })
  local asked = answer({ 3 }, { "turn it off and on" })
  vim.cmd("WM error")
  env.equal({
    command = "wm.remember",
    arguments = { { text = "Error: here", fix = "turn it off and on", type = "decision" } },
  }, env.wait_received("workspace/executeCommand"))
  env.equal({ "How is it fixed? ", "Type" }, asked)
  vim.api.nvim_win_set_cursor(0, { 3, 0 })
  vim.cmd("WM error")
  env.wait_said("there is no error on this line")
end)

test("a fix that was typed is not lost", function()
  open()
  vim.diagnostic.set(vim.api.nvim_create_namespace("other"), 0, { { lnum = 0, col = 0, message = "here" } })
  local function draft()
    local buf = vim.fn.bufnr("^wm://input")
    return buf ~= -1 and { buf, vim.wo[vim.fn.bufwinid(buf)].winbar, vim.api.nvim_buf_get_lines(buf, 0, -1, false)[1] }
  end
  answer({ 9, 1 }, { "reject it" }) -- no type at first
  vim.cmd("WM error")
  local shown = env.wait("the fix", draft)
  env.equal({ true, "reject it" }, { shown[2]:find("no type was chosen", 1, true) ~= nil, shown[3] })
  vim.api.nvim_set_current_win(vim.fn.bufwinid(shown[1]))
  vim.cmd.write()
  env.wait("the refusal", function()
    return draft()[2]:find("rejected, too-long", 1, true)
  end)
end)

test("what was remembered can be undone, also an error and without the panel open", function()
  open()
  local client = require("wm.client")
  local request, answered = client.request, 0
  client.request = function(workspace, method, params, callback)
    request(workspace, method, params, function(problem, result, reason)
      if method == "wm/memory/add" or method == "workspace/executeCommand" then
        result.entry = { text = params.text or params.arguments[1].text, detail = "Fact · person" }
        result.undo = { method = "wm/memory/remove", params = { id = result.entry.text } }
      end
      callback(problem, result, reason)
      answered = answered + 1
    end)
  end
  vim.cmd("WM remember By hand")
  env.wait_said("added (Fact), u in the panel undoes it: By hand")
  vim.diagnostic.set(vim.api.nvim_create_namespace("other"), 0, { { lnum = 0, col = 0, message = "here" } })
  answer({ 1 }, { "" })
  vim.cmd("WM error")
  env.wait("all answers", function()
    return answered == 4
  end)
  vim.cmd("WM panel")
  env.press("u")
  env.wait_said("undone: Remember “Error: here”")
  env.press("u")
  env.wait_said("undone: Remember “By hand”")
  env.equal({ { id = "Error: here" }, { id = "By hand" } }, {
    env.wait_received("wm/memory/remove"),
    env.wait_received("wm/memory/remove", 2),
  })
end)

test("an answer that is none is no error of the plugin", function()
  open()
  local client = require("wm.client")
  client.request = function(_, _, _, callback)
    callback(nil, vim.NIL)
  end
  vim.cmd("WM remember By hand")
  env.wait_said(" (project): By hand")
end)

test("a code action of the server asks for what it leaves open", function()
  open()
  local _, workspace = next(require("wm.client").workspaces())
  local asked = answer({ 1 }, {})
  local command = { command = "wm.remember", arguments = { { uri = "file:///a", range = {} } } }
  vim.lsp.get_client_by_id(workspace.client_id).commands["wm.remember"](command)
  local sent = env.wait_received("workspace/executeCommand").arguments[1]
  env.equal({ { "Type" }, "project" }, { asked, sent.type })
end)

test("files that get another name and lose the old one are renamed, deleted ones are deleted", function()
  local root = open()
  vim.cmd.saveas(root .. "/new.txt")
  vim.uv.fs_unlink(root .. "/a.txt")
  vim.cmd.write()
  local params = env.wait_received("workspace/didRenameFiles")
  env.equal({
    files = { { oldUri = vim.uri_from_fname(root .. "/a.txt"), newUri = vim.uri_from_fname(root .. "/new.txt") } },
  }, params)
  vim.cmd.saveas(root .. "/copy.txt")
  vim.cmd.write()
  vim.api.nvim_exec_autocmds("User", {
    pattern = "MiniFilesActionRename",
    data = { from = root .. "/b.txt", to = root .. "/c.txt" },
  })
  params = env.wait_received("workspace/didRenameFiles", 2)
  env.equal(vim.uri_from_fname(root .. "/c.txt"), params.files[1].newUri)
  vim.api.nvim_exec_autocmds("User", {
    pattern = "OilActionsPost",
    data = { actions = { { type = "delete", url = "oil://" .. root .. "/c.txt" } } },
  })
  params = env.wait_received("workspace/didDeleteFiles")
  env.equal({ files = { { uri = vim.uri_from_fname(root .. "/c.txt") } } }, params)
  require("wm").deleted("/outside/of/it")
  env.equal({ 2, 1 }, { #env.received("workspace/didRenameFiles"), #env.received("workspace/didDeleteFiles") })
end)

test("the statusline says nothing but what waits for a person", function()
  local wm = require("wm")
  env.equal({ "", "" }, { wm.statusline(), wm.status() })
  open()
  env.equal({ 0, 0 }, { #env.received("wm/panel"), #env.received("wm/status") })
  env.panel({ seq = 1, badge = 2, sections = {}, pressure = { percentage = 72.6, level = "moderate" } })
  env.equal("wm", wm.status())
  env.wait("the status", function()
    return wm.status() == "wm 2 to review 72 % moderate"
  end)
  env.equal("%@v:lua.require'wm.status'.click@wm 2 to review 72 %% moderate%X", wm.statusline())
  env.equal("wm 2 to review 72 % moderate", vim.api.nvim_eval_statusline(wm.statusline(), {}).str)
  require("wm.status").click()
  env.wait_said("recording is paused until 2030-01-01 02:30")
  env.equal("wm paused 2 to review 72 % moderate", wm.status())
  require("wm.status").click()
  env.equal({ resume = true }, env.wait_received("wm/pause", 2))
  env.wait("recording resumed", function()
    return wm.status() == "wm 2 to review 72 % moderate"
  end)
end)

test("a click on a statusline is about the memory of its window", function()
  open()
  local window = vim.api.nvim_get_current_win()
  vim.cmd.split(env.repository({ ["c.txt"] = "c\n" }, "other") .. "/c.txt")
  env.wait_received("textDocument/didOpen", 2)
  vim.fn.getmousepos = function()
    return { winid = window }
  end
  require("wm.status").click()
  env.wait_received("wm/pause")
  env.equal("repo", env.received("wm/pause")[1].folder)
end)

test("the head of the panel says until when nothing is recorded", function()
  vim.o.columns = 120
  open()
  vim.cmd("WM panel")
  local function head()
    local window = vim.fn.bufwinid("wm://panel")
    local shown = vim.api.nvim_eval_statusline(vim.wo[window].winbar, { winid = window, use_winbar = true })
    return vim.trim(shown.str:gsub("%s+", " "))
  end
  local client = require("wm.client")
  local request, paused_until = client.request, nil
  client.request = function(workspace, method, params, callback)
    request(workspace, method, params, function(problem, result)
      if method == "wm/status" then
        result.pausedUntil = paused_until
      end
      callback(problem, result)
    end)
  end
  env.equal("Working memory ? help", head())
  paused_until = "2030-01-01T00:00:00Z"
  env.poke("test/changed")
  env.wait("the pause", function()
    return head() == "Working memory paused until 2030-01-01 02:30 ? help"
  end)
  vim.api.nvim_win_set_width(vim.fn.bufwinid("wm://panel"), 30)
  env.equal("<until 2030-01-01 02:30 ? help", head())
  paused_until = nil
  env.poke("test/changed")
  env.wait("recording resumed", function()
    return head() == "Working memory ? help"
  end)
end)

test("the statusline itself says when the pause has ended", function()
  local wm = require("wm")
  vim.env.FAKE_PAUSE = "3"
  open()
  local drawn = {}
  vim.cmd.redrawstatus = function()
    table.insert(drawn, wm.status())
  end
  wm.status()
  env.wait("the status", function()
    return #drawn == 1
  end)
  require("wm.status").click()
  env.wait("the statusline drawn again", function()
    return #drawn == 3
  end)
  env.equal({ "wm", "wm paused", "wm" }, drawn)
end)

test("the statusline shows a server that failed", function()
  env.open("hang", { timeout_ms = 100 })
  local wm = require("wm")
  env.wait("it failed", function()
    return wm.status() == "wm !"
  end)
end)
