local env = require("env")

---@param id string
---@param fields? table
local function item(id, fields)
  return vim.tbl_extend("force", { id = id, kind = "memory", icon = "x", label = id, actions = {} }, fields or {})
end

---@param seq integer
---@param items table[]
---@param fields? table
local function memories(seq, items, fields)
  local section = { id = "memory", title = "Workspace memory", show = "always", items = items, empty = "Nothing yet." }
  return { seq = seq, badge = 0, sections = { vim.tbl_extend("force", section, fields or {}) } }
end

--- Opens the panel beside an open file and shows the given panel.
local function show(panel)
  env.panel(panel)
  env.wait_received("textDocument/didOpen")
  vim.cmd("WM panel")
  env.wait("the panel painted", function()
    return vim.iter(env.panel_lines()):any(function(line)
      return line:find(panel.sections[1].title, 1, true) ~= nil
    end)
  end)
end

--- Opens a file and the panel, which shows the given panel.
---@return string root
local function open(panel)
  local root = env.open()
  show(panel)
  return root
end

--- Changes the panel and notifies the plugin, as the server does.
local function change(panel)
  local asked = #env.received("wm/panel")
  env.panel(panel)
  env.poke("test/changed")
  env.wait_received("wm/panel", asked + 1)
end

--- Moves the cursor to the line that contains a text.
local function go(part)
  for line, content in ipairs(env.panel_lines()) do
    if content:find(part, 1, true) then
      return vim.api.nvim_win_set_cursor(vim.fn.bufwinid("wm://panel"), { line, 0 })
    end
  end
  error(("no line with %q in %s"):format(part, vim.inspect(env.panel_lines())), 2)
end

local function panel_window()
  return vim.fn.bufwinid("wm://panel")
end

--- Presses a key of the panel on the line that contains a text.
local function press_at(part, key)
  vim.api.nvim_set_current_win(panel_window())
  go(part)
  env.press(key)
end

test("sections are painted with budget, summary, items, details and what to do when empty", function()
  open({
    seq = 1,
    badge = 2,
    pressure = { percentage = 72.6, level = "moderate" },
    sections = {
      {
        id = "memory",
        title = "Workspace memory",
        show = "always",
        summary = "2 pinned",
        budget = { used = 7, max = 28, unit = "entries" },
        items = {
          item("m1", { icon = "law", label = "Use spaces", detail = "decision" }),
          item(
            "m2",
            { icon = "unheard-of", label = "Parent", children = { item("c", { icon = "edit", label = "Child" }) } }
          ),
        },
      },
      { id = "errors", title = "Open errors", show = "always", items = {}, empty = "No errors." },
      {
        id = "core",
        title = "Core memory",
        show = "nonEmpty",
        budget = { used = 1, max = 4500, unit = "chars" },
        items = { item("c1") },
      },
      { id = "notes", title = "Notes", show = "nonEmpty", items = {} },
      { id = "rest", title = "Sessions", show = "advanced", items = { item("s1", { icon = "vm" }) } },
      { id = "budget", title = "Context budget", show = "advanced", items = {}, empty = "None." },
    },
  })
  local expected = {
    "context 72 % moderate  2 to review",
    "",
    "Workspace memory  ▰▰▱▱▱▱▱▱  2 pinned",
    "  ⚖ Use spaces  decision",
    "  • Parent",
    "    ✎ Child",
    "",
    "Open errors",
    "  No errors.",
    "",
    "Core memory  ▰▱▱▱▱▱▱▱",
    "  • c1",
    "",
    "More …",
  }
  env.equal(expected, env.panel_lines())
  go("More")
  env.press("<CR>")
  expected[#expected] = "Less"
  vim.list_extend(expected, { "", "Sessions", "  ▣ s1", "", "Context budget", "  None.", "" })
  env.equal(expected, env.panel_lines())
end)

test("a change paints itself, and the cursor stays on its item and the focus where it is", function()
  open(memories(1, { item("one"), item("two"), item("three") }))
  go("two")
  vim.cmd.wincmd("p")
  local window = vim.api.nvim_get_current_win()
  change(memories(2, { item("zero"), item("one"), item("new"), item("two"), item("three") }))
  env.wait("the new item", function()
    return vim.tbl_contains(env.panel_lines(), "  • zero")
  end)
  env.equal(window, vim.api.nvim_get_current_win())
  env.equal("  • two", env.panel_lines()[vim.api.nvim_win_get_cursor(panel_window())[1]])
  change(memories(3, { item("one"), item("three") }))
  env.wait("two and others above it gone", function()
    return #env.panel_lines() == 4
  end)
  env.equal("  • three", env.panel_lines()[vim.api.nvim_win_get_cursor(panel_window())[1]])
  change(memories(4, { item("zero") }))
  env.wait("the items gone", function()
    return #env.panel_lines() == 3
  end)
  env.equal({ "Workspace memory", "  • zero", "" }, env.panel_lines())
end)

test("a folded section stays folded when it changes", function()
  local panel = memories(1, { item("one"), item("two") })
  table.insert(panel.sections, { id = "files", title = "Files", show = "always", items = { item("f") } })
  open(panel)
  go("Workspace memory")
  env.press("<CR>")
  env.equal({ 1, 3 }, { vim.fn.foldclosed(1), vim.fn.foldclosedend(1) })
  panel.seq = 2
  table.insert(panel.sections[1].items, item("three"))
  table.insert(panel.sections[2].items, item("g"))
  change(panel)
  env.wait("the new items", function()
    return #env.panel_lines() == 9
  end)
  env.equal({ 1, 4, -1 }, { vim.fn.foldclosed(1), vim.fn.foldclosedend(1), vim.fn.foldclosed(7) })
  env.press("<CR>")
  env.equal(-1, vim.fn.foldclosed(1))
end)

test("every section folds, also below a header and after one was added above", function()
  local panel = memories(1, { item("one") })
  panel.pressure = { percentage = 50, level = "safe" }
  table.insert(panel.sections, { id = "files", title = "Files", show = "always", items = { item("f") } })
  open(panel)
  local function closed(part)
    go(part)
    env.press("<CR>")
    local line = vim.fn.line(".")
    local range = { vim.fn.foldclosed(line) - line, vim.fn.foldclosedend(line) - line }
    env.press("<CR>")
    return range
  end
  env.equal({ { 0, 1 }, { 0, 1 } }, { closed("Workspace memory"), closed("Files") })
  panel.seq = 2
  table.insert(panel.sections, 1, { id = "new", title = "New", show = "always", items = { item("a"), item("b") } })
  change(panel)
  env.wait("the new section", function()
    return #env.panel_lines() == 12
  end)
  env.equal({ { 0, 2 }, { 0, 1 }, { 0, 1 } }, { closed("New"), closed("Workspace memory"), closed("Files") })
end)

test("a section that comes folded is folded once, and then as the person has it", function()
  local panel = memories(1, { item("one") })
  local function closed()
    go("Recent")
    local line = vim.fn.line(".")
    return vim.fn.foldclosed(line) == line
  end
  open(panel)
  panel.seq = 2
  local recent = { id = "working", title = "Recent", show = "nonEmpty", folded = true, items = { item("w1") } }
  table.insert(panel.sections, recent)
  change(panel)
  env.wait("the section", function()
    return vim.tbl_contains(env.panel_lines(), "Recent")
  end)
  env.equal(true, closed())
  env.press("<CR>")
  env.equal(false, closed())
  panel.seq = 3
  table.insert(recent.items, item("w2"))
  change(panel)
  env.wait("the item", function()
    return vim.tbl_contains(env.panel_lines(), "  • w2")
  end)
  env.equal(false, closed())
end)

test("the server is asked with what is painted, and its unchanged leaves it", function()
  open(memories(1, { item("one") }))
  env.equal({}, env.received("wm/panel")[1].params)
  change(memories(1, { item("never shown") }))
  env.equal({ ifSeq = 1 }, env.received("wm/panel")[2].params)
  change(memories(2, { item("two") }))
  env.wait("the newer panel", function()
    return vim.tbl_contains(env.panel_lines(), "  • two")
  end)
end)

test("many changes at once are few questions, and the last one is shown", function()
  open(memories(1, { item("one") }))
  env.panel(memories(2, { item("last") }))
  for _ = 1, 100 do
    env.poke("test/changed")
  end
  env.wait("the last change", function()
    return vim.tbl_contains(env.panel_lines(), "  • last")
  end)
  env.equal(true, #env.received("wm/panel") < 60)
end)

test("enter opens the place in the window of the file, and only a file's", function()
  local root = env.open()
  local here = { start = { line = 2, character = 1 }, ["end"] = { line = 2, character = 2 } }
  local window = vim.api.nvim_get_current_win()
  show(memories(1, {
    item("place", { location = { uri = vim.uri_from_fname(root .. "/a.txt"), range = here } }),
    item("file", { location = { uri = vim.uri_from_fname(root .. "/b.txt") } }),
    item("web", { location = { uri = "https://example.org" } }),
    item("vanished", { location = { uri = vim.uri_from_fname(root .. "/gone.txt") } }),
    item("written", { location = { uri = vim.uri_from_fname(root .. "/new.txt") } }),
  }))
  press_at("place", "<CR>")
  env.equal({ window, root .. "/a.txt", { 3, 1 } }, {
    vim.api.nvim_get_current_win(),
    vim.api.nvim_buf_get_name(0),
    vim.api.nvim_win_get_cursor(0),
  })
  press_at("file", "<CR>")
  env.equal({ window, root .. "/b.txt" }, { vim.api.nvim_get_current_win(), vim.api.nvim_buf_get_name(0) })
  press_at("web", "<CR>")
  env.wait_said("the location is not a file")
  env.equal(panel_window(), vim.api.nvim_get_current_win())
  press_at("vanished", "<CR>")
  env.wait_said("gone.txt no longer exists")
  env.equal({ panel_window(), -1 }, { vim.api.nvim_get_current_win(), vim.fn.bufnr(root .. "/gone.txt") })
  vim.api.nvim_set_current_win(window)
  vim.cmd.edit(root .. "/new.txt") -- not yet on the disk
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { "new" })
  press_at("written", "<CR>")
  env.equal(root .. "/new.txt", vim.api.nvim_buf_get_name(0))
end)

test("a place that is not there any more opens as near as there is one, or says why not", function()
  local root = env.open()
  env.write(root .. "/c.txt", "one\ntwo\né😀x")
  local cases = {
    { 500, 3, { 3, 6 } },
    { 2, 1, { 3, 2 } },
    { 1, 900, { 2, 2 } },
    { -5, -3, { 1, 0 } },
    { 1e300, 1e300, { 3, 6 } },
    { "x", 1, { 1, 0 } },
  }
  local items = {
    item("zero", { location = { uri = "file:///%00" } }),
    item("odd", { location = { uri = vim.uri_from_fname(root .. "/b.txt"), range = "x" } }),
  }
  for i, case in ipairs(cases) do
    local range = { start = { line = case[1], character = case[2] } }
    items[i + 2] = item("case" .. i, { location = { uri = vim.uri_from_fname(root .. "/c.txt"), range = range } })
  end
  show(memories(1, items))
  for i, case in ipairs(cases) do
    press_at("case" .. i, "<CR>")
    env.equal({ i, case[3] }, { i, vim.api.nvim_win_get_cursor(0) })
    vim.cmd.normal({ "gg0", bang = true })
  end
  press_at("zero", "<CR>")
  env.wait_said("the location cannot be opened: E")
  press_at("odd", "<CR>")
  env.equal(root .. "/b.txt", vim.api.nvim_buf_get_name(0))
  vim.o.hidden = false
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { "changed" })
  press_at("case1", "<CR>")
  -- Neovim 0.10 does not give the reason.
  local why = vim.fn.has("nvim-0.11") == 1 and "E37: No write since last change" or "Failed to set buffer"
  env.wait_said("the location cannot be opened: " .. why)
end)

test("what opens from the panel opens in the window of the file, also where there is none", function()
  local explain = { title = "Explain", key = "x", method = "wm/memory/explain", params = { id = "m1" } }
  local notes = vim.fn.tempname()
  vim.fn.mkdir(notes, "p")
  env.write(notes .. "/overview.md", "# what goes on\n")
  vim.env.FAKE_NOTES = notes
  open(memories(1, { item("one", { actions = { explain } }) }))
  local width, height = vim.api.nvim_win_get_width(panel_window()), vim.api.nvim_win_get_height(panel_window())
  local function opens(name, action)
    vim.api.nvim_set_current_win(panel_window())
    action()
    env.wait(name, function()
      return vim.api.nvim_buf_get_name(0):find(name, 1, true)
    end)
    env.equal(
      { width, height },
      { vim.api.nvim_win_get_width(panel_window()), vim.api.nvim_win_get_height(panel_window()) }
    )
    vim.cmd.close()
  end
  local function run(command)
    return function()
      vim.cmd(command)
    end
  end
  go("one")
  opens("wm://answer", function()
    env.press("x")
  end)
  opens("wm://context", run("WM context"))
  opens("wm://usage", run("WM usage"))
  opens("wm://trace", run("WM trace e1"))
  opens("overview.md", run("WM overview"))
  vim.api.nvim_set_current_win(panel_window())
  vim.cmd.only()
  vim.cmd("WM context")
  env.wait("the context beside the panel", function()
    return vim.api.nvim_buf_get_name(0) == "wm://context"
  end)
  env.equal(height, vim.api.nvim_win_get_height(panel_window()))
end)

test("the panel does not scroll with a file that is bound to others", function()
  open(memories(1, { item("one") }))
  env.press("q")
  vim.cmd("set scrollbind cursorbind")
  vim.cmd("WM panel")
  env.equal({ false, false }, { vim.wo[panel_window()].scrollbind, vim.wo[panel_window()].cursorbind })
end)

test("the panel leaves half of a narrow screen to the file", function()
  vim.o.columns = 60
  open(memories(1, { item("one") }))
  env.equal(30, vim.api.nvim_win_get_width(panel_window()))
end)

--- Returns the visible part of each line of the panel and checks that it fits the
--- window.
---@return string[]
local function seen()
  local window = panel_window()
  local buf, width = vim.fn.winbufnr(window), vim.api.nvim_win_get_width(window)
  local namespace = vim.api.nvim_get_namespaces()["wm-panel"]
  local lines = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  -- From the last to the first, so that the columns of the others stay valid.
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buf, namespace, -1, 0, { details = true })) do
    local line, from, details = mark[2] + 1, mark[3], mark[4]
    if details.conceal then
      lines[line] = lines[line]:sub(1, from) .. details.conceal .. lines[line]:sub(details.end_col + 1)
    end
  end
  for _, line in ipairs(lines) do
    env.equal({ line, true }, { line, vim.fn.strdisplaywidth(line) <= width })
  end
  return lines
end

test("a detail gives way to its label, and a place stands at the right edge and keeps its file", function()
  vim.o.columns = 120
  local long = "undefined: thing in a file that is 長い"
  open(memories(1, {
    item("e", { label = long, detail = "typecheck", aside = "pkg/parser/expression.go:31" }),
    item("d", { label = long, detail = ("detail "):rep(20) }),
    item("s", { label = "agent", detail = "since 10:00", aside = "74 %", asideSeverity = 3 }),
  }, { budget = { used = 2600, max = 5200, unit = "chars" }, summary = "5 of 28 entries" }))
  local function seen_in(width)
    vim.api.nvim_win_set_width(panel_window(), width)
    vim.api.nvim_exec_autocmds("WinResized", {})
    return vim.list_slice(seen(), 1, 4)
  end
  env.equal({
    "Workspace memory  ▰▰▰▰▱▱▱▱  5 of 28 entries",
    "  • undefined: thing in a fil…  …/expression.go:31",
    "  • undefined: thing in a file that is 長い  …",
    "  • agent  since 10:00                        74 %",
  }, seen_in(50))
  env.equal("  • undefined: thing in a fil…  expression.go:31", seen_in(48)[2])
  env.equal("  • undefined: thing in a fil…  expression.…", seen_in(44)[2])
  env.equal(true, env.panel_lines()[2]:find(long, 1, true) ~= nil)
  env.equal({
    "Workspace memory  ▰▰▰▰▱▱▱▱  5 of 28 entries",
    "  • undefined: thing in a file…  pkg/parser/expression.go:31",
    "  • undefined: thing in a file that is 長い  detail detail …",
    "  • agent  since 10:00                                  74 %",
  }, seen_in(60))
  local marks = vim.api.nvim_buf_get_extmarks(vim.api.nvim_win_get_buf(panel_window()), -1, { 3, 0 }, { 3, -1 }, {
    details = true,
  })
  env.equal("WmInfo", marks[#marks][4].hl_group)
end)

test("a detail that does not fit gives way part by part, and its first part word by word", function()
  vim.o.columns = 160
  open(memories(1, {
    item("a", { label = "entry", detail = "Decision · claude code · pinned" }),
    item("b", { label = "agent", detail = "since ten o'clock  · 1/2 done" }),
    item("c", { label = "agent", detail = "since", folded = true, children = { item("todo") } }),
  }))
  local function seen_in(width)
    vim.api.nvim_win_set_width(panel_window(), width)
    vim.api.nvim_exec_autocmds("WinResized", {})
    return vim.list_slice(seen(), 2, 4)
  end
  local all = "  • entry  Decision · claude code · pinned"
  for width, lines in pairs({
    [#all - 4] = { all, "  • agent  since ten o'clock  · 1/2 done", "  • agent  since …" },
    [#all - 5] = {
      "  • entry  Decision · claude code …",
      "  • agent  since ten o'clock  · 1/2 done",
      "  • agent  since …",
    },
    [39] = {
      "  • entry  Decision · claude code …",
      "  • agent  since ten o'clock  …",
      "  • agent  since …",
    },
    [33] = { "  • entry  Decision …", "  • agent  since ten o'clock  …", "  • agent  since …" },
    [27] = { "  • entry  Decision …", "  • agent  since ten …", "  • agent  since …" },
    [19] = { "  • entry  …", "  • agent  since …", "  • agent  since …" },
    [12] = { "  • entry  …", "  • agent  …", "  • agent  …" },
    [11] = { "  • entry…", "  • agent…", "  • agent…" },
  }) do
    env.equal({ width, lines }, { width, seen_in(width) })
  end
end)

--- Returns the lines of the floating window, if any.
---@return string[]?
local function floating()
  for _, win in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(win).relative ~= "" then
      return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false)
    end
  end
end

--- Returns the texts that the panel shows over a line, with their columns and highlights.
---@param line integer
local function over(line)
  local buf = vim.api.nvim_win_get_buf(panel_window())
  local marks = vim.api.nvim_buf_get_extmarks(buf, -1, { line - 1, 0 }, { line - 1, -1 }, { details = true })
  local texts = {}
  for _, mark in ipairs(marks) do
    if mark[4].virt_text then
      table.insert(texts, { mark[3], mark[4].virt_text[1][1], mark[4].virt_text_pos })
    end
  end
  return texts
end

test("a sign over the indent tells who said an item, and takes no cell from its text", function()
  vim.o.columns = 80
  local label = ("word "):rep(5) .. "to the end." -- which fills a line
  open(memories(1, {
    item("person", { label = label, detail = "Fact · person", authorIcon = "person" }),
    item("agent", { label = label, detail = "Fact · claude-code", authorIcon = "hubot" }),
    item("group", { children = { item("summary", { authorIcon = "fold" }) } }),
    item("import", { aside = "a/long/path/to/a/file.go:31", authorIcon = "desktop-download" }),
    item("nobody", { label = label }),
    item("strange", { authorIcon = "no such icon" }),
    item("wrong", { authorIcon = 7 }),
  }))
  vim.api.nvim_win_set_width(panel_window(), 40)
  vim.api.nvim_exec_autocmds("WinResized", {})
  env.equal({ { 0, "@", "overlay" } }, over(2))
  env.equal({ { 0, "⚙", "overlay" } }, over(3))
  env.equal({}, over(4))
  env.equal({ { 2, "Σ", "overlay" } }, over(5))
  env.equal({ { 0, "↓", "overlay" } }, over(6))
  env.equal({}, over(7))
  env.equal({ { 0, "•", "overlay" } }, over(8))
  env.equal({ { 0, "•", "overlay" } }, over(9))
  local shown = seen()
  env.equal({ "  • " .. label, 40 }, { shown[7], vim.fn.strdisplaywidth(shown[7]) })
  env.equal(label, shown[2]:sub(#"  • " + 1))
  env.press("?")
  env.equal(true, vim.tbl_contains(floating() or {}, "by @ person  ⚙ agent  Σ summary  $ command  ↓ import"))
end)

test("the help, the manual and the keys of the panel are the same, and so are the signs of authors", function()
  open(memories(1, { item("one") }))
  local manual = vim.fn.readfile(vim.api.nvim_get_runtime_file("doc/wm.txt", false)[1])
  local from, to = vim.fn.match(manual, "\\*wm-panel\\*"), vim.fn.match(manual, "\\*wm-details\\*")
  local chapter = vim.list_slice(manual, from + 1, to)
  local mapped = {}
  for _, map in ipairs(vim.api.nvim_buf_get_keymap(0, "n")) do
    mapped[map.lhs:gsub("<C%-R>", "<C-r>"):gsub("<2%-LeftMouse>", "double click")] = true
  end
  env.press("?")
  local help = "\n" .. table.concat(floating() or {}, "\n")
  for key in pairs(mapped) do
    for where, said in pairs({ help = help, manual = table.concat(chapter, "\n") }) do
      local found = said:find("%f[^%s(]" .. vim.pesc(key) .. "%f[%s,;)]")
      env.equal({ where, key, true }, { where, key, found ~= nil })
    end
  end
  mapped.V = true -- Neovim's own
  for _, line in ipairs(chapter) do
    local key = line:match("^\t(%S+)\t%l")
    env.equal({ key, key and true }, { key, key and mapped[key] })
  end
  local signs = help:match("by ([^\n]*)")
  for sign, author in signs:gmatch("(%S+) (%a+)") do
    local found =
      table.concat(chapter, " "):find(sign .. " %a+ [%a ]*%f[%a]" .. (author == "import" and "program" or author))
    env.equal({ sign, author, true }, { sign, author, found ~= nil })
  end
end)

test("enter opens the page of an item that has others below it, and za and tab fold these", function()
  open(memories(1, { item("agent", { hasMarkdown = true, children = { item("todo") } }), item("other") }))
  local function rows()
    return vim.list_slice(env.panel_lines(), 2, 4)
  end
  local unfolded = { "  • agent", "    • todo", "  • other" }
  for _, key in ipairs({ "za", "<Tab>" }) do
    go("agent")
    env.press(key)
    env.equal({ "  • agent  …", "  • other", "" }, rows())
    env.press(key)
    env.equal(unfolded, rows())
  end
  go("other")
  env.press("<Tab>")
  env.equal({ 1, 4 }, { vim.fn.foldclosed(1), vim.fn.foldclosedend(1) })
  env.press("<Tab>")
  go("agent")
  env.press("<CR>")
  env.equal({ id = "agent", full = true }, env.wait_received("wm/panel/resolve"))
  env.equal(unfolded, rows())
end)

test("enter goes into the page of details, also if it is open", function()
  open(memories(1, { item("one", { hasMarkdown = true }), item("two", { hasMarkdown = true }) }))
  for i, id in ipairs({ "one", "two" }) do
    go(id)
    env.press("<CR>")
    env.equal({ id = id, full = true }, env.wait_received("wm/panel/resolve", i))
    env.wait("the page", function()
      return vim.api.nvim_buf_get_name(0) == "wm://detail"
    end)
    vim.api.nvim_set_current_win(panel_window())
  end
  env.equal(1, #vim.fn.win_findbuf(vim.fn.bufnr("wm://detail")))
end)

test("what is below an item is folded where it comes so, and as the person has it; a filter opens it", function()
  local function groups(seq)
    local old = item("old", { folded = true, children = { item("past") } })
    return memories(seq, { old, item("agent", { children = { item("todo") } }) })
  end
  local function lines()
    return vim.list_slice(env.panel_lines(), 2, 4)
  end
  open(groups(1))
  env.equal({ "  • old  …", "  • agent", "    • todo" }, lines())
  go("old")
  env.press("<CR>")
  env.equal({ "  • old", "    • past", "  • agent" }, lines())
  go("agent")
  env.press("<CR>")
  change(groups(2))
  env.equal({ "  • old", "    • past", "  • agent  …" }, lines())
  go("old")
  env.press("<CR>")
  env.equal({ "  • old  …", "  • agent  …", "" }, lines())
  vim.ui.input = function(_, callback)
    callback("past")
  end
  env.press("f")
  env.wait("what has the word", function()
    return table.concat(env.panel_lines(), "\n"):find("    • past", 1, true)
  end)
  env.press("F")
  env.equal({ "  • old  …", "  • agent  …", "" }, lines())
end)

test("what does not fit into the panel ends with a sign for it, however wide that is", function()
  vim.o.columns = 120
  local panel = memories(1, {
    item("e", { label = "undefined: thing in a file", detail = "typecheck" }),
    item("d", { label = "short", detail = "長い長い長い長い" }),
  }, { budget = { used = 2600, max = 5200, unit = "chars" }, summary = "5 of 28 entries" })
  panel.badge = 2
  panel.pressure = { percentage = 72, level = "high", history = { { percentage = 8 }, { percentage = 72 } } }
  open(panel)
  local function seen_in(width)
    vim.api.nvim_win_set_width(panel_window(), width)
    vim.api.nvim_exec_autocmds("WinResized", {})
    local lines = seen()
    return { lines[1], lines[3], lines[4], lines[5] }
  end
  env.equal({
    "context 72 % high  2 to review",
    "Workspace memory  ▰▰▰▰▱▱▱▱  5 …",
    "  • undefined: thing in a file…",
    "  • short  長い長い長い長い",
  }, seen_in(32))
  env.equal({
    "context 72 % high  2 to r…",
    "Workspace memory  ▰▰▰▰▱▱▱▱",
    "  • undefined: thing in a…",
    "  • short  …",
  }, seen_in(26))
  env.equal({ "context 72…", "Workspace…", "  • undefi…", "  • short…" }, seen_in(11))
  env.equal({
    "context 72 % high ▁▆  2 to review",
    "Workspace memory  ▰▰▰▰▱▱▱▱  5 of 28 entries",
    "  • undefined: thing in a file  typecheck",
    "  • short  長い長い長い長い",
  }, seen_in(70))
end)

test("a sentence that says what to do is seen in full, however narrow the panel is", function()
  vim.o.columns = 60
  open(memories(1, {}, { empty = "Nothing yet: add a decision or a rule." }))
  env.equal({ "Workspace memory", "  Nothing yet: add a decision", "  or a rule.", "" }, env.panel_lines())
  go("or a rule")
  vim.api.nvim_win_set_width(panel_window(), 12)
  vim.api.nvim_exec_autocmds("WinResized", {})
  env.equal({ "  Nothing", "  yet: add a", "  decision", "  or a rule." }, vim.list_slice(env.panel_lines(), 2, 5))
end)

test("a folder without anything says what will appear, in full", function()
  vim.o.columns = 60
  local panel = memories(1, {}, { empty = "Nothing yet." })
  panel.hint = "Rules and failing tests appear here: connect an agent."
  open(panel)
  env.equal({
    "Rules and failing tests appear",
    "here: connect an agent.",
    "",
    "Workspace memory",
    "  Nothing yet.",
    "",
  }, env.panel_lines())
end)

test("K shows what there is to read, harmless", function()
  open(memories(1, { item("one", { hasMarkdown = true }) }))
  go("one")
  env.press("K")
  local float = env.wait("the float", function()
    for _, win in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(win).relative ~= "" then
        return win
      end
    end
  end)
  local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(float), 0, -1, false)
  env.equal({ "one", "", "more\\x1b about it", "", "in the cart" }, vim.list_slice(lines, 1, 5))
  env.equal(panel_window(), vim.api.nvim_get_current_win())
end)

local forget = {
  title = "Forget",
  key = "d",
  method = "wm/memory/remove",
  params = { id = "one" },
  destructive = true,
  undo = { title = "Restore", method = "wm/memory/restore", params = { id = "one" } },
}

test("what destroys asks first, and u takes it back", function()
  open(memories(1, { item("one", { actions = { forget } }), item("two") }))
  local asked, answer = nil, 2
  vim.ui.select = function(items, opts, callback)
    asked = { items, opts.prompt }
    callback(items[answer])
  end
  go("one")
  env.press("d")
  env.equal({ { "Forget", "Cancel" }, "Forget: “one”?" }, asked)
  env.equal(0, #env.received("wm/memory/remove"))
  answer = 1
  env.press("d")
  env.equal({ id = "one" }, env.wait_received("wm/memory/remove"))
  env.wait_said("Forget (u undoes it)")
  env.press("u")
  env.equal({ id = "one" }, env.wait_received("wm/memory/restore"))
  env.wait_said("wm: undone: Forget “one”")
  env.press("u")
  env.wait_said("there is nothing to undo")
  go("two")
  env.press("d")
  env.wait_said("d does nothing here")
end)

test("what was undone is done again, until something else is done", function()
  local plain = vim.tbl_extend("force", forget, { destructive = false })
  open(memories(1, { item("one", { actions = { plain } }) }))
  go("one")
  env.press("<C-r>")
  env.wait_said("there is nothing to redo")
  env.press("d")
  env.wait_said("Forget (u undoes it)")
  env.press("u")
  env.wait_said("wm: undone: Forget “one”")
  env.press("<C-r>")
  env.wait_said("wm: done again: Forget “one”")
  env.equal(2, #env.received("wm/memory/remove"))
  env.press("u")
  env.wait("it undone again", function()
    return #env.received("wm/memory/restore") == 2
  end)
end)

--- Selects the lines from one text to another, and presses keys.
local function press_on(from, to, keys)
  vim.api.nvim_set_current_win(panel_window())
  go(from)
  local first = vim.fn.line(".")
  go(to)
  local last = vim.fn.line(".")
  env.press(("%dGV%dG%s"):format(first, last, keys))
end

--- Returns an item that can be forgotten and restored, and one that can only be erased.
local function removable(id)
  local function action(title, key, method, fields)
    return vim.tbl_extend("force", { title = title, key = key, method = method, params = { id = id } }, fields or {})
  end
  local restore = action("Restore", nil, "wm/memory/restore")
  return item(id, {
    actions = {
      action("Forget", "d", "wm/memory/remove", { undo = restore }),
      action("Erase", nil, "wm/memory/erase", { destructive = true }),
      action("Edit", "e", "wm/memory/update", { inputs = { { param = "text", prompt = "Text", kind = "text" } } }),
    },
  })
end

---@param method string
---@param from? integer the first call that counts
local function ids_of(method, from)
  return vim.tbl_map(function(message)
    return message.params.id
  end, vim.list_slice(env.received(method), from or 1))
end

test("what is done to a selection is done to each, and is undone and done again at once", function()
  open(memories(1, { removable("one"), item("between"), removable("two"), removable("three") }))
  press_on("one", "two", "d")
  env.wait_said("Forget: 2 items (u undoes it)")
  env.equal({ "one", "two" }, ids_of("wm/memory/remove"))
  env.equal("n", vim.fn.mode())
  env.press("u")
  env.wait_said("undone: Forget 2 items")
  env.equal({ "two", "one" }, ids_of("wm/memory/restore"))
  env.press("<C-r>")
  env.wait_said("done again: Forget 2 items")
  env.equal({ "one", "two" }, ids_of("wm/memory/remove", 3))
  env.press("u")
  env.wait_received("wm/memory/restore", 4)
  env.equal({ "two", "one" }, ids_of("wm/memory/restore", 3))
end)

test("what destroys a selection asks once, and says how many", function()
  open(memories(1, { removable("one"), removable("two") }))
  env.answer([[{"wm/memory/erase": {}}]])
  local asked = {}
  vim.ui.select = function(items, options, callback)
    table.insert(asked, options.prompt)
    callback(vim.tbl_contains(items, "Erase") and "Erase" or items[1])
  end
  press_on("one", "two", "a")
  env.wait_said("Erase: 2 items")
  env.equal({ "Action", "Erase: 2 items? This cannot be undone." }, asked)
  env.equal({ "one", "two" }, ids_of("wm/memory/erase"))
end)

test("a selection whose action fails halfway says how far it came, and undoes what was done", function()
  open(memories(1, { removable("one"), removable("two"), removable("three") }))
  local client = require("wm.client")
  local request, calls = client.request, 0
  client.request = function(workspace, method, params, callback)
    if method == "wm/memory/remove" then
      calls = calls + 1
      if calls == 2 then
        return callback("no such entry")
      end
    end
    return request(workspace, method, params, callback)
  end
  press_on("one", "three", "d")
  env.wait_said("Forget: 1 of 3 items, then: no such entry")
  env.press("u")
  env.wait_received("wm/memory/restore", 1)
  env.equal({ "one" }, ids_of("wm/memory/restore"))
end)

test("what asks for a text is for one item at a time, and what has no action says so", function()
  open(memories(1, { removable("one"), removable("two"), item("three") }))
  press_on("one", "two", "e")
  env.wait_said("Edit is for one item at a time")
  press_on("three", "three", "d")
  env.wait_said("nothing that is selected has this action")
  press_on("three", "three", "a")
  env.wait_said("there are no actions here")
  env.equal({}, env.received("wm/memory/update"))
end)

test("the texts of items are copied, without what stands beside them", function()
  open(memories(1, { item("one", { detail = "Fact" }), item("two", { aside = "a.go:1" }), removable("three") }))
  press_at("two", "y")
  env.wait_said("copied")
  env.equal("two", vim.fn.getreg('"'))
  press_on("one", "three", "y")
  env.wait_said("copied 3 rows")
  env.equal("one\ntwo\nthree", vim.fn.getreg('"'))
  press_at("Workspace memory", "y")
  env.equal("Workspace memory", vim.fn.getreg('"'))
end)

test("what cannot be undone says so, with as much of its name as fits", function()
  local erase = vim.tbl_extend("force", forget, { title = "Erase", undo = false })
  open(memories(1, { item("one", { label = ("long "):rep(10000), actions = { erase } }) }))
  local prompt
  vim.ui.select = function(_, opts)
    prompt = opts.prompt
  end
  go("long")
  env.press("d")
  env.equal("Erase: “" .. ("long "):rep(8) .. "…”? This cannot be undone.", prompt)
end)

test("a picker may answer late, never, or twice", function()
  open(memories(1, { item("one", { actions = { forget } }) }))
  local pending = {}
  vim.ui.select = function(items, _, callback)
    table.insert(pending, function()
      callback(items[1])
    end)
  end
  go("one")
  env.press("d") -- never answered
  env.press("a")
  vim.cmd.wincmd("p")
  pending[2]() -- late, and somewhere else
  pending[3]()
  env.equal({ id = "one" }, env.wait_received("wm/memory/remove"))
  pending[2]()
  pending[3]()
  env.poke("test/last")
  env.wait_received("test/last")
  env.equal({ 3, 1 }, { #pending, #env.received("wm/memory/remove") })
end)

test("a picker that fails has answered nothing, and what was written stays", function()
  local edit = {
    title = "Edit",
    key = "e",
    method = "wm/memory/update",
    params = { id = "one" },
    inputs = {
      { param = "text", prompt = "Text", kind = "text" },
      { param = "type", prompt = "Type", kind = "choice", choices = { { label = "A rule", value = "feedback" } } },
    },
  }
  open(memories(1, { item("one", { actions = { forget, edit } }) }))
  local failing = true
  vim.ui.select = function(items, _, callback)
    if failing then
      error("no such picker\nand more")
    end
    callback(items[1])
  end
  go("one")
  env.press("d")
  env.wait_said("the picker failed: ")
  env.equal({ 1, nil }, { #env.said, env.said[1]:find("and more", 1, true) })
  vim.ui.input = function(_, callback)
    callback("written with care")
  end
  env.press("e")
  local buf = vim.fn.bufnr("^wm://input")
  env.equal({ "written with care" }, vim.api.nvim_buf_get_lines(buf, 0, -1, false))
  failing = false
  vim.api.nvim_set_current_win(vim.fn.bufwinid(buf))
  vim.cmd.write()
  env.equal({ id = "one", text = "written with care", type = "feedback" }, env.wait_received("wm/memory/update"))
  vim.ui.input = function()
    error("Keyboard interrupt")
  end
  local said = #env.said
  vim.api.nvim_set_current_win(panel_window())
  env.press("f")
  env.equal({ said, {} }, { #env.said, env.received("wm/memory/remove") })
end)

--- Runs the action with the key d on an item, without a question.
---@param part string of its line
local function forget_at(part)
  vim.ui.select = function(items, _, callback)
    callback(items[1])
  end
  press_at(part, "d")
  env.wait_said("Forget (u undoes it)")
end

test("u takes back where it was done, whatever the panel shows, and says so", function()
  env.setup()
  env.panel(memories(1, { item("one", { actions = { forget } }) }))
  vim.cmd.edit(env.repository({ ["a.txt"] = "a\n" }, "first") .. "/a.txt")
  env.wait_received("textDocument/didOpen")
  vim.cmd("WM panel")
  env.wait("the panel", function()
    return #env.panel_lines() > 2
  end)
  forget_at("one")
  env.press("q")
  env.panel(memories(1, { item("other") }))
  vim.cmd.edit(env.repository({ ["b.txt"] = "b\n" }, "second") .. "/b.txt")
  env.wait_received("textDocument/didOpen", 2)
  vim.cmd("WM panel")
  env.wait("the other panel", function()
    return vim.tbl_contains(env.panel_lines(), "  • other")
  end)
  env.press("u")
  env.wait_said("wm: undone in first: Forget “one”")
  env.equal("first", env.received("wm/memory/restore")[1].folder)
end)

test("what u says asks for no Enter", function()
  open(memories(1, { item("one", { label = ("long "):rep(100), actions = { forget } }) }))
  forget_at("long")
  env.press("u")
  env.wait_said("wm: undone: Forget “long")
  env.equal(true, vim.fn.strdisplaywidth(env.said[#env.said]) <= vim.v.echospace)
end)

test("an undo that failed can be tried again", function()
  open(memories(1, { item("one", { actions = { forget } }) }))
  forget_at("one")
  env.poke("test/silence")
  require("wm.config").current.timeout_ms = 50
  env.press("u")
  env.wait_said("not undone: Forget “one”: the server does not respond; :WM restart restarts it")
  require("wm.config").current.timeout_ms = env.patience
  env.poke("test/answer")
  env.press("u")
  env.wait_said("wm: undone: Forget “one”")
  env.press("u")
  env.equal({ 2, "wm: there is nothing to undo" }, { #env.received("wm/memory/restore"), env.said[#env.said] })
end)

--- Returns the methods and ids of what the server was asked to do with entries, in order.
local function asked_for()
  local all = {}
  for _, message in ipairs(env.received()) do
    local what = message.method:match("^wm/memory/(%a+)$")
    if what then
      table.insert(all, what .. " " .. message.params.id)
    end
  end
  return all
end

for name, case in pairs({
  ["u waits for the action under way and takes that back"] = {
    keys = { { "one", "d" }, { "two", "d" }, { "two", "u" } },
    asked = { "remove one", "remove two", "restore two" },
    says = "undone: Forget “two”",
  },
  ["two u take back the last two, the last first"] = {
    keys = { { "one", "d" }, { "two", "d" }, { "two", "uu" } },
    asked = { "remove one", "remove two", "restore two", "restore one" },
    says = "undone: Forget “one”",
  },
  ["u takes back what was asked for before it, not after it"] = {
    keys = { { "one", "d" }, { "one", "u" }, { "two", "d" } },
    asked = { "remove one", "restore one", "remove two" },
    says = "Forget (u undoes it)",
  },
  ["a redo waits for the undo under way and does that again"] = {
    keys = { { "one", "d" }, { "one", "u<C-r>" } },
    asked = { "remove one", "restore one", "remove one" },
    says = "done again: Forget “one”",
  },
  ["u on what is refused takes nothing back"] = {
    keys = { { "one", "d" }, { "gone", "d" }, { "gone", "u" }, { "one", "d" } },
    asked = { "remove one", "nowhere gone", "remove one" },
    says = "Forget (u undoes it)",
  },
  ["u waits for all of a selection and takes all back"] = {
    keys = { { "one", "Vjdu" } },
    asked = { "remove one", "remove two", "restore two", "restore one" },
    says = "undone: Forget 2 items",
  },
  ["two keys on one row are both for that row"] = {
    keys = { { "one", "dx" } },
    asked = { "remove one", "keep one" },
    says = "Keep: no such thing",
  },
}) do
  test(name, function()
    local items = {}
    for i, id in ipairs({ "one", "two", "gone" }) do
      local action = { title = "Forget", key = "d", params = { id = id } }
      action.method = id == "gone" and "wm/memory/nowhere" or "wm/memory/remove"
      local keep = { title = "Keep", key = "x", params = { id = id }, method = "wm/memory/keep" }
      items[i] = item(id, { actions = { action, keep } })
    end
    open(memories(1, items))
    env.poke("test/silence")
    for _, each in ipairs(case.keys) do
      press_at(each[1], each[2])
    end
    env.poke("test/answer")
    env.wait("the last answer", function()
      return #asked_for() >= #case.asked and (env.said[#env.said] or ""):find(case.says, 1, true) ~= nil
    end)
    env.equal(case.asked, asked_for())
  end)
end

test("an undo of what is gone makes room for the one before", function()
  local gone = vim.tbl_extend("force", forget, { undo = { method = "wm/memory/nowhere" } })
  open(memories(1, { item("one", { actions = { forget } }), item("two", { actions = { gone } }) }))
  forget_at("one")
  forget_at("two")
  env.wait("both forgotten", function()
    return #env.said == 2
  end)
  env.press("u")
  env.wait_said("not undone: Forget “two”: it no longer exists")
  env.press("u")
  env.wait_said("wm: undone: Forget “one”")
end)

test("of several that were forgotten, those that exist are back and forgotten again at once", function()
  local gone = vim.tbl_extend("force", forget, { undo = { method = "wm/memory/nowhere" }, destructive = false })
  local kept = vim.tbl_extend("force", forget, { destructive = false })
  local items = {}
  for i, action in ipairs({ kept, gone, kept }) do
    items[i] = item("item " .. i, { actions = { action } })
  end
  open(memories(1, items))
  go("item 1")
  env.press("V2jd")
  env.wait_said("Forget: 3 items (u undoes it)")
  env.press("u")
  env.wait_said("not undone: Forget 3 items: 1 of 3 no longer exist")
  env.equal(2, #env.received("wm/memory/restore"))
  local forgotten = #env.received("wm/memory/remove")
  env.press("<C-r>")
  env.wait_said("done again: Forget 3 items")
  env.equal(forgotten + 2, #env.received("wm/memory/remove"))
end)

test("undo comes from the receipt where the action has none", function()
  local action = vim.tbl_extend("force", forget, { undo = false, destructive = false })
  open(memories(1, { item("one", { actions = { action } }) }))
  go("one")
  env.press("d")
  env.wait_said("Forget (u undoes it)")
  env.press("u")
  env.equal({ id = "one" }, env.wait_received("wm/memory/restore"))
end)

test("a asks which action, and an action for its inputs", function()
  local add = {
    title = "Add",
    method = "wm/memory/add",
    params = { source = "manual" },
    inputs = {
      {
        param = "type",
        prompt = "Type",
        kind = "choice",
        choices = {
          { label = "A fact", detail = "what holds\27 in this project", value = "project" },
          { label = "A rule", value = "feedback" },
        },
      },
      { param = "text", prompt = "Text", kind = "text", value = "filled in" },
    },
  }
  open(memories(1, {}, { actions = { add } }))
  local prompts = {}
  vim.ui.select = function(items, opts, callback)
    table.insert(prompts, opts.prompt .. "/" .. table.concat(vim.tbl_map(opts.format_item, items), "/"))
    callback(items[1])
  end
  vim.ui.input = function(opts, callback)
    table.insert(prompts, opts.prompt .. opts.default)
    callback("typed")
  end
  go("Workspace memory")
  env.press("a")
  env.equal({ source = "manual", type = "project", text = "typed" }, env.wait_received("wm/memory/add"))
  env.equal({ "Action/Add", "Type/A fact: what holds\\x1b in this project/A rule", "Text: filled in" }, prompts)
  env.wait_said("Add: added")
  vim.ui.input = function(_, callback)
    callback(nil)
  end
  env.press("a")
  env.equal(1, #env.received("wm/memory/add"))
end)

test("a text of several lines is written in a split", function()
  local edit = {
    title = "Edit",
    key = "e",
    method = "wm/memory/add",
    params = {},
    inputs = { { param = "text", prompt = "100% of it", kind = "text", multiline = true, value = "a\nb" } },
  }
  open(memories(1, { item("one", { actions = { edit } }) }))
  go("one")
  env.press("e")
  env.equal({ "a", "b" }, vim.api.nvim_buf_get_lines(0, 0, -1, false))
  vim.api.nvim_buf_set_lines(0, 0, 1, false, { "changed" })
  vim.cmd.write()
  env.equal({ text = "changed\nb" }, env.wait_received("wm/memory/add"))
  env.wait("the split closed", function()
    return vim.api.nvim_get_current_win() == panel_window()
  end)
  env.press("e")
  vim.cmd("quit!")
  env.wait("the cursor in the panel again", function()
    return vim.api.nvim_get_current_win() == panel_window()
  end)
  env.equal(1, #env.received("wm/memory/add"))
end)

local edit = {
  title = "Edit",
  key = "e",
  method = "wm/memory/update",
  params = { id = "one" },
  inputs = {
    { param = "text", prompt = "Text", kind = "text", multiline = true, value = "a\nb" },
    {
      param = "type",
      prompt = "Type",
      kind = "choice",
      value = "decision",
      choices = { { label = "A rule", value = "feedback" }, { label = "A decision", value = "decision" } },
    },
  },
}

test("a text that is written says what it is for", function()
  open(memories(1, { item("one", { actions = { edit } }) }, { actions = { edit } }))
  local function title_at(part)
    press_at(part, "e")
    return vim.wo.winbar:match("#WinBar#(.-)%%%*")
  end
  env.equal("Edit “one”: Text", title_at("• one"))
  env.equal("Edit in Workspace memory: Text", title_at("Workspace memory"))
end)

--- Returns the title above the draft.
local function title()
  return (vim.wo.winbar:gsub("%%=.*", ""):gsub("%%<", ""):gsub("%%#.-#", ""):gsub("%%%*", ""))
end

test("a text that was not taken stays, below the reason, until it is", function()
  open(memories(1, { item("one", { actions = { edit } }) }))
  vim.ui.select = function(_, _, callback)
    callback(nil)
  end
  go("one")
  env.press("e")
  local window = vim.api.nvim_get_current_win()
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { "reject", "100% of it" })
  vim.cmd.write()
  env.wait("the question that was left open", function()
    return title() == "Not done: a question was not answered"
  end)
  vim.ui.select = function(items, _, callback)
    callback(items[1])
  end
  vim.cmd.write()
  env.wait("the refusal", function()
    return title() == "Edit: rejected, too-long"
  end)
  env.equal(
    { window, { "reject", "100% of it" }, true },
    { vim.api.nvim_get_current_win(), vim.api.nvim_buf_get_lines(0, 0, -1, false), vim.bo.modified }
  )
  vim.api.nvim_buf_set_lines(0, 0, 1, false, { "keep" })
  vim.cmd.write()
  env.equal({ id = "one", text = "keep\n100% of it", type = "decision" }, env.wait_received("wm/memory/update", 2))
  env.wait("the split closed", function()
    return vim.api.nvim_get_current_win() == panel_window()
  end)
end)

test("a text that is written twice is sent once, one that was changed meanwhile again", function()
  open(memories(1, { item("one", { actions = { edit } }) }))
  local pending = {}
  vim.ui.select = function(items, _, callback)
    table.insert(pending, function()
      callback(items[1])
    end)
  end
  local function asked(times)
    env.wait("the question, " .. times .. " times", function()
      return #pending == times
    end)
  end
  go("one")
  env.press("e")
  vim.cmd.write()
  vim.cmd.write()
  asked(1)
  vim.cmd.write() -- while the question is open
  env.poke("test/silence")
  pending[1]()
  vim.cmd.write() -- while the server has it
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { "changed" })
  vim.cmd.write()
  asked(2)
  pending[2]()
  env.poke("test/answer")
  env.wait("the split closed", function()
    return vim.api.nvim_get_current_win() == panel_window()
  end)
  local sent = vim.tbl_map(function(message)
    return message.params.text
  end, env.received("wm/memory/update"))
  env.equal({ { "a\nb", "changed" }, 2 }, { sent, #pending })
end)

test("a text whose split was closed comes back when it was not taken", function()
  open(memories(1, { item("one", { actions = { edit } }) }))
  vim.ui.select = function(items, _, callback)
    callback(items[1])
  end
  go("one")
  env.press("e")
  env.poke("test/silence")
  require("wm.config").current.timeout_ms = 50
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { "written", "with care" })
  vim.cmd("wq")
  local buf = env.wait("the text", function()
    for _, buf in ipairs(vim.api.nvim_list_bufs()) do
      if vim.api.nvim_buf_get_name(buf):find("wm://input", 1, true) then
        return buf
      end
    end
  end)
  env.equal(
    { { "written", "with care" }, true, panel_window() },
    { vim.api.nvim_buf_get_lines(buf, 0, -1, false), vim.bo[buf].modified, vim.api.nvim_get_current_win() }
  )
  vim.api.nvim_set_current_win(vim.fn.bufwinid(buf))
  env.equal("Edit: the server does not respond; :WM restart restarts it", title())
end)

test("what is typed for an action is not lost either", function()
  local add = {
    title = "Add",
    method = "wm/memory/add",
    params = {},
    inputs = { { param = "text", prompt = "Text", kind = "text" } },
  }
  open(memories(1, {}, { actions = { add } }))
  vim.ui.select = function(items, _, callback)
    callback(items[1])
  end
  vim.ui.input = function(_, callback)
    callback("reject this")
  end
  go("Workspace memory")
  env.press("a")
  local buf = env.wait("the text", function()
    local buf = vim.fn.bufnr("^wm://input")
    return buf ~= -1 and buf
  end)
  env.equal({ "reject this" }, vim.api.nvim_buf_get_lines(buf, 0, -1, false))
end)

test("the choice that is filled in comes first", function()
  open(memories(1, { item("one", { actions = { edit } }) }))
  local labels
  vim.ui.select = function(items, opts)
    labels = vim.tbl_map(opts.format_item, items)
  end
  go("one")
  env.press("e")
  vim.cmd.write()
  env.wait("the choice", function()
    return vim.deep_equal(labels, { "A decision", "A rule" })
  end)
end)

test("nothing but the memory's own methods can be an action", function()
  local action = { title = "Evil", key = "x", method = "workspace/executeCommand", params = {} }
  open(memories(1, { item("one", { actions = { action, { title = "K", key = "K", method = "wm/a", params = {} } } }) }))
  go("one")
  env.press("x")
  env.wait_said("an action that is not a wm")
  env.press("K")
  env.wait_said("there are no details here")
  env.equal({ 0, 0 }, { #env.received("workspace/executeCommand"), #env.received("wm/a") })
end)

test("hostile text is shown as it is and does nothing", function()
  open(memories(1, {
    item("one", { label = "a\nb\27]52;c\7%{system('x')}", detail = "<a href='command:x'>" }),
    item("two", { label = ("long "):rep(10000), icon = vim.NIL, detail = vim.NIL }),
  }, { title = "Workspace memory", summary = "\r\0" }))
  local lines = env.panel_lines()
  env.equal({
    "Workspace memory  \\r\\x00",
    "  • a\\nb\\x1b]52;c\\x07%{system('x')}  <a href='command:x'>",
  }, vim.list_slice(lines, 1, 2))
  env.equal(true, #lines[3] < 1100)
end)

test("a panel that cannot be read leaves what is painted, and says what to do", function()
  vim.o.columns = 120
  local notice = { "The server sent an invalid panel. Update it and the", "plugin together." }
  local action = { title = "Act", key = "d", method = "wm/memory/remove", params = {} }
  local function with(fields)
    return vim.tbl_extend("force", action, fields)
  end
  local odd_choice = { param = "p", prompt = "P", choices = { { label = "L", detail = 5, value = "v" } } }
  local garbage = {
    "x",
    { seq = 2 },
    { seq = 2, sections = "x" },
    { seq = 2, sections = { "x" } },
    { seq = "x", sections = {} },
    memories(2, "x"),
    memories(2, { 5 }),
    memories(2, { item("a"), vim.NIL }),
    memories(2, { item("a", { label = 5 }) }),
    memories(2, { item("a", { children = "x" }) }),
    memories(2, { item("a", { children = { item("b", { actions = { "x" } }) } }) }),
    memories(2, { item("a", { actions = { with({ title = {} }) } }) }),
    memories(2, { item("a", { actions = { with({ method = 5 }) } }) }),
    memories(2, { item("a", { actions = { with({ inputs = { 5 } }) } }) }),
    memories(2, { item("a", { actions = { with({ inputs = { { param = {}, prompt = "P" } } }) } }) }),
    memories(2, {
      item("a", { actions = { with({ inputs = { { param = "p", prompt = "P", choices = { 5 } } } }) } }),
    }),
    memories(2, {}, { actions = { with({ inputs = { odd_choice } }) } }),
    memories(2, {}, { title = 5 }),
    memories(2, {}, { actions = { 5 } }),
  }
  open(memories(1, { item("one") }))
  for i, panel in ipairs(garbage) do
    change(panel)
    env.wait("the notice for " .. i, function()
      return env.panel_lines()[1] == notice[1]
    end)
    env.equal({ notice[1], notice[2], "", "Workspace memory", "  • one", "" }, env.panel_lines())
    change(memories(1, { item("one") }))
    env.wait("the notice gone after " .. i, function()
      return env.panel_lines()[1] == "Workspace memory"
    end)
  end
  env.panel({ seq = 2 })
  env.press("R")
  env.wait("the notice alone", function()
    return env.panel_lines()[1] == table.concat(notice, " ")
  end)
end)

test("numbers are shown as far as they are some", function()
  local panel = memories(1, { item("one") }, { budget = { used = 1e308, max = -5, unit = "chars" } })
  panel.badge, panel.pressure = 1e308, { percentage = 1e308, level = "high" }
  open(panel)
  env.equal({
    "context 1000000000 % high  1000000000 to review",
    "",
    "Workspace memory  ▰▱▱▱▱▱▱▱",
  }, vim.list_slice(env.panel_lines(), 1, 3))
end)

test("a change among 5,000 items touches its line alone", function()
  local items = {}
  for i = 1, 5000 do
    items[i] = item("item " .. i, { detail = "a detail", actions = { forget } })
  end
  open(memories(1, items))
  local touched = {}
  vim.api.nvim_buf_attach(vim.fn.bufnr("wm://panel"), false, {
    on_lines = function(_, _, _, first, last, last_now)
      table.insert(touched, { first, last, last_now })
    end,
  })
  items[2500].label = "changed"
  change(memories(2, items))
  env.wait("the change painted", function()
    return env.panel_lines()[2501] == "  • changed  a detail"
  end)
  table.remove(items, 4000)
  change(memories(3, items))
  env.wait("the item gone", function()
    return #env.panel_lines() == 5001
  end)
  env.equal({ { 2500, 2501, 2501 }, { 4000, 4001, 4000 } }, touched)
end)

test("the panel survives a crash and paints again", function()
  open(memories(1, { item("one") }))
  env.panel(memories(1, { item("after") }))
  env.poke("test/crash")
  env.wait("the panel of the new server", function()
    return vim.tbl_contains(env.panel_lines(), "  • after")
  end)
end)

test("the panel opens and closes, by command and by key", function()
  open(memories(1, { item("one") }))
  env.press("q")
  env.equal(-1, panel_window())
  vim.cmd("WM panel")
  vim.cmd("WM panel")
  env.equal(-1, panel_window())
  vim.cmd("WM panel")
  vim.cmd("quit")
  env.equal({ -1, false }, { panel_window(), require("wm.panel").is_open() })
end)

test("a panel that is read again shows the same", function()
  open(memories(1, { item("one") }))
  for _, command in ipairs({ "edit", "edit!" }) do
    vim.cmd(command)
    env.wait("the panel", function()
      return vim.tbl_contains(env.panel_lines(), "  • one")
    end)
    env.equal({ false, true }, { vim.bo.modifiable, vim.api.nvim_get_current_win() == panel_window() })
  end
end)

test("the panel comes to the tab where it is asked for", function()
  open(memories(1, { item("one") }))
  vim.cmd.tabnew()
  vim.cmd("WM panel")
  env.equal({ true, 1 }, { panel_window() ~= -1, #vim.fn.win_findbuf(vim.fn.bufnr("wm://panel")) })
  env.wait("the panel painted", function()
    return vim.tbl_contains(env.panel_lines(), "  • one")
  end)
  vim.cmd("WM panel")
  env.equal({ -1, false }, { vim.fn.bufnr("wm://panel"), require("wm.panel").is_open() })
end)

test("the only window of the panel is for anything again when the panel goes", function()
  local names = { "winfixbuf", "winfixwidth", "winbar", "statusline", "foldmethod", "wrap", "number" }
  local function options()
    return vim.tbl_map(function(name)
      return vim.wo[name]
    end, names)
  end
  vim.o.number = true
  local root = env.open()
  env.wait_received("textDocument/didOpen")
  local before = options()
  for _, close in ipairs({ "normal q", "WM panel", "bdelete" }) do
    vim.cmd("WM panel")
    vim.cmd.only()
    vim.cmd(close)
    env.equal({ close, before, -1 }, { close, options(), panel_window() })
    vim.cmd.edit(root .. "/b.txt")
  end
end)

test("a panel without room says so, and opens when there is some", function()
  open(memories(1, { item("one") }))
  env.press("q")
  vim.o.columns, vim.o.winwidth, vim.o.winminwidth = 80, 20, 20
  vim.cmd("vsplit | vsplit")
  for _ = 1, 2 do
    vim.cmd("WM panel")
    env.equal("wm: the panel cannot be opened here: E36: Not enough room", table.remove(env.said))
    env.equal({ 3, -1 }, { #vim.api.nvim_list_wins(), panel_window() })
  end
  vim.cmd.only()
  vim.cmd("WM panel")
  env.wait("the panel", function()
    return vim.tbl_contains(env.panel_lines(), "  • one")
  end)
end)

test("the panel neither opens nor closes from the window of commands, and then does", function()
  open(memories(1, { item("one") }))
  vim.cmd.wincmd("p")
  vim.api.nvim_create_autocmd("CmdwinEnter", {
    callback = function()
      vim.cmd("WM panel")
    end,
  })
  for _, refusal in ipairs({ "closed", "opened" }) do
    env.press("q:<C-c><C-c>")
    env.wait_said(("the panel cannot be %s here: close the command-line window first"):format(refusal))
    vim.cmd("WM panel")
  end
  env.equal(true, panel_window() ~= -1)
end)

test("the panel takes the place of the one of a session that was restored", function()
  open(memories(1, { item("one") }))
  local session = vim.fn.tempname()
  vim.cmd.mksession(session)
  vim.cmd("silent %bwipeout!")
  vim.cmd("silent source " .. session)
  env.equal("wm://panel", vim.api.nvim_buf_get_name(vim.fn.winbufnr(panel_window())))
  vim.cmd("WM panel")
  env.wait("the panel", function()
    return vim.tbl_contains(env.panel_lines(), "  • one")
  end)
  env.equal({ 2, "nofile" }, { #vim.api.nvim_list_wins(), vim.bo[vim.fn.winbufnr(panel_window())].buftype })
end)

test("the panel goes on in the window that it is moved to", function()
  open(memories(1, { item("one") }))
  for seq, move in ipairs({ "wincmd T", "split | wincmd w | close", "tab split | tabclose 1" }) do
    vim.cmd(move)
    change(memories(seq + 1, { item("after " .. move) }))
    env.wait("the change", function()
      return vim.tbl_contains(env.panel_lines(), "  • after " .. move)
    end)
    go("after")
    env.press("?")
    env.equal({ move, true }, { move, floating() ~= nil })
    env.press("?")
  end
  env.press("q")
  env.equal(-1, vim.fn.bufnr("wm://panel"))
end)

test("a panel without a width is refused", function()
  for _, width in ipairs({ 0, -3, 0 / 0 }) do
    local ok, problem = pcall(require("wm").setup, { panel = { width = width } })
    env.equal({ false, 'wm: setting "panel.width" must be 1 or more; see :help wm-settings' }, { ok, problem })
  end
end)

test("? helps, and what closes first is the help", function()
  open(memories(1, { item("one", { actions = { forget } }) }))
  go("one")
  env.press("?")
  env.equal(true, vim.tbl_contains(floating() or {}, "d     Forget"))
  for _, key in ipairs({ "?", "q", "<Esc>" }) do
    env.press(floating() and "" or "?")
    env.equal({ key, true }, { key, floating() ~= nil })
    env.press(key)
    env.equal({ key, nil, true }, { key, floating(), vim.api.nvim_get_current_win() == panel_window() })
  end
  local others
  vim.keymap.set("n", "<Esc>", function()
    others = true
  end)
  env.press("<Esc>")
  env.equal({ true, true }, { others, panel_window() ~= -1 })
  env.press("q")
  env.equal(-1, panel_window())
end)

test("what K shows closes before the panel does", function()
  open(memories(1, { item("one", { hasMarkdown = true }) }))
  go("one")
  env.press("K")
  env.wait("the float", floating)
  env.press("q")
  env.equal({ nil, true }, { floating(), panel_window() ~= -1 })
end)

test("a panel that is too small for what ? or K shows says so", function()
  open(memories(1, { item("one", { hasMarkdown = true }) }))
  go("one")
  vim.cmd("belowright new | resize 100 | wincmd p")
  go("one")
  for _, key in ipairs({ "?", "K" }) do
    env.said[1] = nil
    env.press(key)
    env.wait_said("there is no room to show this")
  end
end)

test("the panel is the one of the file's repository", function()
  open(memories(1, { item("one") }))
  vim.cmd.wincmd("p")
  env.panel(memories(1, { item("other") }))
  vim.cmd.edit(env.repository({ ["c.txt"] = "c\n" }) .. "/c.txt")
  env.wait("the other panel", function()
    return vim.tbl_contains(env.panel_lines(), "  • other")
  end)
end)

test("the statusline of the panel says whose memory it is", function()
  local others = vim.go.statusline
  env.setup()
  env.panel(memories(1, { item("one") }))
  vim.cmd("WM panel")
  local function shown()
    return vim.api.nvim_eval_statusline(vim.wo[panel_window()].statusline, { winid = panel_window() }).str
  end
  env.equal("Memory", shown())
  vim.cmd.wincmd("p")
  vim.cmd.edit(vim.fn.fnameescape(env.repository({ ["a.txt"] = "one\n" }, "100%f of {it}") .. "/a.txt"))
  env.wait("the folder", function()
    return shown() == "Memory · 100%f of {it}"
  end)
  env.equal({ others, others }, { vim.go.statusline, vim.wo.statusline })
end)

test("the panel before any file says what to do, and then shows the memory", function()
  local root = env.repository({ ["a.txt"] = "one\n" })
  env.setup()
  env.panel(memories(1, { item("one") }))
  vim.cmd("WM panel")
  env.equal({ "Open a file of a project to show its memory here." }, env.panel_lines())
  vim.cmd.wincmd("p")
  vim.cmd.edit(root .. "/a.txt")
  env.wait("the memory", function()
    return vim.tbl_contains(env.panel_lines(), "  • one")
  end)
end)

test("a filter leaves what has its words, and F takes it away", function()
  vim.o.columns = 120
  local child = item("c", { label = "The deep one" })
  local panel = memories(1, { item("one"), item("group", { children = { child } }) }, { show = "nonEmpty" })
  table.insert(panel.sections, { id = "rest", title = "Rest", show = "advanced", items = { item("deep two") } })
  open(panel)
  vim.ui.input = function(_, callback)
    callback("DEEP")
  end
  vim.api.nvim_set_current_win(panel_window())
  env.press("f")
  env.equal({
    "filter: DEEP  (F shows all)",
    "",
    "Workspace memory",
    "  • group",
    "    • The deep one",
    "",
    "Rest",
    "  • deep two",
    "",
  }, env.panel_lines())
  vim.ui.input = function(_, callback)
    callback("nobody said so")
  end
  env.press("f")
  env.equal({
    "filter: nobody said so  (F shows all)",
    "",
    "No item has these words. F shows all items.",
  }, env.panel_lines())
  env.press("F")
  env.equal(
    { "Workspace memory", "  • one", "  • group", "    • The deep one", "", "More …" },
    env.panel_lines()
  )
end)

test("a filter finds what stands beside a text, also its place", function()
  open(memories(1, {
    item("one", { aside = "pkg/cart.go:3" }),
    item("two", { detail = "Fact · claude-code" }),
    item("three"),
  }))
  vim.api.nvim_set_current_win(panel_window())
  for words, id in pairs({ ["cart.go"] = "one", ["CLAUDE fact"] = "two" }) do
    vim.ui.input = function(_, callback)
      callback(words)
    end
    env.press("f")
    local items = vim.tbl_filter(function(line)
      return vim.startswith(line, "  ")
    end, env.panel_lines())
    env.equal({ 1, "  • " .. id }, { #items, items[1]:sub(1, #id + 6) })
  end
end)

--- Returns the titles of the sections that are folded.
local function folded_sections()
  return vim.api.nvim_win_call(panel_window(), function()
    local folded = {}
    for line, content in ipairs(env.panel_lines()) do
      if vim.fn.foldclosed(line) == line then
        table.insert(folded, content)
      end
    end
    return folded
  end)
end

--- Returns a panel with three sections, the last of which comes folded.
local function three_sections(seq)
  local panel = memories(seq, { item("one"), item("two") })
  table.insert(panel.sections, { id = "files", title = "Files", show = "always", items = { item("f") } })
  local recent = { id = "working", title = "Recent", show = "nonEmpty", folded = true, items = { item("two too") } }
  table.insert(panel.sections, recent)
  return panel
end

test("a filter opens what it finds, and the folding is as it was when it ends", function()
  open(three_sections(1))
  press_at("Files", "<CR>")
  env.equal({ "Files", "Recent" }, folded_sections())
  vim.ui.input = function(_, callback)
    callback("two")
  end
  env.press("f")
  env.equal({}, folded_sections())
  change(three_sections(2))
  env.press("F")
  env.equal({ "Files", "Recent" }, folded_sections())
  press_at("Recent", "<CR>")
  env.press("f")
  env.press("F")
  env.equal({ "Files" }, folded_sections())
end)

test("the folding is as it was after a crash, and where the panel is reloaded", function()
  open(three_sections(1))
  press_at("Workspace memory", "<CR>")
  press_at("Recent", "<CR>")
  local after = three_sections(1)
  after.sections[2].items[1].label = "after"
  env.panel(after)
  env.poke("test/crash")
  env.wait("the panel of the new server", function()
    return vim.tbl_contains(env.panel_lines(), "  • after")
  end)
  env.equal({ "Workspace memory" }, folded_sections())
  env.press("R")
  env.equal({ "Workspace memory" }, folded_sections())
end)

test("an item that comes first in a section folds with it", function()
  local panel = three_sections(1)
  panel.sections[1].summary = "2 of 28"
  open(panel)
  panel = three_sections(2)
  panel.sections[1].summary = "3 of 28"
  table.insert(panel.sections[1].items, 1, item("zero"))
  change(panel)
  env.wait("the item", function()
    return vim.tbl_contains(env.panel_lines(), "  • zero")
  end)
  press_at("Workspace memory", "<CR>")
  env.equal({ 1, 4 }, { vim.fn.foldclosed(2), vim.fn.foldclosedend(2) })
end)

test("n and N go on with a search in the panel", function()
  local add = { title = "Remember", key = "n", method = "wm/memory/restore", params = { id = "never" } }
  open(memories(1, { item("one two"), item("three"), item("two") }, { actions = { add } }))
  go("Workspace memory")
  env.press("/two<CR>")
  env.press("n")
  env.equal("  • two", vim.api.nvim_get_current_line())
  env.press("N")
  env.equal("  • one two", vim.api.nvim_get_current_line())
end)

test("a key that the panel has itself is not promised to an action", function()
  local archive = { title = "Archive", key = "a", method = "wm/notes/archive", params = { path = "x.md" } }
  open(memories(1, { item("one", { actions = { archive } }) }))
  go("one")
  local label
  vim.ui.select = function(items, opts, callback)
    label = opts.format_item(items[1])
    callback(items[1])
  end
  env.press("a")
  env.equal({ path = "x.md" }, env.wait_received("wm/notes/archive"))
  env.equal("Archive", label)
end)

test("an action shows what it gives to read", function()
  local explain = { title = "Explain", key = "x", method = "wm/memory/explain", params = { id = "m1" } }
  open(memories(1, { item("memory:m1", { actions = { explain } }) }))
  go("memory:m1")
  env.press("x")
  env.equal({ id = "m1" }, env.wait_received("wm/memory/explain"))
  env.wait("the text", function()
    return vim.api.nvim_buf_get_name(0) == "wm://answer"
  end)
  env.equal("By hand", vim.api.nvim_buf_get_lines(0, 0, 1, false)[1])
end)

test("the pressure shows how it went", function()
  local panel = memories(1, { item("one") })
  panel.pressure = { percentage = 50, level = "safe", history = { { percentage = 10 }, { percentage = 50 } } }
  open(panel)
  env.equal("context 50 % safe ▁▄", env.panel_lines()[1])
end)

test("a context that is critical stands out more than one that gets full, here and in the usage", function()
  open(memories(1, { item("one") }))
  --- Returns the highlight groups of the lines that show the usage of the context.
  local function groups(buf)
    local marks = vim.api.nvim_buf_get_extmarks(buf, -1, 0, { 0, -1 }, { details = true })
    return vim.tbl_map(function(mark)
      return mark[4].hl_group
    end, marks)
  end
  for seq, level in ipairs({ "safe", "moderate", "high", "critical" }) do
    local pressure = { percentage = 95, level = level, used = 95, limit = 100, unit = "chars", lastChecked = "2" }
    local panel = memories(seq + 1, { item("one") })
    panel.pressure = pressure
    change(panel)
    env.wait(level, function()
      return env.panel_lines()[1] == "context 95 % " .. level
    end)
    local group = ({ safe = "WmSummary", critical = "WmError" })[level] or "WmWarning"
    env.equal({ level, { group } }, { level, groups(vim.fn.bufnr("wm://panel")) })
    local sheet = require("wm.usage").sheet({ pressure = pressure }, 60)
    env.equal({ level, group }, { level, sheet.marks[2].group })
  end
end)

test("Enter on what a folder without anything says connects an agent", function()
  local panel = memories(1, {})
  panel.hint = "Rules appear here: connect an agent."
  open(panel)
  local asked
  vim.ui.select = function(_, options, callback)
    asked = options.prompt
    callback(nil)
  end
  press_at("Rules appear", "<CR>")
  env.wait("the question", function()
    return asked == "Which agent is to use the memory?"
  end)
end)
