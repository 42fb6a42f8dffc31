--- Forwards the diagnostics of all other language servers and linters to the server:
--- the full set of a file whenever it changes.
local client = require("wm.client")
local config = require("wm.config")

local M = {}

--- The encoded diagnostics last sent per root and URI. They are kept when a server
--- exits, so that a new server is also told what was removed.
---@type table<string, table<string, string>>
local sent = {}

---@type table<integer, uv.uv_timer_t>
local timers = {}

--- Returns the UTF-16 column of a byte column.
---@param line string?
---@param byte integer
local function utf16(line, byte)
  if not line or not line:sub(1, byte):find("[\128-\255]") then
    return byte
  end
  byte = math.min(byte, #line)
  if vim.fn.has("nvim-0.11") == 1 then
    return vim.str_utfindex(line, "utf-16", byte, false)
  end
  local _, index = vim.str_utfindex(line, byte)
  return index
end

--- Returns a code that JSON can represent, or nil.
---@param code any
---@return (string|number)?
local function code_of(code)
  local finite = type(code) == "number" and math.abs(code) < math.huge
  return (finite or type(code) == "string") and code or nil
end

---@param buf integer
---@param diagnostic vim.Diagnostic
local function to_lsp(buf, diagnostic)
  local original = vim.tbl_get(diagnostic, "user_data", "lsp") or {}
  local loaded = vim.api.nvim_buf_is_loaded(buf)
  local function position(lnum, col)
    local line = loaded and vim.api.nvim_buf_get_lines(buf, lnum, lnum + 1, false)[1] or nil
    return { line = lnum, character = utf16(line, col) }
  end
  return {
    range = {
      start = position(diagnostic.lnum, diagnostic.col),
      ["end"] = position(diagnostic.end_lnum or diagnostic.lnum, diagnostic.end_col or diagnostic.col),
    },
    severity = diagnostic.severity,
    source = diagnostic.source,
    code = code_of(diagnostic.code) or code_of(original.code),
    message = diagnostic.message,
    tags = original.tags,
  }
end

--- Returns the diagnostics of a buffer except the server's own.
---@param buf integer
---@param workspace wm.Workspace
local function of_others(buf, workspace)
  local own = workspace.client_id and vim.lsp.diagnostic.get_namespace(workspace.client_id)
  local diagnostics = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(buf)) do
    if diagnostic.namespace ~= own then
      table.insert(diagnostics, to_lsp(buf, diagnostic))
    end
  end
  return diagnostics
end

--- Returns the diagnostics of a line, from 0, as LSP diagnostics.
---@param buf integer
---@param line integer
---@return table[]
function M.at_line(buf, line)
  return vim.tbl_map(function(diagnostic)
    return to_lsp(buf, diagnostic)
  end, vim.diagnostic.get(buf, { lnum = line }))
end

---@param buf integer
local function forward(buf)
  if not vim.api.nvim_buf_is_valid(buf) then
    return
  end
  local name = vim.api.nvim_buf_get_name(buf)
  local workspace = name ~= "" and client.workspace_of_path(vim.fs.normalize(name))
  if not workspace or not client.client_of(workspace) then
    return
  end
  local uri = vim.uri_from_bufnr(buf)
  local diagnostics = of_others(buf, workspace)
  local encoded = vim.json.encode(diagnostics)
  local known = sent[workspace.root] or {}
  sent[workspace.root] = known
  if known[uri] == encoded or (#diagnostics == 0 and not known[uri]) then
    return
  end
  known[uri] = encoded
  client.notify(workspace, "wm/diagnostics/changed", {
    uri = uri,
    version = vim.lsp.util.buf_versions[buf],
    diagnostics = diagnostics,
  })
end

--- Forwards a buffer's diagnostics after they have not changed for a moment.
---@param buf integer
function M.changed(buf)
  local timer = timers[buf] or assert(vim.uv.new_timer())
  timers[buf] = timer
  timer:start(config.current.debounce_ms, 0, function()
    timer:stop()
    timer:close()
    timers[buf] = nil
    vim.schedule(function()
      forward(buf)
    end)
  end)
end

--- Sends a server that has just started all diagnostics, including those of files that
--- were reported before.
---@param workspace wm.Workspace
local function forward_all(workspace)
  local known = sent[workspace.root] or {}
  for uri in pairs(known) do
    known[uri] = ""
  end
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    forward(buf)
  end
end

function M.setup()
  client.listen(function(workspace, event)
    if event == "ready" then
      -- The response to initialize is still being handled; `initialized` must be sent
      -- first.
      vim.schedule(function()
        forward_all(workspace)
      end)
    end
  end)
end

return M
