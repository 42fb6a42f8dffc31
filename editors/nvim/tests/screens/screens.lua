--- The screen tests. Each brings the child to a state and compares its screen.
local MiniTest = _G.MiniTest

local here = vim.fs.dirname(vim.fs.normalize(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p")))
local patience = 300000 -- for what has to happen, however busy the machine is
local version = vim.version()
local references = ("%s/%d.%d"):format(here, version.major, version.minor)

local child = MiniTest.new_child_neovim()

local tests = MiniTest.new_set({
  hooks = {
    pre_case = function()
      child.start({ "-u", here .. "/child.lua" }, { connection_timeout = patience })
    end,
    post_case = child.stop,
  },
})

--- Compares the screen with its reference.
---@param name string
local function look(name)
  local path = ("%s/%s"):format(references, name)
  local update = vim.env.WM_UPDATE == "1"
  if not update and vim.fn.filereadable(path) == 0 then
    error(("there is no reference %s; look at the screen and run with WM_UPDATE=1"):format(path))
  end
  MiniTest.expect.reference_screenshot(child.get_screenshot(), path, { force = update })
end

--- Waits until a buffer of the child has a line that contains a text.
---@param part string
local function await(part)
  child.lua("screen.await(...)", { part })
end

---@param panel string name of a panel of child.lua
local function open(panel)
  child.lua("screen.open(...)", { panel })
end

tests["the panel with all that there is"] = function()
  open("full")
  look("panel")
end

tests["the sections under More, and a folded one"] = function()
  open("full")
  child.lua("screen.go('Open errors')")
  child.type_keys("<CR>", "m")
  look("more")
end

tests["the keys of the panel"] = function()
  open("full")
  child.lua("screen.go('Use spaces')")
  child.type_keys("?")
  look("help")
end

tests["more about an item"] = function()
  open("full")
  child.lua("screen.go('Use spaces')")
  child.type_keys("K")
  await("more\\x1b about it")
  look("preview")
end

tests["what a filter leaves"] = function()
  open("full")
  child.lua("vim.ui.input = function(_, done) done('undefined') end")
  child.type_keys("f")
  look("filter")
end

tests["a text of several lines"] = function()
  open("full")
  child.lua("screen.go('Use spaces')")
  child.type_keys("e")
  await("Use spaces,")
  look("input")
end

tests["a text of several lines that was refused"] = function()
  open("full")
  child.lua("vim.ui.select = function(items, _, done) done(items[1]) end")
  child.lua("screen.go('Use spaces')")
  child.type_keys("e", "cc", "reject this, 100% of it", "<Esc>")
  child.type_keys(":w<CR>")
  child.lua("screen.said('rejected')")
  look("refused")
end

tests["a filter that leaves nothing"] = function()
  open("full")
  child.lua("vim.ui.input = function(_, done) done('nobody said so') end")
  child.type_keys("f")
  look("nothing")
end

tests["the panel beside a file on a narrow screen"] = function()
  child.o.columns = 60
  open("full")
  look("narrow")
end

tests["a server that keeps crashing is told in one line, without a question for Enter"] = function()
  child.o.columns = 80
  child.lua("screen.crashing()")
  look("crashing")
end

tests["an unknown subcommand is answered in one line"] = function()
  child.o.columns = 80
  child.cmd("WM bogus")
  look("unknown")
end

tests["a panel without anything says what to do"] = function()
  open("empty")
  look("empty")
end

tests["text that would do harm"] = function()
  open("hostile")
  look("hostile")
end

tests["the usage and the parts of the context"] = function()
  open("empty")
  child.cmd("WM panel")
  child.cmd("WM usage")
  await("Advice")
  look("usage")
end

tests["the usage when its window gets narrow"] = function()
  open("empty")
  child.cmd("WM panel")
  child.cmd("WM usage")
  await("Advice")
  child.o.columns = 26
  local drawn = vim.wait(patience, function()
    return child.fn.search([[\%26v▒$]], "nw") > 0
  end, 5)
  MiniTest.expect.equality(drawn, true)
  look("usage-narrow")
end

tests["the search while one types"] = function()
  open("empty")
  child.cmd("WM panel")
  child.cmd("WM search")
  await("The parser")
  child.type_keys("HAND")
  child.lua("screen.gone('parallel')")
  look("search")
end

tests["the context that an agent would get"] = function()
  open("empty")
  child.cmd("WM panel")
  child.cmd("WM context")
  await("line two")
  look("context")
end

tests["a server that is not there"] = function()
  child.lua("screen.missing()")
  await("was not found")
  look("missing")
end

return tests
