std = "luajit"
cache = false
max_line_length = 120
read_globals = { "vim" }
globals = { "vim.b", "vim.bo", "vim.g", "vim.wo", "vim.o", "vim.opt" }
files["editors/nvim/lua/wm/hover.lua"] = {
  -- It stands in for a function of Neovim 0.10.
  globals = { "vim" },
}
files["editors/nvim/tests"] = {
  -- The tests stand in for parts of the editor, and for the person.
  globals = { "test", "vim" },
}
