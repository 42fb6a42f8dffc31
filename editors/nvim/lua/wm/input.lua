--- Asks for a text of several lines in a small split.
local text = require("wm.text")

local M = {}

--- Opens a buffer with the text; `:w` hands it over, closing the window gives up.
---@param prompt string
---@param value? string
---@param callback fun(value?: string)
function M.open(prompt, value, callback)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buf, ("wm://input/%d"):format(buf))
  vim.bo[buf].buftype = "acwrite"
  vim.bo[buf].bufhidden = "wipe"
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(value or "", "\n", { plain = true }))
  vim.bo[buf].modified = false
  local before = vim.api.nvim_get_current_win()
  local win = vim.api.nvim_open_win(buf, true, { split = "below", win = -1, height = 8 })
  vim.wo[win].winbar = text.line(prompt):gsub("%%", "%%%%") .. "%=:w done, :q! give up "
  vim.wo[win].wrap = true
  local done = false
  vim.api.nvim_create_autocmd("BufWriteCmd", {
    buffer = buf,
    callback = function()
      done = true
      local written = table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), "\n")
      vim.bo[buf].modified = false
      vim.schedule(function()
        pcall(vim.api.nvim_win_close, win, true)
        pcall(vim.api.nvim_set_current_win, before)
        callback(written)
      end)
    end,
  })
  vim.api.nvim_create_autocmd("BufWipeout", {
    buffer = buf,
    callback = function()
      if not done then
        callback(nil)
      end
    end,
  })
end

return M
