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
  paint.highlights()

  local group = vim.api.nvim_create_augroup("wm", {})
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

return M
