--- Decides when a file counts as read, and is told to the server: not in a preview, a
--- floating window or a diff, but when its window stays a second the current one, or when
--- its text is changed.
local client = require("wm.client")

local M = {}

--- How long a window has to stay the current one.
M.SECOND_MS = 1000

--- Reports whether a buffer is in the current window, to be read there.
---@param buf integer
---@return boolean
local function in_focus(buf)
  local win = vim.api.nvim_get_current_win()
  return vim.api.nvim_win_get_buf(win) == buf
    and not vim.wo[win].previewwindow
    and not vim.wo[win].diff
    and vim.api.nvim_win_get_config(win).relative == ""
end

---@param group integer
function M.setup(group)
  local timer = assert(vim.uv.new_timer())
  vim.api.nvim_create_autocmd({ "BufEnter", "WinEnter", "BufReadPost", "BufNewFile", "BufFilePost" }, {
    group = group,
    callback = function()
      local buf = vim.api.nvim_get_current_buf()
      timer:start(
        M.SECOND_MS,
        0,
        vim.schedule_wrap(function()
          if vim.api.nvim_buf_is_valid(buf) and in_focus(buf) then
            client.read(buf)
          end
        end)
      )
    end,
  })
  vim.api.nvim_create_autocmd({ "TextChanged", "TextChangedI", "BufWritePost" }, {
    group = group,
    callback = function(event)
      client.read(event.buf)
    end,
  })
end

return M
