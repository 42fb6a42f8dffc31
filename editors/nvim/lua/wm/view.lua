--- Texts in a split of their own, which can be thrown away. What is shown again
--- under the same name takes the place of what was there, and no focus.
local text = require("wm.text")
local window = require("wm.window")

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

--- Fills a buffer with what it shows from now on.
---@param buf integer
---@param drawing wm.View.Drawing
local function fill(buf, drawing)
  local lines, marks = drawing(window.width(buf))
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

--- Puts a text in the place of what is shown under a name, wherever that is.
---@param name string of the buffer, such as "wm://context"
---@param content wm.View.Content
---@param options wm.View.Options
function M.update(name, content, options)
  local buf = assert(M.buffer(name))
  fill(buf, drawing_of(content))
  if options.title then
    window.set_title(buf, text.line(options.title, 200), "q closes")
  end
end

---@param buf integer
---@param options wm.View.Options
local function open_page(buf, options)
  local before = vim.api.nvim_get_current_win()
  window.go_to_files()
  local win = window.open_below(buf, true, { win = 0 }, {
    breakindent = true,
    conceallevel = options.filetype == "markdown" and not options.exact and 2 or 0,
    foldenable = false,
    linebreak = true,
    list = false,
    number = false,
    relativenumber = false,
    wrap = true,
  })
  window.give_back(win, before)
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
    if not window.try("this cannot be shown", open_page, buf, options) then
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
