---@brief
---
--- https://github.com/wm-lsp/wm-lsp
---
--- The working memory of a workspace. The server reports active files and open errors to coding agents. The plugin in
--- `editors/nvim` of its repository also shows the memory in a panel.

---@type vim.lsp.Config
return {
  cmd = { "wm-lsp" },
  root_markers = { ".git" },
  workspace_required = true,
}
