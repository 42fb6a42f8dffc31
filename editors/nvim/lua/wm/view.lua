--- Read-only pages in a split of their own. A page that is shown again under the same
--- name is replaced in place and does not take the focus.
local markdown = require("wm.markdown")
local text = require("wm.text")
local window = require("wm.window")

local M = {}

---@class wm.Mark a highlight: line from 0, byte columns
---@field line integer
---@field from integer
---@field to integer
---@field group? string
---@field link? string where it leads

---@alias wm.View.Drawing fun(width: integer): string[], wm.Mark[] returns the lines for a width
---@alias wm.View.Content string|wm.View.Drawing

---@class wm.View.Options
---@field filetype? string
---@field title? string shown above the text
---@field markdown? boolean whether the text is Markdown, of which what it means is shown

local namespace = vim.api.nvim_create_namespace("wm-view")

--- The drawing of each buffer.
---@type table<integer, wm.View.Drawing>
local drawings = {}

---@param name string
---@return integer? buf
function M.buffer(name)
  local buf = vim.fn.bufnr("^" .. name .. "$")
  return drawings[buf] and buf or nil
end

--- Returns the target of the link at the cursor.
---@return string?
function M.link_at_cursor()
  local buf = vim.api.nvim_get_current_buf()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local _, marks = drawings[buf](window.width(buf))
  for _, mark in ipairs(marks) do
    if mark.link and mark.line == row - 1 and mark.from <= column and column < mark.to then
      return mark.link
    end
  end
end

--- Sets the marks of a buffer.
---@param buf integer
---@param marks wm.Mark[]
function M.mark(buf, marks)
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  for _, mark in ipairs(marks) do
    vim.api.nvim_buf_set_extmark(buf, namespace, mark.line, mark.from, {
      end_col = mark.to,
      hl_group = mark.group,
    })
  end
end

--- Sets the drawing of a buffer and draws it.
---@param buf integer
---@param drawing wm.View.Drawing
local function fill(buf, drawing)
  local lines, marks = drawing(window.width(buf))
  drawings[buf] = drawing
  -- Unchanged lines keep their cursors and folds.
  if not vim.deep_equal(vim.api.nvim_buf_get_lines(buf, 0, -1, false), lines) then
    vim.bo[buf].modifiable = true
    vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
    vim.bo[buf].modifiable = false
  end
  M.mark(buf, marks)
end

--- Creates a read-only buffer. An existing buffer of that name is deleted: it comes
--- from a restored session, or its window could not be opened.
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
---@param options wm.View.Options
---@return wm.View.Drawing
local function drawing_of(content, options)
  if type(content) == "function" then
    return content
  end
  local lines = text.lines(content)
  local marks = {}
  if options.markdown then
    lines, marks = markdown.shown(lines)
  end
  return function()
    return lines, marks
  end
end

---@param name string
---@param options wm.View.Options
---@return integer buf
local function create(name, options)
  local buf = M.new_buffer(name, options.filetype or options.markdown and "wm-page" or "text")
  drawings[buf] = drawing_of("", options)
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

--- Replaces the text of the page with a name, wherever it is shown.
---@param name string the buffer's name, such as "wm://context"
---@param content wm.View.Content
---@param options wm.View.Options
function M.update(name, content, options)
  local buf = assert(M.buffer(name))
  fill(buf, drawing_of(content, options))
  if options.title then
    window.set_title(buf, text.line(options.title, 200), "q closes")
  end
end

---@param buf integer
local function open_page(buf)
  local before = vim.api.nvim_get_current_win()
  window.go_to_files()
  local win = window.open_below(buf, true, { win = 0 }, {
    breakindent = true,
    breakindentopt = "list:-1", -- below the text of an item
    conceallevel = 0,
    foldenable = false,
    linebreak = true,
    list = false,
    number = false,
    relativenumber = false,
    wrap = true,
  })
  window.give_back(win, before)
end

--- Shows text in a window that has the focus: a new one, or the one in this tab.
---@param name string the buffer's name, such as "wm://context"
---@param content wm.View.Content
---@param options? wm.View.Options
---@return integer? buf nil if no window could be opened
function M.show(name, content, options)
  options = options or {}
  local buf = M.buffer(name) or create(name, options)
  local win = vim.fn.bufwinid(buf)
  local shown
  if win == -1 then
    fill(buf, drawing_of(content, options)) -- before a window is opened, because drawing may fail
    shown = window.try("this cannot be shown", open_page, buf)
  else
    shown = window.try("this cannot be shown", vim.api.nvim_set_current_win, win)
  end
  if not shown then
    return nil
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
