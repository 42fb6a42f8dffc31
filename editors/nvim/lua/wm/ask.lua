--- Questions to the person, through vim.ui.select and vim.ui.input, so that pickers
--- plug in. A picker may answer later, never or twice: the first answer counts.
local M = {}

---@param callback fun(answer?: any)
---@return fun(answer?: any)
local function once(callback)
  local answered = false
  return function(answer)
    if not answered then
      answered = true
      callback(answer)
    end
  end
end

---@param items any[]
---@param options {prompt: string, format_item?: fun(item: any): string}
---@param callback fun(item?: any)
function M.select(items, options, callback)
  vim.ui.select(items, options, once(callback))
end

---@param options {prompt: string, default?: string}
---@param callback fun(text?: string)
function M.input(options, callback)
  vim.ui.input(options, once(callback))
end

return M
