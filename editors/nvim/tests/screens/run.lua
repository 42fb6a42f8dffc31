--- Compares the screen of a child Neovim, which uses the fake server, with reference
--- screens. It uses mini.test:
---   MINI_TEST=folder nvim --headless --clean -u tests/screens/run.lua
--- Prints "ok NAME" or "not ok NAME", as tests/run.lua does. The references are in a
--- folder for each minor version beside this file; WM_UPDATE=1 rewrites them.
local here = vim.fs.dirname(vim.fs.normalize(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p")))

if not vim.env.MINI_TEST then
  io.stderr:write("MINI_TEST has to name the folder of mini.test\n")
  vim.cmd("cquit! 1")
end
vim.opt.runtimepath:prepend(vim.env.MINI_TEST)
local home = vim.fn.tempname()
for _, kind in ipairs({ "CONFIG", "DATA", "STATE", "CACHE" }) do
  vim.env[("XDG_%s_HOME"):format(kind)] = vim.fs.joinpath(home, kind:lower())
end

vim.env.TZ = "XXX-2:30"

local cases = {}
local reporter = {
  start = function(all)
    cases = all
  end,
  finish = function()
    for _, case in ipairs(cases) do
      local passed = #case.exec.fails == 0
      io.stdout:write(passed and "ok " or "not ok ", case.desc[#case.desc], "\n")
      for _, fail in ipairs(case.exec.fails) do
        io.stdout:write("  ", (fail:gsub("\27%[[%d;]*m", ""):gsub("\n", "\n  ")), "\n")
      end
    end
    local failed = vim.iter(cases):any(function(case)
      return #case.exec.fails > 0
    end)
    vim.fn.delete(home, "rf")
    vim.cmd(failed and "cquit! 1" or "qall!")
  end,
}

require("mini.test").setup({ silent = true })
vim.schedule(function()
  _G.MiniTest.run({
    collect = {
      find_files = function()
        return { here .. "/screens.lua" }
      end,
    },
    execute = { reporter = reporter },
  })
end)
