--- Hover in Neovim 0.10, which handles each server's result separately: the second one
--- only focuses the window of the first, and an empty one shows a message. This module
--- merges the results of all servers, as Neovim does since 0.11.
local client = require("wm.client")
local config = require("wm.config")

local M = {}

local METHOD = "textDocument/hover"

---@param contents lsp.MarkupContent|lsp.MarkedString|lsp.MarkedString[]
---@return string[]
local function markdown(contents)
  local lines = vim.lsp.util.convert_input_to_markdown_lines(contents)
  if #lines > 0 and contents.kind == "plaintext" then
    table.insert(lines, 1, "```")
    table.insert(lines, "```")
  end
  return lines
end

--- Merges the results that have text; a single one is returned unchanged.
---@param answers lsp.Hover[]
---@return lsp.Hover?
local function together(answers)
  local telling = vim.tbl_filter(function(answer)
    return answer.contents and #markdown(answer.contents) > 0
  end, answers)
  if #telling < 2 then
    return telling[1]
  end
  local lines = {}
  for i, answer in ipairs(telling) do
    vim.list_extend(lines, i > 1 and { "---" } or {})
    vim.list_extend(lines, markdown(answer.contents))
  end
  return { contents = { kind = "markdown", value = table.concat(lines, "\n") } }
end

--- Sends the request to all servers of a buffer and passes the merged result, the
--- memory's part last, to a language server's handler. A server that does not respond
--- in time is left out.
---@param request function vim.lsp.buf_request
---@param buf integer
---@param params lsp.HoverParams
---@param own integer the id of the memory's client
---@return table<integer, integer> ids
---@return function cancel
local function ask_all(request, buf, params, own)
  local clients = vim.lsp.get_clients({ bufnr = buf, method = METHOD })
  table.sort(clients, function(a, b)
    return a.id ~= own and (b.id == own or a.id < b.id)
  end)
  local answers, missing, shown = {}, #clients, false
  local function show()
    if shown then
      return
    end
    shown = true
    local results = vim.tbl_map(function(one)
      return vim.tbl_get(answers, one.id, "result") or {}
    end, clients)
    local result, first = together(results), clients[1]
    local handler = first.handlers[METHOD] or vim.lsp.handlers[METHOD]
    local context = { method = METHOD, client_id = first.id, bufnr = buf, params = params }
    handler(not result and vim.tbl_get(answers, first.id, "error") or nil, result, context)
  end
  vim.defer_fn(show, config.current.timeout_ms)
  return request(buf, METHOD, params, function(err, result, context)
    answers[context.client_id] = { error = err, result = result }
    missing = missing - 1
    if missing == 0 then
      show()
    end
  end)
end

--- Makes hover requests without a handler of their own ask all servers. It replaces
--- vim.lsp.buf_request, because a mapping may hold a reference to vim.lsp.buf.hover.
local function take_over()
  local request = vim.lsp.buf_request
  vim.lsp.buf_request = function(buf, method, params, handler, ...)
    buf = (buf or 0) ~= 0 and buf or vim.api.nvim_get_current_buf()
    local own = method == METHOD
      and not handler
      and vim.lsp.get_clients({ bufnr = buf, name = "wm", method = METHOD })[1]
    if not own then
      return request(buf, method, params, handler, ...)
    end
    return ask_all(request, buf, params, own.id)
  end
end

function M.setup()
  local done = vim.fn.has("nvim-0.11") == 1
  -- Done when the first server is ready, because loading vim.lsp takes time.
  client.listen(function(_, event)
    if event == "ready" and not done then
      done = true
      take_over()
    end
  end)
end

return M
