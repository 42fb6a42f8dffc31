local env = require("env")

--- Opens a file and waits for the server.
local function open()
  env.open()
  env.wait_received("textDocument/didOpen")
  env.wait("the server running", function()
    local _, workspace = next(require("wm.client").workspaces())
    return workspace and workspace.state == "running"
  end)
end

--- Waits until the cursor is in a buffer with this name.
---@param name string
local function wait_current(name)
  env.wait("the cursor in " .. name, function()
    return vim.endswith(vim.api.nvim_buf_get_name(0), name)
  end)
end

local function lines()
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end

test("a page that is shown in another tab is brought up to date there", function()
  open()
  for _, page in ipairs({ "context", "usage" }) do
    vim.cmd("WM " .. page)
    wait_current("wm://" .. page)
    vim.cmd.tabnew()
    local window, shown = vim.api.nvim_get_current_win(), vim.fn.win_findbuf(vim.fn.bufnr("wm://" .. page))
    local asked = #env.received("wm/context")
    env.poke("test/changed")
    env.wait_received("wm/context", asked + 1)
    env.poke("test/last")
    env.wait_received("test/last", page == "context" and 1 or 2)
    vim.cmd("WM resume")
    env.wait_said("recording resumed") -- what was asked before is answered
    env.said = {}
    env.equal({ window, shown }, { vim.api.nvim_get_current_win(), vim.fn.win_findbuf(vim.fn.bufnr("wm://" .. page)) })
    vim.cmd.tabclose()
  end
end)

test("Markdown is shown as what it means, without its signs, which break no line early; code stays as it is", function()
  local page = {
    "- **Said by:** a **b [c](wm:d)** \\*\\*e\\*\\*, f\\_g, 2 * 3 ** 4",
    "### What **happened**",
    "```sh",
    "# a \\comment **x**",
    "```",
    "#hashtag ####### seven \\[1\\]",
    "````",
    "```",
    "````",
    "run `go **test**` and `` `x` `` or `y",
  }
  --- Shows the page and returns its lines, what of it is highlighted and how, and whether something is concealed.
  local function shown(name, options)
    local buf = require("wm.view").show(name, table.concat(page, "\n"), options)
    local space = vim.api.nvim_get_namespaces()["wm-view"]
    local text, found = vim.api.nvim_buf_get_lines(buf, 0, -1, false), {}
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buf, space, 0, -1, { details = true })) do
      local _, line, from, details = unpack(mark)
      table.insert(found, details.hl_group .. ": " .. text[line + 1]:sub(from + 1, details.end_col))
    end
    table.sort(found)
    return text, found, vim.wo[vim.fn.bufwinid(buf)].conceallevel
  end
  env.equal({
    {
      "- Said by: a b c **e**, f_g, 2 * 3 ** 4",
      "What happened",
      "# a \\comment **x**",
      "#hashtag ####### seven [1]",
      "```",
      "run go **test** and `x` or `y",
    },
    {
      "WmCode: # a \\comment **x**",
      "WmCode: ```",
      "WmCode: `x`",
      "WmCode: go **test**",
      "WmLink: c",
      "WmStrong: Said by:",
      "WmStrong: b c",
      "WmStrong: happened",
      "WmTitle: What happened",
    },
    0,
  }, { shown("wm://answer", { markdown = true }) })
  env.equal({ page, {}, 0 }, { shown("wm://context", { filetype = "markdown" }) })
  env.equal({ page, {}, 0 }, { shown("wm://doctor", {}) })
end)

test("a link is shown by its name, which breaks no line early, but not in code, nor in a text that is exact", function()
  local page = {
    "- In [a.go](file:///a/very/long/path/a.go) and [b [1]](wm:memory%3Ab), and [no](link)",
    "`x[0](wm:y)` ``a`[b](wm:c)`` \\[c](wm:d) ` [d](wm:e)",
    "```",
    "[e](wm:f)",
    "```",
    "see [\\*x](wm:g)",
  }
  local function shown(name, options)
    local buf = require("wm.view").show(name, table.concat(page, "\n"), options)
    return vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  end
  local expected = {
    "- In a.go and b [1], and [no](link)",
    "x[0](wm:y) a`[b](wm:c) [c](wm:d) ` d",
    "[e](wm:f)",
    "see *x",
  }
  env.equal(expected, shown("wm://answer", { markdown = true }))
  vim.cmd.wincmd("b")
  local function link_at(row, column)
    vim.api.nvim_win_set_cursor(0, { row, column })
    return require("wm.view").link_at_cursor()
  end
  env.equal({ nil, "file:///a/very/long/path/a.go" }, { link_at(1, 4), link_at(1, 5) })
  env.equal({ "file:///a/very/long/path/a.go", nil }, { link_at(1, 8), link_at(1, 9) })
  env.equal({ "wm:memory%3Ab", "wm:e", nil }, { link_at(1, 18), link_at(2, 35), link_at(3, 1) })
  env.equal({ nil, "wm:g" }, { link_at(4, 3), link_at(4, 5) })
  env.equal(page, shown("wm://context", { filetype = "markdown" }))
  env.equal(page, shown("wm://doctor", {}))
end)

test("the window that had the cursor has it again when a page is closed", function()
  open()
  vim.cmd("WM panel")
  wait_current("wm://panel")
  require("wm.view").show("wm://answer", "**Type:** project", { markdown = true })
  env.press("q")
  wait_current("wm://panel")
end)

test("a page opens from a window over others, also where only the panel is below", function()
  open()
  vim.cmd("WM panel")
  vim.cmd.only()
  vim.lsp.util.open_floating_preview({ "text" }, "", { focus_id = "test" })
  vim.lsp.util.open_floating_preview({ "text" }, "", { focus_id = "test" })
  env.equal(true, vim.api.nvim_win_get_config(0).relative ~= "")
  vim.cmd("WM context")
  wait_current("wm://context")
  env.equal({ "", {} }, { vim.api.nvim_win_get_config(0).relative, env.said })
end)

test("Markdown is shown without its signs, the context exactly as it is", function()
  open()
  require("wm.view").show("wm://answer", "**Type:** project", { markdown = true })
  env.equal(
    { { "Type: project" }, 0, true, true },
    { lines(), vim.wo.conceallevel, vim.wo.linebreak, vim.wo.breakindent }
  )
  vim.cmd("WM context")
  wait_current("wm://context")
  env.equal({ 0, true, true }, { vim.wo.conceallevel, vim.wo.linebreak, vim.wo.breakindent })
end)

test("a page that is read again shows the same", function()
  open()
  vim.cmd("WM context")
  wait_current("wm://context")
  for _, command in ipairs({ "edit", "edit!" }) do
    vim.cmd(command)
    env.equal({ { "<context>", "line two", "</context>" }, false }, { lines(), vim.bo.modifiable })
  end
end)

test("what is shown has the options that it needs, and leaves none to the next file there", function()
  open()
  vim.o.number = true
  vim.cmd("set scrollbind cursorbind foldlevel=0 foldmethod=indent")
  require("wm.view").show("wm://answer", "one\n    two\n    three", { markdown = true })
  local function options()
    return vim.tbl_map(function(name)
      return vim.wo[name]
    end, { "scrollbind", "cursorbind", "foldenable", "number", "conceallevel", "linebreak" })
  end
  env.equal({ false, false, false, false, 0, true }, options())
  vim.cmd.edit("b.txt")
  env.equal({ true, true, true, true, 0, false }, options())
end)

test("a page takes the place of the one of a session that was restored", function()
  open()
  vim.cmd("WM context")
  wait_current("wm://context")
  local session = vim.fn.tempname()
  vim.cmd.mksession(session)
  vim.cmd("silent %bwipeout!")
  vim.cmd("silent source " .. session)
  vim.cmd("WM context")
  env.wait("the context", function()
    return vim.bo.buftype == "nofile"
  end)
  env.equal({ "wm://context", 3, false, 2 }, {
    vim.api.nvim_buf_get_name(0),
    #lines(),
    vim.bo.modified,
    #vim.api.nvim_list_wins(),
  })
end)

--- Everything that opens a window, with its content.
local COMMANDS = {
  context = "wm://context",
  usage = "wm://usage",
  doctor = "wm://doctor",
  ["trace e1"] = "wm://trace",
  overview = "overview.md",
  log = "wm-lsp.log",
}

--- Writes the files to open.
local function write_files()
  vim.env.FAKE_NOTES = vim.fn.tempname()
  vim.fn.mkdir(vim.env.FAKE_NOTES, "p")
  env.write(vim.env.FAKE_NOTES .. "/overview.md", "one\ntwo")
  vim.fn.mkdir(vim.fs.dirname(require("wm.client").log_path()), "p")
  env.write(require("wm.client").log_path(), "one\ntwo")
end

test("a page for which there is no room gets a tab", function()
  write_files()
  open()
  while pcall(vim.cmd.split) do
  end
  for command, name in pairs(COMMANDS) do
    vim.cmd("WM " .. command)
    wait_current(name)
    env.equal({ command, 2, true }, { command, vim.fn.tabpagenr("$"), #lines() > 1 })
    vim.cmd.close()
  end
end)

test("what cannot be shown over the command-line window says so, and is shown after it", function()
  write_files()
  open()
  local refusals, first = {}, "close the command-line window first"
  for command, name in pairs(COMMANDS) do
    refusals["WM " .. command] = vim.startswith(name, "wm:") and "this cannot be shown: "
      or "this file cannot be opened: "
  end
  refusals["WM search"] = "the search cannot be opened here: "
  vim.v.errmsg = ""
  vim.api.nvim_create_autocmd("CmdwinEnter", {
    callback = function()
      for command, refusal in pairs(refusals) do
        env.said = {}
        vim.cmd(command)
        env.wait_said("wm: " .. refusal .. first)
        env.equal({ command, 1, 2 }, { command, #env.said, #vim.api.nvim_list_wins() })
      end
      require("wm.input").open("Text", "", function() end)
      env.wait_said("wm: the text cannot be shown: " .. first)
      require("wm.input").draft("precious", function() end):failed("rejected")
    end,
  })
  env.press("q:<C-c><C-c>")
  env.equal("", vim.v.errmsg)
  vim.cmd.wincmd("b")
  env.equal({ { "precious" }, true }, { lines(), vim.bo.modified })
  vim.cmd("WM context")
  wait_current("wm://context")
  env.equal(3, #lines())
end)

test("what cannot be drawn opens no window", function()
  open()
  env.answer('{"pressure":{"lastChecked":"2","percentage":[]}}')
  vim.cmd("WM usage")
  env.wait_said("the server sent an invalid response")
  vim.api.nvim_exec_autocmds("WinResized", {})
  env.equal(1, #vim.api.nvim_list_wins())
end)

test("what opens does so also if an autocommand fails, which is said", function()
  write_files()
  open()
  vim.api.nvim_create_autocmd("BufEnter", {
    callback = function()
      error("it is not ours")
    end,
  })
  local function failing(command)
    env.said = {}
    vim.cmd(command)
    env.wait_said("it is not ours")
    env.equal({ command, true }, { command, vim.startswith(env.said[1], "wm: an autocommand failed: ") })
  end
  for command, name in pairs(COMMANDS) do
    failing("WM " .. command)
    wait_current(name)
    env.wait(command, function()
      return #lines() > 0 and lines()[1] ~= ""
    end)
    env.equal({ command, 1 }, { command, #env.said })
    pcall(vim.cmd.close)
  end
  failing("WM panel")
  wait_current("wm://panel")
  env.equal(false, vim.wo.number)
  vim.cmd("WM context")
  wait_current("wm://context")
  env.equal(3, #lines())
  failing("WM search")
  env.equal("", vim.api.nvim_buf_get_name(0))
end)

test("what opens without the focus does so also if an autocommand fails", function()
  local root = env.open(nil, { panel = { focus = false } })
  env.wait_received("textDocument/didOpen")
  vim.api.nvim_create_autocmd("BufWinEnter", {
    callback = function()
      error("it is not ours")
    end,
  })
  env.panel({ seq = 1, badge = 0, sections = { { id = "memory", title = "Memory", show = "always", items = {} } } })
  vim.cmd("WM panel")
  env.wait_said("it is not ours")
  env.wait("the panel painted", function()
    return vim.tbl_contains(env.panel_lines(), "Memory")
  end)
  env.equal(root .. "/a.txt", vim.api.nvim_buf_get_name(0))
  vim.cmd("WM search")
  env.equal(4, #vim.api.nvim_list_wins())
  env.press("<Esc>")
  env.equal(2, #vim.api.nvim_list_wins())
end)
