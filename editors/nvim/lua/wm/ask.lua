--- Asks the user through vim.ui.select and vim.ui.input, so that pickers can replace
--- them. A picker may call back later, never or twice; only the first call counts. If a
--- picker fails, the question counts as cancelled.
local text = require("wm.text")

local M = {}

--- Runs a picker with a function that takes its answer. An answer that arrives while
--- the picker runs is passed on after it has returned, so that errors of the callback
--- are not reported as errors of the picker.
---@param callback fun(answer?: any)
---@param picker fun(take: fun(answer?: any))
local function run(callback, picker)
  local running, answered, answer = true, false, nil
  local function take(given)
    if answered then
      return
    end
    answered, answer = true, given
    if not running then
      callback(answer)
    end
  end
  local ok, problem = pcall(picker, take)
  if not ok then
    -- CTRL-C in Neovim's own prompt is not an error.
    if not tostring(problem):find("Keyboard interrupt", 1, true) then
      text.warn("the picker failed: " .. tostring(problem):match("[^\n]*"))
    end
    take(nil)
  end
  running = false
  if answered then
    callback(answer)
  end
end

---@param items any[]
---@param options {prompt: string, format_item?: fun(item: any): string}
---@param callback fun(item?: any)
function M.select(items, options, callback)
  run(callback, function(take)
    vim.ui.select(items, options, take)
  end)
end

---@param options {prompt: string, default?: string}
---@param callback fun(text?: string)
function M.input(options, callback)
  run(callback, function(take)
    vim.ui.input(options, take)
  end)
end

return M
