if vim.g.loaded_wm then
  return
end
vim.g.loaded_wm = true

if vim.fn.has("nvim-0.10") == 0 then
  vim.notify("wm: Neovim 0.10 or newer is needed", vim.log.levels.WARN)
  return
end

vim.api.nvim_create_user_command("WM", function(command)
  require("wm.command").run(command)
end, {
  nargs = "*",
  range = true,
  desc = "The working memory of the workspace",
  complete = function(lead, line)
    return require("wm.command").complete(lead, line)
  end,
})
