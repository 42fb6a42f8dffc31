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

---@alias wm.View.Drawing fun(width: integer): string[], wm.Mark[] gives lines for windows of a width
---@alias wm.View.Content string|wm.View.Drawing

---@class wm.View.Options
---@field filetype? string
---@field title? string shown above the text
---@field exact? boolean whether every character is shown, also of Markdown

local namespace = vim.api.nvim_create_namespace("wm-view")

--- What each buffer shows.
---@type table<integer, wm.View.Drawing>
local drawings = {}

---@param name string
---@return integer? buf
function M.buffer(name)
  local buf = vim.fn.bufnr("^" .. name .. "$")
  return drawings[buf] and buf or nil
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

--- How many cells a line of a buffer has in the narrowest of its windows.
---@param buf integer
---@return integer
function M.width(buf)
  local widths = vim.tbl_map(function(win)
    local info = vim.fn.getwininfo(win)[1]
    return info.width - info.textoff
  end, vim.fn.win_findbuf(buf))
  return math.min(vim.o.columns, unpack(widths))
end

--- Fills a buffer with what it shows from now on.
---@param buf integer
---@param drawing wm.View.Drawing
local function fill(buf, drawing)
  local lines, marks = drawing(M.width(buf))
  drawings[buf] = drawing
  -- What stays as it is keeps its cursors and folds.
  if not vim.deep_equal(vim.api.nvim_buf_get_lines(buf, 0, -1, false), lines) then
    vim.bo[buf].modifiable = true
    vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
    vim.bo[buf].modifiable = false
  end
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  for _, mark in ipairs(marks) do
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

---@param content wm.View.Content
---@return wm.View.Drawing
local function drawing_of(content)
  if type(content) == "function" then
    return content
  end
  local lines = text.lines(content)
  return function()
    return lines, {}
  end
end

---@param name string
---@param options wm.View.Options
---@return integer buf
local function create(name, options)
  local buf = M.new_buffer(name, options.filetype or "text")
  drawings[buf] = drawing_of("")
  vim.keymap.set("n", "q", "<Cmd>close<CR>", { buffer = buf, nowait = true, desc = "wm: close" })
  vim.api.nvim_create_autocmd("BufReadCmd", {
    buffer = buf,
    callback = function()
      fill(buf, drawings[buf])
    end,
  })
  vim.api.nvim_create_autocmd("BufWipeout", {
    buffer = buf,
    callback = function()
      drawings[buf] = nil
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

--- Puts a text in the place of what is shown under a name, wherever that is.
---@param name string of the buffer, such as "wm://context"
---@param content wm.View.Content
---@param options wm.View.Options
function M.update(name, content, options)
  local buf = assert(M.buffer(name))
  fill(buf, drawing_of(content))
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
    list = false,
    number = false,
    relativenumber = false,
    wrap = true,
  })
  M.give_back(win, before)
end

--- Shows a text.
---@param name string of the buffer, such as "wm://context"
---@param content wm.View.Content
---@param options? wm.View.Options
---@return integer? buf none if there is no window for it
function M.show(name, content, options)
  options = options or {}
  local buf = M.buffer(name) or create(name, options)
  if vim.fn.bufwinid(buf) == -1 then
    fill(buf, drawing_of(content)) -- what cannot be drawn gets no window
    if not M.try("this cannot be shown", open_page, buf, options) then
      return nil
    end
  end
  M.update(name, content, options)
  return buf
end

---@param group integer
function M.setup(group)
  vim.api.nvim_create_autocmd("WinResized", {
    group = group,
    callback = function()
      for buf, drawing in pairs(drawings) do
        fill(buf, drawing)
      end
    end,
  })
end

return M
