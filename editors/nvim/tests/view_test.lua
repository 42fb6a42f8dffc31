local env = require("env")

--- Opens a file, with the server running.
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
    env.wait_said("recording again") -- what was asked before is answered
    env.said = {}
    env.equal({ window, shown }, { vim.api.nvim_get_current_win(), vim.fn.win_findbuf(vim.fn.bufnr("wm://" .. page)) })
    vim.cmd.tabclose()
  end
end)

test("the window that had the cursor has it again when a page is closed", function()
  open()
  vim.cmd("WM panel")
  wait_current("wm://panel")
  require("wm.view").show("wm://answer", "**Type:** project", { filetype = "markdown" })
  env.press("q")
  wait_current("wm://panel")
end)

test("Markdown is shown without its signs, the context exactly as it is", function()
  open()
  require("wm.view").show("wm://answer", "**Type:** project", { filetype = "markdown" })
  env.equal({ 2, true, true }, { vim.wo.conceallevel, vim.wo.linebreak, vim.wo.breakindent })
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

test("a page for which there is no room gets a tab", function()
  open()
  while pcall(vim.cmd.split) do
  end
  for _, page in ipairs({ "context", "usage", "status" }) do
    vim.cmd("WM " .. page)
    wait_current("wm://" .. page)
    env.equal({ 2, true }, { vim.fn.tabpagenr("$"), #lines() > 2 })
    vim.cmd.close()
  end
end)
