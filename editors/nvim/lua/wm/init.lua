--- The working memory of a workspace in Neovim: starts the server for the files
--- that are opened, forwards diagnostics, shows the panel. See :help wm.
local M = {}

local ready = false

--- Takes the settings (see wm.config) and starts. Without settings the defaults hold.
---@param settings? table
function M.setup(settings)
  require("wm.config").apply(settings)
  if ready then
    return
  end
  ready = true

  local client = require("wm.client")
  local diagnostics = require("wm.diagnostics")
  local paint = require("wm.paint")
  diagnostics.setup()
  require("wm.panel").setup()
  require("wm.status").setup()
  require("wm.context").setup()
  require("wm.hover").setup()
  paint.highlights()

  local group = vim.api.nvim_create_augroup("wm", {})
  client.setup(group)
  require("wm.files").setup(group)
  require("wm.input").setup(group)
  require("wm.view").setup(group)
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile", "BufFilePost", "BufWritePost" }, {
    group = group,
    callback = function(event)
      -- Later, when the type of the file is known.
      vim.schedule(function()
        if vim.api.nvim_buf_is_valid(event.buf) then
          client.attach(event.buf)
        end
      end)
    end,
  })
  vim.api.nvim_create_autocmd("DiagnosticChanged", {
    group = group,
    callback = function(event)
      diagnostics.changed(event.buf)
    end,
  })
  vim.api.nvim_create_autocmd("ColorScheme", { group = group, callback = paint.highlights })

  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    client.attach(buf)
  end
end

--- Starts with the defaults, unless setup was called.
function M.ensure()
  if not ready then
    M.setup()
  end
end

--- An item for 'statusline', such as "%{%v:lua.require'wm'.statusline()%}": what
--- waits for a person. A click on it pauses recording, or goes on with it.
---@return string
function M.statusline()
  return ready and require("wm.status").component() or ""
end

--- The same as a plain text, for statusline plugins.
---@return string
function M.status()
  return ready and require("wm.status").text() or ""
end

--- Tells the memory that a file or folder was renamed. What Neovim and the usual
--- file explorers do is noticed without it.
---@param from string
---@param to string
function M.renamed(from, to)
  require("wm.files").renamed(from, to)
end

--- Tells the memory that a file or folder was deleted.
---@param path string
function M.deleted(path)
  require("wm.files").deleted(path)
end

return M
