local env = require("env")
local input = require("wm.input")

--- Sets up the plugin without a server.
local function setup()
  require("wm").setup({ cmd = { "/nowhere/wm-lsp" } })
end

--- Opens a multi-line input; submitted texts are collected with their drafts.
---@return {[1]: string, [2]: wm.Draft}[] taken
---@return integer buf
local function open()
  local taken = {}
  input.open("Text", "first", function(given, draft)
    table.insert(taken, { given, draft })
  end)
  return taken, vim.api.nvim_get_current_buf()
end

--- Runs a command that tries to quit and is stopped.
---@param command string
local function held_back(command)
  local quit = vim.api.nvim_create_autocmd("VimLeavePre", {
    callback = function()
      io.stderr:write(command, " has quit\n")
      os.exit(1)
    end,
  })
  pcall(vim.cmd, command)
  vim.api.nvim_del_autocmd(quit)
  local done = false
  vim.schedule(function()
    done = true
  end)
  env.wait("what the command has put off", function()
    return done
  end)
end

local function content(buf)
  return vim.api.nvim_buf_get_lines(buf, 0, -1, false)
end

--- Returns the drafts that are open.
---@return integer[]
local function drafts()
  return vim.tbl_filter(function(buf)
    return vim.api.nvim_buf_get_name(buf):find("wm://input", 1, true) ~= nil
  end, vim.api.nvim_list_bufs())
end

test("the editor does not quit while a text that was written has not arrived", function()
  setup()
  for _, command in ipairs({ "wqall", "xall", "only | wq", "only | x" }) do
    local taken, buf = open()
    vim.api.nvim_buf_set_lines(buf, 0, -1, false, { command })
    held_back(command)
    env.equal({ { command }, true, command }, { content(buf), vim.bo[buf].modified, taken[1][1] })
    env.wait_said("this text has not been accepted yet")
    taken[1][2]:done()
    env.wait("the text closed", function()
      return not vim.api.nvim_buf_is_valid(buf)
    end)
    env.equal(1, #taken)
  end
end)

test("the editor does not quit while a text has not arrived whose split was closed", function()
  setup()
  local taken, buf = open()
  vim.cmd.wq()
  env.equal(false, vim.api.nvim_buf_is_valid(buf))
  env.wait("the text taken", function()
    return #taken == 1
  end)
  local window = vim.api.nvim_get_current_win()
  held_back("qall")
  local back = drafts()[1]
  env.equal({ { "first" }, true, window }, { content(back), vim.bo[back].modified, vim.api.nvim_get_current_win() })
  vim.api.nvim_set_current_win(vim.fn.bufwinid(back))
  vim.cmd.write()
  env.wait_said("this text is already being sent")
  held_back("qall")
  env.equal({ true, 1 }, { vim.bo[back].modified, #taken })
  taken[1][2]:done()
  env.wait("the text closed", function()
    return #drafts() == 0
  end)
end)

test("what was asked for elsewhere keeps the editor from quitting, too", function()
  setup()
  input.draft("precious", function() end)
  held_back("quit")
  env.equal({ "precious" }, content(drafts()[1]))
end)

test("the editor quits with what has arrived", function()
  local program = [[
    local env = require("env")
    require("wm").setup({ cmd = { "/nowhere/wm-lsp" } })
    require("wm.input").open("Text", "first", function(text, draft)
      vim.defer_fn(function()
        draft:done()
        io.stdout:write("arrived")
      end, 20)
    end)
    vim.api.nvim_buf_set_lines(0, 0, -1, false, { "second" })
    vim.cmd(...)
    vim.cmd("cquit 3")
  ]]
  local path = vim.fn.tempname()
  env.write(path, ("package.path = %q\nlocal run = function(...) %s end\nrun(arg[1])"):format(package.path, program))
  for _, command in ipairs({ "wqall", "only | wq", "wq | qall" }) do
    local child = vim.system({ vim.v.progpath, "--headless", "--clean", "-l", path, command }, { text = true }):wait()
    env.equal({ command, 0, "arrived" }, { command, child.code, child.stdout })
  end
end)

test("what is refused while the editor quits is shown with its reason", function()
  setup()
  input.open("Text", "first", function(_, draft)
    draft:failed("rejected")
  end)
  local buf = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, { "second" })
  held_back("wqall")
  env.equal({ true, true }, { vim.wo.winbar:find("rejected", 1, true) ~= nil, vim.bo[buf].modified })
end)

test("a text that failed is shown in a tab where there is no room", function()
  setup()
  local draft = input.draft("precious", function() end)
  while pcall(vim.cmd.split) do
  end
  local window = vim.api.nvim_get_current_win()
  draft:failed("rejected")
  env.equal(
    { { "precious" }, 2, window },
    { content(drafts()[1]), vim.fn.tabpagenr("$"), vim.api.nvim_get_current_win() }
  )
end)

test("a text that is read again is as it was, and under another name it is a file", function()
  setup()
  local taken, buf = open()
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, { "second" })
  local path = vim.fn.tempname()
  vim.cmd.write(path)
  env.equal({ { "second" }, {}, true }, { vim.fn.readfile(path), taken, vim.bo[buf].modified })
  pcall(vim.cmd.saveas, vim.fn.tempname())
  env.equal({ { "second" }, {} }, { content(buf), taken })
  vim.cmd("quit!")
  taken, buf = open()
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, { "third" })
  vim.cmd("edit!")
  env.equal({ { "first" }, false }, { content(buf), vim.bo[buf].modified })
  vim.cmd.write()
  env.wait("the text taken", function()
    return #taken == 1
  end)
  env.equal("first", taken[1][1])
end)

test("a text that is hidden stays, and the editor does not quit without it", function()
  setup()
  for _, hide in ipairs({ "hide", "close", "wincmd p | only", "edit " .. vim.fn.tempname() }) do
    local _, buf = open()
    vim.api.nvim_buf_set_lines(buf, 0, -1, false, { hide })
    vim.cmd(hide)
    env.equal({ hide, -1, "" }, { hide, vim.fn.bufwinid(buf), vim.wo.winbar })
    held_back("qall")
    env.equal({ hide, { hide }, true }, { hide, content(buf), vim.bo[buf].modified })
    vim.cmd("new | only")
    vim.cmd.sbuffer(buf)
    env.equal({ hide, true }, { hide, vim.wo.winbar:find("Text", 1, true) ~= nil })
    env.equal({ hide, false, buf }, { hide, pcall(vim.cmd.quit), vim.api.nvim_get_current_buf() })
    vim.cmd("quit!")
    env.equal({ hide, {} }, { hide, drafts() })
  end
end)

test("a text that failed while it was hidden is shown again", function()
  setup()
  local taken, buf = open()
  vim.cmd.write()
  env.wait("the text taken", function()
    return #taken == 1
  end)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, { "second" })
  vim.cmd.hide()
  taken[1][2]:failed("rejected")
  local window = vim.fn.bufwinid(buf)
  env.equal({ { "second" }, true }, { content(buf), vim.wo[window].winbar:find("rejected", 1, true) ~= nil })
end)

test("a text that was not changed is gone when it is hidden", function()
  setup()
  for _, hide in ipairs({ "hide", "close", "quit", "wincmd p | only" }) do
    open()
    vim.cmd(hide)
    env.wait(hide .. " leaving nothing", function()
      return #drafts() == 0
    end)
  end
end)
