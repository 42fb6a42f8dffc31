std = "luajit"
cache = false
max_line_length = 120
read_globals = { "vim" }
globals = { "vim.b", "vim.bo", "vim.g", "vim.wo", "vim.o", "vim.opt" }
