--- Helpers of the tests: a folder with files, the fake server, waiting.
local M = {}

local here = vim.fs.dirname(vim.fs.normalize(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p")))
local plugin = vim.fs.dirname(here)

vim.opt.runtimepath:prepend(plugin)
vim.cmd.runtime("plugin/wm.lua")
vim.o.hidden = true
vim.o.swapfile = false

--- All messages to the user.
---@type string[]
M.said = {}
vim.notify = function(message)
  table.insert(M.said, message)
end
local echo = vim.api.nvim_echo
vim.api.nvim_echo = function(chunks, history, opts)
  for _, chunk in ipairs(chunks) do
    table.insert(M.said, chunk[1])
  end
  return echo(chunks, history, opts)
end

--- The timeout of every wait, in milliseconds. It is long, so that no test depends on
--- how busy the machine is.
M.patience = 300000

--- Waits until the condition returns a true value, and returns it.
---@param what string
---@param condition fun(): any
function M.wait(what, condition)
  local value
  vim.wait(M.patience, function()
    value = condition()
    return value
  end, 5)
  if not value then
    error("never happened: " .. what .. "\nsaid: " .. vim.inspect(M.said), 2)
  end
  return value
end

--- Fails unless both values are equal.
function M.equal(expected, actual)
  if not vim.deep_equal(expected, actual) then
    error(("expected %s\n     got %s"):format(vim.inspect(expected), vim.inspect(actual)), 2)
  end
end

--- Waits for a message that contains the text.
---@param part string
function M.wait_said(part)
  M.wait("saying " .. part, function()
    return vim.iter(M.said):any(function(message)
      return message:find(part, 1, true) ~= nil
    end)
  end)
end

--- Creates a folder with a repository marker and the given files.
---@param files table<string, string>
---@param name? string of the folder
---@return string
function M.repository(files, name)
  local parent = vim.fn.tempname()
  vim.fn.mkdir(parent, "p")
  local root = vim.fs.joinpath(vim.uv.fs_realpath(parent), name or "repo")
  vim.fn.mkdir(root .. "/.git", "p")
  for path, content in pairs(files) do
    vim.fn.mkdir(vim.fs.dirname(root .. "/" .. path), "p")
    M.write(root .. "/" .. path, content)
  end
  return root
end

--- Writes a file atomically, so that readers such as the server never see a part of it.
---@param path string
---@param content string
function M.write(path, content)
  local file = assert(io.open(path .. ".new", "w"))
  file:write(content)
  file:close()
  assert(vim.uv.fs_rename(path .. ".new", path))
end

--- Sets up the plugin with the fake server.
---@param mode? string see fake_server.lua
---@param settings? table
function M.setup(mode, settings)
  M.record = vim.fn.tempname()
  M.panel_file = vim.fn.tempname()
  M.write(M.record, "")
  M.panel({ seq = 1, badge = 0, sections = {} })
  vim.env.FAKE_MODE, vim.env.FAKE_RECORD, vim.env.FAKE_PANEL = mode, M.record, M.panel_file
  M.answer_file = vim.fn.tempname()
  vim.env.FAKE_ANSWER = M.answer_file
  require("wm.client").GRACE_MS = M.patience
  local cmd = { vim.v.progpath, "--headless", "--clean", "-l", here .. "/fake_server.lua" }
  require("wm").setup(vim.tbl_extend("force", { cmd = cmd, debounce_ms = 5, timeout_ms = M.patience }, settings or {}))
  if settings and settings.timeout_ms and mode ~= "mute" then
    M.know_version()
  end
end

--- Lets the plugin learn the version of the server, which it asks for once. After that a short
--- timeout is that of the server alone.
function M.know_version()
  local client, config, known = require("wm.client"), require("wm.config").current, false
  local timeout_ms = config.timeout_ms
  config.timeout_ms = M.patience
  client.check(assert(client.find()), function(_, version)
    known = version ~= nil
  end)
  M.wait("the version of the server", function()
    return known
  end)
  config.timeout_ms = timeout_ms
end

--- Sets the server's panel.
function M.panel(panel)
  M.write(M.panel_file, vim.json.encode(panel))
end

--- Sets the server's results by wm/ method.
---@param json string
function M.answer(json)
  M.write(M.answer_file, json)
end

--- Returns the messages that the server has received, by default of all methods.
---@param method? string
---@return table[]
function M.received(method)
  local messages = {}
  local file = assert(io.open(M.record))
  local record = file:read("a")
  file:close()
  -- The last line may be incomplete; only lines with a line break are messages.
  for line in record:gmatch("([^\n]+)\n") do
    local message = vim.json.decode(line)
    if not method or message.method == method then
      table.insert(messages, message)
    end
  end
  return messages
end

--- Waits for the n-th message of a method and returns its params.
---@param method string
---@param n? integer
function M.wait_received(method, n)
  n = n or 1
  return M.wait(("%s, %d times"):format(method, n), function()
    local message = M.received(method)[n]
    return message and (message.params or {})
  end)
end

--- Sends a notification of the tests to the fake server.
---@param method string
function M.poke(method)
  local _, workspace = next(require("wm.client").workspaces())
  require("wm.client").notify(workspace, method, vim.empty_dict())
end

--- Opens a file of a new repository and waits for the server.
---@param mode? string
---@param settings? table
---@return string root
function M.open(mode, settings)
  local root = M.repository({ ["a.txt"] = "one\ntwo\nthree\n", ["b.txt"] = "b\n" })
  M.setup(mode, settings)
  vim.cmd.edit(root .. "/a.txt")
  return root
end

--- Returns the lines of the panel.
---@return string[]
function M.panel_lines()
  local buf = vim.fn.bufnr("wm://panel")
  return buf == -1 and {} or vim.api.nvim_buf_get_lines(buf, 0, -1, false)
end

--- Presses keys as a user would.
---@param keys string
function M.press(keys)
  vim.api.nvim_feedkeys(vim.keycode(keys), "xt", false)
end

return M
