--- The subcommands of :WM.
local client = require("wm.client")
local panel = require("wm.panel")
local text = require("wm.text")

local M = {}

local TYPES = { "project", "feedback", "decision", "reference" }

---@class wm.Invocation
---@field args string[] what follows the subcommand
---@field range boolean whether lines were given
---@field line1 integer
---@field line2 integer

--- Calls back with the workspace of the current buffer, or says what to do.
---@param callback fun(workspace: wm.Workspace)
local function with_workspace(callback)
  local workspace = client.workspace_of(vim.api.nvim_get_current_buf())
  if not workspace then
    return text.say("open a file of a project first")
  end
  callback(workspace)
end

---@param method string
---@param params table
---@param callback fun(workspace: wm.Workspace, result: any)
local function ask(method, params, callback)
  with_workspace(function(workspace)
    client.request(workspace, method, params, function(problem, result)
      if problem then
        return text.warn(problem)
      end
      callback(workspace, result)
    end)
  end)
end

--- Shows a text in a split that can be thrown away.
---@param name string
---@param content any
---@param filetype string
local function show(name, content, filetype)
  local existing = vim.fn.bufnr("^" .. name .. "$")
  if existing ~= -1 then
    vim.api.nvim_buf_delete(existing, { force = true })
  end
  local buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buf, name)
  vim.bo[buf].bufhidden = "wipe"
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, text.lines(content))
  vim.bo[buf].modifiable = false
  vim.bo[buf].filetype = filetype
  local win = vim.api.nvim_open_win(buf, true, { split = "below", win = 0 })
  vim.wo[win].wrap = true
  vim.keymap.set("n", "q", "<Cmd>close<CR>", { buffer = buf, nowait = true, desc = "wm: close" })
end

--- The text that was selected last, if it is what the range of the command names.
---@param call wm.Invocation
---@return string
local function selection(call)
  local from, to = vim.fn.getpos("'<"), vim.fn.getpos("'>")
  if from[2] == call.line1 and to[2] == call.line2 then
    local lines = vim.fn.getregion(from, to, { type = vim.fn.visualmode() })
    return table.concat(lines, "\n")
  end
  return table.concat(vim.api.nvim_buf_get_lines(0, call.line1 - 1, call.line2, false), "\n")
end

---@param memory string
---@param type string
---@param files? string[]
local function add(memory, type, files)
  ask("wm/memory/add", { text = memory, type = type, files = files }, function(_, receipt)
    local why = receipt.reason and (", " .. text.line(receipt.reason)) or ""
    text.say(("%s (%s)%s: %s"):format(text.line(receipt.status), type, why, text.line(receipt.text or memory, 200)))
  end)
end

--- The path of the current file from its root, as memory names files.
local function current_file()
  local workspace = client.workspace_of(vim.api.nvim_get_current_buf())
  local name = vim.fs.normalize(vim.api.nvim_buf_get_name(0))
  if workspace and vim.startswith(name, workspace.root .. "/") then
    return { name:sub(#workspace.root + 2) }
  end
end

---@param callback fun(type: string)
local function choose_type(callback)
  vim.ui.select(TYPES, { prompt = "Remember as" }, function(type)
    if type then
      callback(type)
    end
  end)
end

---@param call wm.Invocation
local function remember(call)
  local type = call.args[1] and call.args[1]:match("^type=(%S+)$")
  local words = vim.list_slice(call.args, type and 2 or 1)
  if #words > 0 then
    return add(table.concat(words, " "), type or TYPES[1])
  end
  if call.range then
    local memory, files = selection(call), current_file()
    if type then
      return add(memory, type, files)
    end
    return choose_type(function(chosen)
      add(memory, chosen, files)
    end)
  end
  vim.ui.input({ prompt = "Remember: " }, function(memory)
    if memory and memory ~= "" then
      add(memory, type or TYPES[1])
    end
  end)
end

local function context()
  ask("wm/context", {}, function(_, result)
    show("wm://context", result.text, "markdown")
  end)
end

---@param status table
---@return string
local function describe(status)
  local workspace, store = status.workspace or {}, status.store or {}
  local lines = {
    "wm-lsp " .. tostring(status.version),
    ("workspace  %s (%s, by %s)"):format(workspace.root or "none", workspace.key or "", workspace.resolvedBy or ""),
    ("store      %s (%s)"):format(store.path or "none", store.healthy and "healthy" or "NOT HEALTHY"),
    ("sessions   %s"):format(tostring(status.sessions)),
    ("retrieval  %s"):format(tostring(status.retrieval)),
  }
  if type(status.pausedUntil) == "string" then
    table.insert(lines, "paused     until " .. status.pausedUntil)
  end
  for name, size in vim.spairs(type(status.sizes) == "table" and status.sizes or {}) do
    table.insert(lines, ("%-10s %s"):format(name, tostring(size)))
  end
  for _, problem in ipairs(type(status.problems) == "table" and status.problems or {}) do
    local fix = problem.fix and (" – " .. problem.fix) or ""
    table.insert(lines, ("%s: %s%s"):format(tostring(problem.severity), tostring(problem.message), fix))
  end
  return table.concat(lines, "\n")
end

local function status()
  ask("wm/status", {}, function(_, result)
    show("wm://status", describe(result), "text")
  end)
end

local function restart()
  with_workspace(function(workspace)
    client.restart(workspace)
    text.say("the server is starting again")
  end)
end

local function log()
  local path = client.log_path()
  if vim.fn.filereadable(path) == 0 then
    return text.say("the server has written no log yet; it will be " .. path)
  end
  vim.cmd.split({ vim.fn.fnameescape(path), mods = { keepalt = true } })
  vim.cmd("normal! G")
end

---@param call wm.Invocation
local function pause(call)
  local minutes = call.args[1] and tonumber(call.args[1])
  if call.args[1] and (not minutes or minutes < 1) then
    return text.warn(":WM pause takes minutes, such as :WM pause 30")
  end
  ask("wm/pause", { minutes = minutes and math.floor(minutes) }, function(_, result)
    text.say("nothing is recorded until " .. text.line(result.pausedUntil or ":WM resume"))
  end)
end

local function resume()
  ask("wm/pause", { resume = true }, function()
    text.say("recording again")
  end)
end

---@type table<string, {run: fun(call: wm.Invocation), complete?: string[]}>
local subcommands = {
  panel = { run = panel.toggle },
  remember = {
    run = remember,
    complete = vim.tbl_map(function(type)
      return "type=" .. type
    end, TYPES),
  },
  context = { run = context },
  status = { run = status },
  restart = { run = restart },
  log = { run = log },
  pause = { run = pause, complete = { "15", "60", "480" } },
  resume = { run = resume },
}

--- Runs :WM.
---@param command vim.api.keyset.create_user_command.command_args
function M.run(command)
  require("wm").ensure()
  local name = command.fargs[1]
  local subcommand = subcommands[name]
  if not subcommand then
    local names = vim.tbl_keys(subcommands)
    table.sort(names)
    return text.warn((":WM %s is not known; there are %s"):format(name, table.concat(names, ", ")))
  end
  subcommand.run({
    args = vim.list_slice(command.fargs, 2),
    range = command.range > 0,
    line1 = command.line1,
    line2 = command.line2,
  })
end

--- Completes subcommands and their first argument.
---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local words = vim.split(line:match("WM%s+(.*)$") or "", "%s+")
  local candidates = vim.tbl_keys(subcommands)
  if #words == 2 then
    candidates = vim.tbl_get(subcommands, words[1], "complete") or {}
  elseif #words > 2 then
    candidates = {}
  end
  candidates = vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, lead)
  end, candidates)
  table.sort(candidates)
  return candidates
end

return M
