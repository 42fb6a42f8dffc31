--- Asks for a text of several lines in a small split. What a person wrote is kept,
--- there or until it is shown there again, until it has arrived.
local text = require("wm.text")

local M = {}

---@class wm.Draft
---@field text string
---@field take fun(text: string, draft: wm.Draft) what is done with it when it is handed over
---@field under_way? string what was handed over, and has neither arrived nor failed
---@field buf? integer
---@field win? integer
local Draft = {}
Draft.__index = Draft

--- Hands the text over when the buffer is written; the same text once only.
function Draft:watch_writing()
  vim.api.nvim_create_autocmd("BufWriteCmd", {
    buffer = self.buf,
    callback = function()
      self.text = table.concat(vim.api.nvim_buf_get_lines(self.buf, 0, -1, false), "\n")
      vim.bo[self.buf].modified = false
      if self.text == self.under_way then
        return text.say("this text is on its way already")
      end
      self.under_way = self.text
      vim.schedule(function()
        self.take(self.text, self)
      end)
    end,
  })
end

--- Gives the cursor back to the window that had it, also when the text is given up.
---@param before integer
function Draft:watch_closing(before)
  vim.api.nvim_create_autocmd("WinClosed", {
    pattern = tostring(self.win),
    once = true,
    callback = function()
      if vim.api.nvim_get_current_win() == self.win then
        vim.schedule(function()
          pcall(vim.api.nvim_set_current_win, before)
        end)
      end
    end,
  })
end

---@param title string
---@param group string
---@param focus boolean
function Draft:show(title, group, focus)
  if not self.buf or not vim.api.nvim_buf_is_valid(self.buf) then
    self.buf = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(self.buf, ("wm://input/%d"):format(self.buf))
    vim.bo[self.buf].buftype = "acwrite"
    vim.bo[self.buf].bufhidden = "wipe"
    vim.api.nvim_buf_set_lines(self.buf, 0, -1, false, vim.split(self.text, "\n", { plain = true }))
    vim.bo[self.buf].modified = false
    local before = vim.api.nvim_get_current_win()
    self.win = vim.api.nvim_open_win(self.buf, focus, { split = "below", win = -1, height = 8 })
    vim.wo[self.win].wrap = true
    self:watch_writing()
    self:watch_closing(before)
  end
  local shown = text.line(title, 300):gsub("%%", "%%%%")
  for _, win in ipairs(vim.fn.win_findbuf(self.buf)) do
    vim.wo[win].winbar = ("%%<%%#%s#%s%%*%%=:w done, :q! give up "):format(group, shown)
  end
end

--- The text has arrived. What was written since stays.
function Draft:done()
  self.under_way = nil
  if self.buf and vim.api.nvim_buf_is_valid(self.buf) and not vim.bo[self.buf].modified then
    vim.api.nvim_buf_delete(self.buf, { force = true })
  end
end

--- The text has not arrived: it is shown below the reason, and can be handed over again.
---@param reason string
function Draft:failed(reason)
  self.under_way = nil
  self:show(reason, "WmWarning", false)
  vim.bo[self.buf].modified = true
end

--- Opens a split with the text; `:w` hands it over, closing the window gives up.
---@param prompt string
---@param value? string
---@param take fun(text: string, draft: wm.Draft)
function M.open(prompt, value, take)
  setmetatable({ text = value or "", take = take }, Draft):show(prompt, "WinBar", true)
end

--- A draft of what was written elsewhere; it is shown when it fails.
---@param value string
---@param take fun(text: string, draft: wm.Draft)
---@return wm.Draft
function M.draft(value, take)
  return setmetatable({ text = value, take = take, under_way = value }, Draft)
end

return M
