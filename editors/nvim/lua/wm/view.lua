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

local namespace = vim.api.nvim_create_namespace("wm-view")

---@param name string
---@return integer? buf
function M.buffer(name)
  local buf = vim.fn.bufnr("^" .. name .. "$")
  return buf ~= -1 and vim.api.nvim_buf_is_loaded(buf) and buf or nil
end

---@param name string
---@param options wm.View.Options
---@return integer buf
local function create(name, options)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buf, name)
  vim.bo[buf].bufhidden = "wipe"
  vim.bo[buf].undolevels = -1
  vim.bo[buf].modifiable = false
  vim.bo[buf].filetype = options.filetype or "text"
  vim.keymap.set("n", "q", "<Cmd>close<CR>", { buffer = buf, nowait = true, desc = "wm: close" })
  return buf
end

---@param buf integer
---@param lines string[]
---@param marks wm.Mark[]
local function fill(buf, lines, marks)
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

--- A window for files: the last one used, else any, else a new one beside the panel.
---@return integer
local function file_window()
  local windows = { vim.fn.win_getid(vim.fn.winnr("#")) }
  vim.list_extend(windows, vim.api.nvim_tabpage_list_wins(0))
  for _, win in ipairs(windows) do
    local floats = win ~= 0 and vim.api.nvim_win_get_config(win).relative ~= ""
    if win ~= 0 and not floats and vim.bo[vim.api.nvim_win_get_buf(win)].buftype == "" then
      return win
    end
  end
  local side = config.current.panel.position == "left" and "right" or "left"
  return vim.api.nvim_open_win(vim.api.nvim_create_buf(true, false), false, { split = side, win = 0 })
end

--- Goes from the panel, which is narrow, to a window for files; elsewhere it stays.
function M.leave_panel()
  if vim.bo.filetype == "wm-panel" then
    vim.api.nvim_set_current_win(file_window())
  end
end

--- Shows a text, or lines.
---@param name string of the buffer, such as "wm://context"
---@param content string|string[]
---@param options? wm.View.Options
---@return integer buf
function M.show(name, content, options)
  options = options or {}
  local lines = type(content) == "table" and content or text.lines(content)
  local buf = M.buffer(name)
  local win = buf and vim.fn.bufwinid(buf) or -1
  buf = buf or create(name, options)
  fill(buf, lines, options.marks or {})
  if win == -1 then
    M.leave_panel()
    win = vim.api.nvim_open_win(buf, true, { split = "below", win = 0 })
    vim.wo[win].wrap = options.wrap ~= false
    vim.wo[win].number, vim.wo[win].relativenumber = false, false
  end
  if options.title then
    vim.wo[win].winbar = text.line(options.title, 200):gsub("%%", "%%%%") .. "%=q closes "
  end
  return buf
end

return M
