local env = require("env")

local namespace = vim.api.nvim_create_namespace("linter")

---@param buf integer
---@param messages string[]
local function set(buf, messages)
  vim.diagnostic.set(
    namespace,
    buf,
    vim.tbl_map(function(message)
      return { lnum = 1, col = 0, end_col = 3, severity = 1, source = "lint", code = "L1", message = message }
    end, messages)
  )
end

test("the whole set of a file is forwarded, once per change, and also when it is empty", function()
  local root = env.open()
  env.wait_received("textDocument/didOpen")
  local buf = vim.api.nvim_get_current_buf()
  set(buf, { "first" })
  local params = env.wait_received("wm/diagnostics/changed")
  env.equal(vim.uri_from_fname(root .. "/a.txt"), params.uri)
  env.equal("number", type(params.version))
  env.equal({
    {
      range = { start = { line = 1, character = 0 }, ["end"] = { line = 1, character = 3 } },
      severity = 1,
      source = "lint",
      code = "L1",
      message = "first",
    },
  }, params.diagnostics)

  set(buf, { "first" })
  set(vim.fn.bufadd(root .. "/b.txt"), {})
  set(buf, { "first", "second" })
  env.equal(2, #env.wait_received("wm/diagnostics/changed", 2).diagnostics)
  set(buf, {})
  env.equal({}, env.wait_received("wm/diagnostics/changed", 3).diagnostics)
end)

test("a code that is none is left out", function()
  env.open()
  env.wait_received("textDocument/didOpen")
  local codes = { 0 / 0, math.huge, {}, 7, "E1" }
  vim.diagnostic.set(
    namespace,
    0,
    vim.tbl_map(function(code)
      return { lnum = 0, col = 0, message = "m", code = code }
    end, codes)
  )
  local sent = vim.tbl_map(function(diagnostic)
    return diagnostic.code or "none"
  end, env.wait_received("wm/diagnostics/changed").diagnostics)
  env.equal({ "none", "none", "none", 7, "E1" }, sent)
end)

test("changes in quick succession are one message", function()
  env.open()
  env.wait_received("textDocument/didOpen")
  for i = 1, 20 do
    set(0, { "number " .. i })
  end
  env.equal("number 20", env.wait_received("wm/diagnostics/changed").diagnostics[1].message)
  set(0, { "last" })
  env.equal("last", env.wait_received("wm/diagnostics/changed", 2).diagnostics[1].message)
end)

test("columns are UTF-16 and all sources of a file are together", function()
  local root = env.repository({ ["a.txt"] = "é😀x = 1\n" })
  env.setup()
  vim.cmd.edit(root .. "/a.txt")
  env.wait_received("textDocument/didOpen")
  vim.diagnostic.set(namespace, 0, { { lnum = 0, col = 6, end_col = 7, message = "x", severity = 2 } })
  vim.diagnostic.set(vim.api.nvim_create_namespace("other"), 0, { { lnum = 0, col = 0, message = "y" } })
  local params = env.wait("both", function()
    local messages = env.received("wm/diagnostics/changed")
    return messages[#messages] and #messages[#messages].params.diagnostics == 2 and messages[#messages].params
  end)
  table.sort(params.diagnostics, function(a, b)
    return a.message < b.message
  end)
  env.equal({ start = { line = 0, character = 3 }, ["end"] = { line = 0, character = 4 } }, params.diagnostics[1].range)
end)

test("a file that is not open is reported too, one outside the repository is not", function()
  local root = env.open()
  env.wait_received("textDocument/didOpen")
  set(vim.fn.bufadd("/elsewhere/c.txt"), { "outside" })
  set(vim.fn.bufadd(root .. "/b.txt"), { "inside" })
  env.equal(vim.uri_from_fname(root .. "/b.txt"), env.wait_received("wm/diagnostics/changed").uri)
  env.equal(1, #env.received("wm/diagnostics/changed"))
end)

test("a server that was started again learns what is there and what has gone", function()
  local root = env.open()
  env.wait_received("textDocument/didOpen")
  vim.cmd.edit(root .. "/b.txt")
  local a, b = vim.fn.bufnr(root .. "/a.txt"), vim.fn.bufnr(root .. "/b.txt")
  set(a, { "stays" })
  set(b, { "goes" })
  env.wait_received("wm/diagnostics/changed", 2)
  vim.env.FAKE_MODE = "hang"
  env.poke("test/crash")
  env.wait_received("initialize", 2)
  set(b, {})
  vim.env.FAKE_MODE = nil
  vim.cmd("WM restart")
  env.wait_received("wm/diagnostics/changed", 4)
  local last = {}
  for _, message in ipairs(env.received("wm/diagnostics/changed")) do
    last[message.params.uri] = #message.params.diagnostics
  end
  env.equal({ [vim.uri_from_bufnr(a)] = 1, [vim.uri_from_bufnr(b)] = 0 }, last)
end)
