--- The working memory of a workspace in Neovim: starts the server for opened files,
--- forwards diagnostics, shows the panel. See :help wm.
local M = {}

local ready = false

--- Applies the settings (see wm.config) and starts the plugin. Settings default to
--- those of wm.config.
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
  require("wm.detail").setup()
  require("wm.hover").setup()
  paint.highlights()

  local group = vim.api.nvim_create_augroup("wm", {})
  client.setup(group)
  require("wm.looks").setup(group)
  require("wm.files").setup(group)
  require("wm.input").setup(group)
  require("wm.view").setup(group)
  require("wm.terminal").setup(group)
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile", "BufFilePost", "BufWritePost" }, {
    group = group,
    callback = function(event)
      -- Scheduled, so that the filetype is known.
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

--- Starts with the defaults unless setup was called.
function M.ensure()
  if not ready then
    M.setup()
  end
end

--- Returns a 'statusline' item, for use as "%{%v:lua.require'wm'.statusline()%}". It
--- shows what needs attention; a click pauses or resumes recording.
---@return string
function M.statusline()
  return ready and require("wm.status").component() or ""
end

--- Returns the same as plain text, for statusline plugins.
---@return string
function M.status()
  return ready and require("wm.status").text() or ""
end

--- Reports a renamed file or folder. Renames by Neovim and common file explorers are
--- detected without it.
---@param from string
---@param to string
function M.renamed(from, to)
  require("wm.files").renamed(from, to)
end

--- Reports a deleted file or folder.
---@param path string
function M.deleted(path)
  require("wm.files").deleted(path)
end

return M
