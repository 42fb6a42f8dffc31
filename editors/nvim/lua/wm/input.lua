--- Multi-line input in a small split. The text is kept, in the split or in memory,
--- until the server has accepted it; the editor does not quit before.
local text = require("wm.text")
local window = require("wm.window")

local M = {}

--- How long quitting waits for what was submitted.
local GRACE_MS = 1000

---@class wm.Draft
---@field text string
---@field take fun(text: string, draft: wm.Draft) submits the text
---@field under_way? string the submitted text, until it is accepted or has failed
---@field buf? integer
---@field title? string shown above the text
local Draft = {}
Draft.__index = Draft

--- Drafts that are submitted and not yet accepted; quitting waits for them.
---@type table<wm.Draft, true>
local pending = {}

--- Whether the editor is quitting and writes modified buffers.
local quitting = false

local function note_quitting()
  quitting = true
  vim.schedule(function()
    quitting = false
  end)
end

---@param condition fun(): boolean
local function wait(condition)
  vim.wait(GRACE_MS, condition, 5)
end

--- Marks the text as submitted.
---@return boolean first false if this text is submitted already
function Draft:begin()
  local first = self.text ~= self.under_way
  self.under_way, pending[self] = self.text, true
  return first
end

--- Marks the text as accepted or failed.
function Draft:settle()
  self.under_way, pending[self] = nil, nil
end

---@return boolean
function Draft:is_open()
  return self.buf ~= nil and vim.api.nvim_buf_is_valid(self.buf)
end

function Draft:content()
  return table.concat(vim.api.nvim_buf_get_lines(self.buf, 0, -1, false), "\n")
end

--- Fills the buffer with the last submitted or the initial text.
function Draft:fill()
  vim.api.nvim_buf_set_lines(self.buf, 0, -1, false, vim.split(self.text, "\n", { plain = true }))
  vim.bo[self.buf].modified = false
end

--- Submits the text when the buffer is written, but not the same text twice. The editor
--- does not quit while the buffer is modified.
function Draft:write()
  self.text = self:content()
  if self:begin() then
    vim.schedule(function()
      self.take(self.text, self)
    end)
  else
    text.say("this text is already being sent")
  end
  if not quitting then
    vim.bo[self.buf].modified = false
    return
  end
  vim.bo[self.buf].modified = true
  wait(function()
    return not self.under_way
  end)
  if self.under_way then
    text.warn("this text has not been accepted yet")
  end
  note_quitting() -- more buffers are written after this one
end

--- Handles reads and writes under the buffer's own name; under another name it is a
--- file.
function Draft:watch()
  local name = vim.api.nvim_buf_get_name(self.buf)
  local group = vim.api.nvim_create_augroup(name, {})
  local function on(event, callback)
    vim.api.nvim_create_autocmd(event, { group = group, pattern = name, callback = callback })
  end
  on("BufWriteCmd", function()
    self:write()
  end)
  on("BufReadCmd", function()
    self:fill()
  end)
  on("BufWinEnter", function()
    self:head()
  end)
  -- A modified buffer stays when it is hidden. `:q` does not hide it, and `:q!`
  -- discards it.
  on("BufHidden", function()
    vim.schedule(function()
      if self:is_open() and not vim.bo[self.buf].modified and #vim.fn.win_findbuf(self.buf) == 0 then
        vim.api.nvim_buf_delete(self.buf, {})
      end
    end)
  end)
  on("QuitPre", function()
    vim.bo[self.buf].bufhidden = "wipe"
    vim.schedule(function()
      if self:is_open() then
        vim.bo[self.buf].bufhidden = "hide"
      end
    end)
  end)
  vim.api.nvim_create_autocmd("BufWipeout", {
    buffer = self.buf,
    callback = function()
      vim.api.nvim_del_augroup_by_id(group)
    end,
  })
end

--- Shows above the text what it is for, or why it is shown.
function Draft:head()
  window.set_title(self.buf, self.title, ":w submits, :q! discards", self.group)
end

---@param title string
---@param group string
---@param focus boolean
function Draft:show(title, group, focus)
  self.title, self.group = text.line(title, 300), group
  if not self:is_open() then
    self.buf = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(self.buf, ("wm://input/%d"):format(self.buf))
    vim.bo[self.buf].buftype = "acwrite"
    vim.bo[self.buf].bufhidden = "hide"
    self:fill()
    self:watch()
  end
  if #vim.fn.win_findbuf(self.buf) == 0 then
    local before = vim.api.nvim_get_current_win()
    local shape = { win = -1, height = 8 }
    local done, win = window.try("the text cannot be shown", window.open_below, self.buf, focus, shape, { wrap = true })
    if done then
      window.give_back(win, before)
    end
  else
    self:head()
  end
end

--- Closes the draft, whose text was accepted, unless it was edited meanwhile.
function Draft:done()
  self:settle()
  if not self:is_open() or self:content() ~= self.text then
    return
  end
  vim.bo[self.buf].modified = false
  vim.schedule(function()
    if self:is_open() and not vim.bo[self.buf].modified then
      vim.api.nvim_buf_delete(self.buf, { force = true })
    end
  end)
end

--- Shows the text again, below the reason why it was not accepted. It can be submitted
--- again.
---@param reason string
function Draft:failed(reason)
  self:settle()
  self:show(reason, "WmWarning", false)
  vim.bo[self.buf].modified = true
end

--- Opens a split with the text; `:w` submits it, `:q!` discards it.
---@param prompt string
---@param value? string
---@param take fun(text: string, draft: wm.Draft)
function M.open(prompt, value, take)
  setmetatable({ text = value or "", take = take }, Draft):show(prompt, "WinBar", true)
end

--- Returns a draft of what was entered elsewhere; it is shown if it fails.
---@param value string
---@param take fun(text: string, draft: wm.Draft)
---@return wm.Draft
function M.draft(value, take)
  local draft = setmetatable({ text = value, take = take }, Draft)
  draft:begin()
  return draft
end

--- Waits for what was submitted. Drafts that are not accepted in time are shown again as
--- modified buffers, which prevents the editor from quitting.
local function on_quit()
  wait(function()
    return next(pending) == nil
  end)
  note_quitting()
  for draft in pairs(pending) do
    pending[draft] = nil
    draft:show("This text has not been accepted yet", "WmWarning", false)
    vim.bo[draft.buf].modified = true
  end
end

---@param group integer
function M.setup(group)
  vim.api.nvim_create_autocmd("ExitPre", { group = group, callback = on_quit })
end

return M
