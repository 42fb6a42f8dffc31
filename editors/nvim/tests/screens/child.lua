--- The setup of the child Neovim of the screen tests: the plugin, the fake server, and
--- panels to show.
local here = vim.fs.dirname(vim.fs.normalize(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p")))
package.path = vim.fs.dirname(here) .. "/?.lua;" .. package.path

vim.o.columns, vim.o.lines = 110, 32
vim.o.laststatus, vim.o.ruler, vim.o.showcmd, vim.o.showmode = 0, false, false, false
vim.o.shortmess = vim.o.shortmess .. "FI"
vim.o.background, vim.o.statusline = "dark", "%t"

local echo = vim.api.nvim_echo
local env = require("env")

-- Messages are shown the way Neovim shows a warning.
local note = vim.notify
vim.notify = function(message)
  note(message)
  echo({ { message, "WarningMsg" } }, true, {})
end

local screen = {}
_G.screen = screen

local function item(id, fields)
  return vim.tbl_extend("force", { id = id, kind = "memory", icon = "x", label = id, actions = {} }, fields or {})
end

local forget = { title = "Forget", key = "d", method = "wm/memory/remove", params = { id = "m1" }, destructive = true }
local edit = {
  title = "Edit",
  key = "e",
  method = "wm/memory/update",
  params = { id = "m1" },
  inputs = { { param = "text", prompt = "Text", kind = "text", multiline = true, value = "Use spaces,\nnever tabs" } },
}

local history = {}
for i = 1, 12 do
  history[i] = { at = "2030-01-01T10:00:00Z", percentage = i * 6 }
end

local panels = {
  full = {
    seq = 1,
    badge = 2,
    pressure = { percentage = 72, level = "moderate", history = history },
    sections = {
      {
        id = "memory",
        title = "Workspace memory",
        show = "always",
        summary = "2 of 28 entries",
        budget = { used = 2, max = 28, unit = "entries" },
        items = {
          item("memory:m1", {
            icon = "law",
            tint = "yellow",
            label = "Use spaces, never tabs",
            detail = "Decision · claude-code",
            authorIcon = "hubot",
            aside = ".editorconfig",
            hasMarkdown = true,
            actions = { edit, forget },
          }),
          item("memory:m2", {
            icon = "pinned",
            label = "Answer in short sentences",
            detail = "Preference · person · pinned",
            authorIcon = "person",
          }),
          item("memory:inactive", {
            icon = "history",
            label = "Forgotten",
            detail = "1",
            dimmed = true,
            folded = true,
            children = { item("memory:m3", { icon = "circle-slash", label = "Use tabs", dimmed = true }) },
          }),
        },
      },
      {
        id = "errors",
        title = "Open errors",
        show = "always",
        summary = "2",
        items = {
          item("e1", { icon = "error", label = "undefined: y", detail = "typecheck", aside = "a.go:3", severity = 1 }),
          item("e2", { icon = "warning", label = "TestParse failed", detail = "test · 2×", severity = 2 }),
        },
      },
      { id = "files", title = "Active files", show = "always", items = {}, empty = "No active files." },
      { id = "notes", title = "Notes", show = "nonEmpty", items = {} },
      {
        id = "sessions",
        title = "Sessions",
        show = "advanced",
        items = { item("s1", { icon = "circle-filled", label = "nvim", detail = "you, since 10:00" }) },
      },
    },
  },
  empty = {
    seq = 1,
    badge = 0,
    sections = {
      { id = "memory", title = "Workspace memory", show = "always", items = {}, empty = "Nothing is remembered yet." },
      { id = "errors", title = "Open errors", show = "always", items = {}, empty = "No open errors." },
    },
  },
  hostile = {
    seq = 1,
    badge = 0,
    sections = {
      {
        id = "memory",
        title = "Hostile\27[31m\7 memory",
        show = "always",
        summary = "%{system('x')}%#Error#",
        items = {
          item("h1", { label = "a\nb\r\0c\27]52;c;eA==\7", detail = "<a href='command:x'>\226\128\174gpj" }),
          item("h2", { label = "שלום עולם", detail = "right to left" }),
          item("h3", { label = ("long "):rep(1000) }),
          item("h4", { label = "wide 漢字 beside narrow" }),
        },
      },
    },
  },
}

--- Waits until a window shows a text, and redraws.
---@param part string
function screen.await(part)
  env.wait(part, function()
    for _, win in ipairs(vim.api.nvim_list_wins()) do
      local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false)
      if table.concat(lines, "\n"):find(part, 1, true) then
        return true
      end
    end
  end)
end

--- Waits until no window shows a text.
---@param part string
function screen.gone(part)
  env.wait(part .. " gone", function()
    for _, win in ipairs(vim.api.nvim_list_wins()) do
      local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false)
      if table.concat(lines, "\n"):find(part, 1, true) then
        return false
      end
    end
    return true
  end)
end

--- Opens a file and the panel.
---@param name string
function screen.open(name)
  env.open()
  env.panel(panels[name])
  env.wait_received("textDocument/didOpen")
  vim.cmd("WM panel")
  screen.await(vim.trim(panels[name].sections[1].title:match("^%a+")))
end

--- Moves the cursor to the line that contains a text.
---@param part string
function screen.go(part)
  for line, content in ipairs(env.panel_lines()) do
    if content:find(part, 1, true) then
      return vim.api.nvim_win_set_cursor(vim.fn.bufwinid("wm://panel"), { line, 0 })
    end
  end
  error("no line with " .. part)
end

--- Waits for a message that contains a text.
---@param part string
function screen.said(part)
  env.wait_said(part)
end

--- Opens a file with a server that crashes until it is not restarted any more.
function screen.crashing()
  env.open("crash")
  env.wait_said("keeps exiting")
end

--- Opens the panel without a server.
function screen.missing()
  env.setup(nil, { cmd = { "/nowhere/wm-lsp" } })
  vim.cmd.edit(env.repository({ ["a.txt"] = "one\n" }) .. "/a.txt")
  vim.cmd("WM panel")
end
