--- Runs the tests of the plugin: nvim --headless --clean -l tests/run.lua
--- Each test runs in its own Neovim. Prints "ok NAME", or "not ok NAME" and the
--- indented error.
local here = vim.fs.dirname(vim.fs.normalize(vim.fn.fnamemodify(arg[0], ":p")))
package.path = here .. "/?.lua;" .. package.path

--- Returns the tests of a file, in order.
---@param file string
---@return {name: string, run: fun()}[]
local function tests_of(file)
  local tests = {}
  _G.test = function(name, run)
    table.insert(tests, { name = name, run = run })
  end
  dofile(here .. "/" .. file)
  return tests
end

local function run_one(file, name)
  for _, test in ipairs(tests_of(file)) do
    if test.name == name then
      local ok, problem = xpcall(test.run, debug.traceback)
      if not ok then
        io.stderr:write(tostring(problem), "\n")
      end
      vim.cmd(ok and "qall!" or "cquit! 1")
    end
  end
end

local function run_all()
  local failed = false
  for file in vim.fs.dir(here) do
    for _, test in ipairs(file:match("_test%.lua$") and tests_of(file) or {}) do
      local home = vim.fn.tempname()
      local env = { NVIM_LOG_FILE = home .. "/nvim.log", TMPDIR = home, TZ = "XXX-2:30" }
      for _, kind in ipairs({ "CONFIG", "DATA", "STATE", "CACHE", "RUNTIME" }) do
        local name = kind == "RUNTIME" and "XDG_RUNTIME_DIR" or ("XDG_%s_HOME"):format(kind)
        env[name] = home .. "/" .. kind:lower()
        vim.fn.mkdir(env[name], "p", "0o700")
      end
      local child = vim.system(
        { vim.v.progpath, "--headless", "--clean", "-l", arg[0], file, test.name },
        { env = env, text = true, timeout = 600000 }
      )
      local result = child:wait()
      local ok = result.code == 0
      failed = failed or not ok
      print((ok and "ok " or "not ok ") .. test.name)
      if not ok then
        print("  " .. vim.trim(result.stderr .. result.stdout):gsub("\n", "\n  "))
      end
      vim.fn.delete(home, "rf")
    end
  end
  vim.cmd(failed and "cquit! 1" or "qall!")
end

if arg[1] then
  run_one(arg[1], arg[2])
else
  run_all()
end
