local env = require("env")
local text = require("wm.text")

test("text of the server stays one line without control characters", function()
  env.equal("a\\nb\\tc\\x1b[31m\\x00\\x7f", text.line("a\nb\tc\27[31m\0\127"))
  env.equal(
    "\\x9b \\u2028 \\u202e \\u2066 é 記 ‘",
    text.line("\194\155 \226\128\168 \226\128\174 \226\129\166 é 記 ‘")
  )
  env.equal("", text.line(vim.NIL))
end)

test("a character that hides or reorders others is written as its code", function()
  local unseen = { 0x9F, 0xAD, 0x34F, 0x61C, 0x115F, 0x180E, 0x200B, 0x200E, 0x202E, 0x2060, 0x2061, 0x2064, 0x2066 }
  vim.list_extend(unseen, { 0x2069, 0x206A, 0x206F, 0xFEFF, 0xFFF9, 0xFFFB, 0xE0000, 0xE007F })
  for _, code in ipairs(unseen) do
    local written = (code < 0x100 and "\\x%02x" or "\\u%04x"):format(code)
    env.equal("a" .. written .. "b", text.line("a" .. vim.fn.nr2char(code) .. "b"))
  end
  -- Joiners are needed by scripts and emoji; the others are neighbours of escaped
  -- characters.
  local seen = { 0xA0, 0xAC, 0x61B, 0x200C, 0x200D, 0x2010, 0x2027, 0x202F, 0x2070, 0xFFFC, 0xE0080, 0x1F600 }
  for _, code in ipairs(seen) do
    env.equal(vim.fn.nr2char(code), text.line(vim.fn.nr2char(code)))
  end
  env.equal("\\u202e\128", text.line("\226\128\174\128")) -- a stray byte hides nothing
end)

test("a long line is cut between characters", function()
  env.equal("éé…", text.line("ééé", 5))
end)

test("what is said fits, or there is no room at all", function()
  for columns, said in pairs({ [80] = "wm: one two", [20] = "wm: one…", [12] = "…" }) do
    vim.o.columns = columns
    text.say("one two")
    env.equal({ columns, said }, { columns, env.said[#env.said] })
  end
end)

test("several lines are split and each is made harmless", function()
  env.equal({ "a", "b\\x1b", "  c" }, text.lines("a\r\nb\27\n\tc"))
end)

test("times are those of here, with the day where it is another", function()
  local function iso(seconds)
    return os.date("!%Y-%m-%dT%H:%M:%S.123Z", seconds)
  end
  local now = os.time()
  env.equal(now, text.seconds(iso(now)))
  env.equal(os.date("%H:%M", now + 3600), text.time(iso(now + 3600)))
  env.equal({ "2030-07-01 02:30", "" }, { text.time("2030-07-01T00:00:00Z"), text.time(vim.NIL) })
  vim.env.TZ = "CET-1CEST,M3.5.0,M10.5.0/3" -- with summer time
  env.equal({ "2030-07-01 02:00", "2030-01-01 01:00" }, {
    text.time("2030-07-01T00:00:00Z"),
    text.time("2030-01-01T00:00:00Z"),
  })
end)

test("an unknown setting is named", function()
  local ok, problem = pcall(require("wm").setup, { panel = { widht = 3 } })
  env.equal({ false, 'wm: unknown setting "panel.widht"; see :help wm-settings' }, { ok, problem })
end)

test("a setting of the wrong type is named", function()
  local ok, problem = pcall(require("wm").setup, { max_bytes = "1" })
  env.equal({ false, 'wm: setting "max_bytes" must be a number; see :help wm-settings' }, { ok, problem })
end)

test("a setting that cannot have a value is named", function()
  for settings, problem in pairs({
    [{ log_level = "verbose" }] = '"log_level" must be one of debug, info, warn, error',
    [{ panel = { position = "top" } }] = '"panel.position" must be one of left, right',
  }) do
    env.equal(
      { false, "wm: setting " .. problem .. "; see :help wm-settings" },
      { pcall(require("wm").setup, settings) }
    )
  end
end)

test("settings of the server are passed on unchecked, the other defaults stay", function()
  local panel = { width = 30, icons = { x = "X" } }
  require("wm.config").apply({ settings = { memory = { maxEntries = 3 } }, panel = panel })
  local current = require("wm.config").current
  env.equal({ 3, 30, "right" }, { current.settings.memory.maxEntries, current.panel.width, current.panel.position })
end)

test("the help names every setting, subcommand and highlight group", function()
  local help = table.concat(vim.fn.readfile(vim.api.nvim_get_runtime_file("doc/wm.txt", false)[1]), "\n")
  local names = { "cmd", "WmTitle", "WmHint" }
  vim.list_extend(names, vim.tbl_keys(require("wm.config").defaults))
  vim.list_extend(names, vim.tbl_keys(require("wm.config").defaults.panel))
  vim.list_extend(
    names,
    vim.tbl_map(function(name)
      return ":WM " .. name
    end, vim.fn.getcompletion("WM ", "cmdline"))
  )
  for _, name in ipairs(names) do
    env.equal({ name, true }, { name, help:find(name, 1, true) ~= nil })
  end
end)

test("help finds its topics after the command that the set-up names", function()
  local doc = vim.fs.dirname(vim.api.nvim_get_runtime_file("doc/wm.txt", false)[1])
  local copy = vim.fn.tempname()
  vim.fn.mkdir(copy .. "/doc", "p")
  vim.uv.fs_copyfile(doc .. "/wm.txt", copy .. "/doc/wm.txt")
  vim.opt.runtimepath:append(copy)
  env.equal(true, table.concat(vim.fn.readfile(doc .. "/wm.txt"), "\n"):find(":helptags /path", 1, true) ~= nil)
  vim.cmd.helptags(copy .. "/doc")
  for _, topic in ipairs({ "wm", "wm-panel", ":WM", "wm-settings" }) do
    vim.cmd.help(topic)
    env.equal(copy .. "/doc/wm.txt", vim.api.nvim_buf_get_name(0))
  end
end)

test("every icon takes one column", function()
  for name, character in pairs(require("wm.icons")) do
    env.equal({ name, 1 }, { name, vim.fn.strdisplaywidth(character) })
  end
end)
