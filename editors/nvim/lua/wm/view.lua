--- Texts in a split of their own, which can be thrown away. What is shown again
--- under the same name takes the place of what was there, and no focus.
local config = require("wm.config")
local text = require("wm.text")

local M = {}

---@class wm.Mark a highlight: line from 0, byte columns
---@field line integer
---@field from integer
---@field to integer
---@field group string

---@class wm.View.Options
---@field filetype? string
---@field title? string shown above the text
---@field marks? wm.Mark[]
---@field wrap? boolean
---@field exact? boolean whether every character is shown, also of Markdown

local namespace = vim.api.nvim_create_namespace("wm-view")

--- What each buffer shows.
---@type table<integer, {lines: string[], marks: wm.Mark[]}>
local contents = {}

---@param name string
---@return integer? buf
function M.buffer(name)
  local buf = vim.fn.bufnr("^" .. name .. "$")
  return contents[buf] and buf or nil
end

--- Sets options of a window for the buffer that it shows, and for nothing else that is
--- shown in it.
---@param win integer
---@param options table<string, any>
function M.set_options(win, options)
  for name, value in pairs(options) do
    vim.api.nvim_set_option_value(name, value, { win = win, scope = "local" })
  end
end

---@param buf integer
local function fill(buf)
  local content = contents[buf]
  -- What stays as it is keeps its cursors and folds.
  if not vim.deep_equal(vim.api.nvim_buf_get_lines(buf, 0, -1, false), content.lines) then
    vim.bo[buf].modifiable = true
    vim.api.nvim_buf_set_lines(buf, 0, -1, false, content.lines)
    vim.bo[buf].modifiable = false
  end
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  for _, mark in ipairs(content.marks) do
    vim.api.nvim_buf_set_extmark(buf, namespace, mark.line, mark.from, { end_col = mark.to, hl_group = mark.group })
  end
end

--- A buffer that nobody writes into. Another one of its name shows nothing: it is of a
--- session that was restored, or had no room.
---@param name string
---@param filetype string
---@return integer buf
function M.new_buffer(name, filetype)
  local old = vim.fn.bufnr("^" .. name .. "$")
  if old ~= -1 then
    vim.api.nvim_buf_delete(old, { force = true })
  end
  local buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buf, name)
  vim.bo[buf].bufhidden = "wipe"
  vim.bo[buf].undolevels = -1
  vim.bo[buf].modifiable = false
  vim.bo[buf].filetype = filetype
  return buf
end

---@param name string
---@param options wm.View.Options
---@return integer buf
local function create(name, options)
  local buf = M.new_buffer(name, options.filetype or "text")
  contents[buf] = { lines = {}, marks = {} }
  vim.keymap.set("n", "q", "<Cmd>close<CR>", { buffer = buf, nowait = true, desc = "wm: close" })
  vim.api.nvim_create_autocmd("BufReadCmd", {
    buffer = buf,
    callback = function()
      fill(buf)
    end,
  })
  vim.api.nvim_create_autocmd("BufWipeout", {
    buffer = buf,
    callback = function()
      contents[buf] = nil
    end,
  })
  return buf
end

---@param win integer
local function is_float(win)
  return vim.api.nvim_win_get_config(win).relative ~= ""
end

--- Why something failed, in one line.
---@param problem string
---@return string
local function reason(problem)
  if problem:find("E11:", 1, true) then
    return "close the command-line window first"
  end
  return problem:match("E%d+: [^\n]*") or problem:match("callback: ([^\n]*)") or problem:gsub("^.-:%d+: ", "")
end

--- Does what Neovim may refuse, as for want of room. If it does, says so in one line.
---@param failure string
---@param does fun(...): any
---@return boolean done
---@return any result
function M.try(failure, does, ...)
  local done, result = pcall(does, ...)
  if not done then
    text.warn(("%s: %s"):format(failure, reason(tostring(result))))
  end
  return done, result
end

--- Does what enters a window. If an autocommand fails then, such as one of another
--- plugin, the window is entered all the same.
---@param does fun(...): any
---@return any result of what it does, or the window
local function enter(does, ...)
  local before = vim.api.nvim_get_current_win()
  local done, result = pcall(does, ...)
  if done then
    return result
  end
  local win = vim.api.nvim_get_current_win()
  if win == before then
    error(result, 0)
  end
  text.warn("an autocommand failed: " .. reason(tostring(result)))
  return win
end

---@param buf integer
---@param focus boolean
---@param shape vim.api.keyset.win_config
---@return integer win
function M.open_window(buf, focus, shape)
  return enter(vim.api.nvim_open_win, buf, focus, shape)
end

--- A window for files: the last one used, else any, else a new one beside the panel.
---@return integer
local function file_window()
  local windows = { vim.fn.win_getid(vim.fn.winnr("#")) }
  vim.list_extend(windows, vim.api.nvim_tabpage_list_wins(0))
  for _, win in ipairs(windows) do
    if win ~= 0 and not is_float(win) and vim.bo[vim.api.nvim_win_get_buf(win)].buftype == "" then
      return win
    end
  end
  local side = config.current.panel.position == "left" and "right" or "left"
  return vim.api.nvim_open_win(vim.api.nvim_create_buf(true, false), false, { split = side, win = -1 })
end

--- Goes from the panel, which is narrow, and from a window over others, which cannot be
--- split, to a window for files; elsewhere it stays.
function M.leave_panel()
  if vim.bo.filetype == "wm-panel" or is_float(0) then
    enter(vim.api.nvim_set_current_win, file_window())
  end
end

--- Opens a window below, or a tab where there is no room for one.
---@param buf integer
---@param focus boolean
---@param shape vim.api.keyset.win_config
---@return integer win
local function open_below(buf, focus, shape)
  local before = vim.api.nvim_get_current_win()
  local ok, opened = pcall(M.open_window, buf, focus, vim.tbl_extend("error", shape, { split = "below" }))
  if ok then
    return opened
  elseif not tostring(opened):find("E36:", 1, true) then
    error(opened, 0)
  end
  enter(vim.cmd.sbuffer, { buf, mods = { tab = vim.fn.tabpagenr("$") } })
  local win = vim.api.nvim_get_current_win()
  if not focus then
    enter(vim.api.nvim_set_current_win, before)
  end
  return win
end

--- Opens a window for a text that belongs to no other window.
---@param buf integer
---@param focus boolean
---@param shape vim.api.keyset.win_config
---@param options table<string, any>
---@return integer win
function M.window(buf, focus, shape, options)
  local win = open_below(buf, focus, shape)
  M.set_options(win, vim.tbl_extend("error", { scrollbind = false, cursorbind = false }, options))
  return win
end

--- Opens a file in a window of its own.
---@param path string
---@return boolean done
function M.open_file(path)
  local done = M.try("this file cannot be opened", function()
    M.leave_panel()
    local buf = vim.fn.bufadd(path)
    vim.bo[buf].buflisted = true
    open_below(buf, true, { win = 0 })
  end)
  return done
end

--- Gives the cursor back, when a window is closed that has it, to the one that had it.
---@param win integer
---@param before integer
function M.give_back(win, before)
  vim.api.nvim_create_autocmd("WinClosed", {
    pattern = tostring(win),
    once = true,
    callback = function()
      if vim.api.nvim_get_current_win() == win then
        vim.schedule(function()
          pcall(vim.api.nvim_set_current_win, before)
        end)
      end
    end,
  })
end

--- Puts a text, or lines, in the place of what is shown under a name, wherever that is.
---@param name string of the buffer, such as "wm://context"
---@param content string|string[]
---@param options wm.View.Options
function M.update(name, content, options)
  local buf = assert(M.buffer(name))
  contents[buf] = {
    lines = type(content) == "table" and content or text.lines(content),
    marks = options.marks or {},
  }
  fill(buf)
  for _, win in ipairs(options.title and vim.fn.win_findbuf(buf) or {}) do
    vim.wo[win].winbar = text.line(options.title, 200):gsub("%%", "%%%%") .. "%=q closes "
  end
end

---@param buf integer
---@param options wm.View.Options
local function open_page(buf, options)
  local before = vim.api.nvim_get_current_win()
  M.leave_panel()
  local win = M.window(buf, true, { win = 0 }, {
    breakindent = true,
    conceallevel = options.filetype == "markdown" and not options.exact and 2 or 0,
    foldenable = false,
    linebreak = true,
    number = false,
    relativenumber = false,
    wrap = options.wrap ~= false,
  })
  M.give_back(win, before)
end

--- Shows a text, or lines.
---@param name string of the buffer, such as "wm://context"
---@param content string|string[]
---@param options? wm.View.Options
---@return integer? buf none if there is no window for it
function M.show(name, content, options)
  options = options or {}
  local buf = M.buffer(name) or create(name, options)
  if vim.fn.bufwinid(buf) == -1 and not M.try("this cannot be shown", open_page, buf, options) then
    return nil
  end
  M.update(name, content, options)
  return buf
end

return M
