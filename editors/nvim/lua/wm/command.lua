--- The subcommands of :WM.
local client = require("wm.client")
local connect = require("wm.connect")
local context = require("wm.context")
local notes = require("wm.notes")
local panel = require("wm.panel")
local remember = require("wm.remember")
local search = require("wm.search")
local session = require("wm.session")
local text = require("wm.text")
local trace = require("wm.trace")
local view = require("wm.view")
local window = require("wm.window")

local M = {}

---@class wm.Invocation
---@field text string the unparsed arguments
---@field range boolean whether the command has a range
---@field line1 integer
---@field line2 integer

--- Calls back with the workspace of the current buffer, or shows what to do.
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
local function request(method, params, callback)
  with_workspace(function(workspace)
    client.request(workspace, method, params, function(problem, result)
      if problem then
        return text.warn(problem)
      end
      callback(workspace, result)
    end)
  end)
end

--- Returns the last selection if the range of the command matches it.
---@param call wm.Invocation
---@return string
local function selection(call)
  local from, to, mode = vim.fn.getpos("'<"), vim.fn.getpos("'>"), vim.fn.visualmode()
  if mode ~= "" and from[2] == call.line1 and to[2] == call.line2 then
    local lines = vim.fn.getregion(from, to, { type = mode })
    return table.concat(lines, "\n")
  end
  return table.concat(vim.api.nvim_buf_get_lines(0, call.line1 - 1, call.line2, false), "\n")
end

--- Returns the path of the current file relative to its root, as memory stores it.
---@param workspace wm.Workspace
local function current_file(workspace)
  local name = vim.fs.normalize(vim.api.nvim_buf_get_name(0))
  if vim.startswith(name, workspace.root .. "/") then
    return { name:sub(#workspace.root + 2) }
  end
end

---@param workspace wm.Workspace
---@param words? string
---@param call wm.Invocation
local function remember_this(workspace, words, call)
  local type, rest = (words or ""):match("^type=(%S*)%s*(.*)$")
  if type == "" then
    return text.warn(
      ("type= must be one of %s, or a type from the settings"):format(table.concat(remember.TYPES, ", "))
    )
  end
  local given = rest or words or ""
  local function add(memory, chosen, files)
    remember.add(workspace, { text = memory, type = chosen, files = files })
  end
  if given ~= "" then
    return add(given, type or remember.TYPES[1])
  end
  if call.range then
    local memory, files = selection(call), current_file(workspace)
    if type then
      return add(memory, type, files)
    end
    return remember.choose_type(workspace, function(chosen)
      if chosen then
        add(memory, chosen, files)
      end
    end)
  end
  remember.ask(workspace, type or remember.TYPES[1])
end

---@param status table
---@return string
local function describe(status)
  local workspace, store = status.workspace or {}, status.store or {}
  local root, key, found = workspace.root or "none", workspace.key or "", workspace.resolvedBy or ""
  local rows = {
    { "workspace", ("%s (%s, by %s)"):format(root, key, found) },
    { "store", ("%s (%s)"):format(store.path or "none", store.healthy and "healthy" or "NOT HEALTHY") },
    { "sessions", tostring(status.sessions) },
    { "retrieval", tostring(status.retrieval) },
  }
  if type(status.pausedUntil) == "string" then
    table.insert(rows, { "paused", "until " .. text.time(status.pausedUntil) })
  end
  for name, size in vim.spairs(type(status.sizes) == "table" and status.sizes or {}) do
    table.insert(rows, { name, tostring(size) })
  end
  local width = 0
  for _, row in ipairs(rows) do
    width = math.max(width, #row[1])
  end
  local lines = { "wm-lsp " .. tostring(status.version) }
  for _, row in ipairs(rows) do
    table.insert(lines, row[1] .. (" "):rep(width + 2 - #row[1]) .. row[2])
  end
  local problems = type(status.problems) == "table" and status.problems or {}
  vim.list_extend(lines, { "", #problems == 0 and "No problems." or "Problems:" })
  for _, problem in ipairs(problems) do
    local fix = problem.fix and (" – " .. problem.fix) or ""
    table.insert(lines, ("%s: %s%s"):format(tostring(problem.severity), tostring(problem.message), fix))
  end
  return table.concat(lines, "\n")
end

local function doctor()
  request("wm/status", {}, function(_, result)
    view.show("wm://doctor", describe(result), { title = "Doctor" })
  end)
end

local function restart()
  with_workspace(function(workspace)
    client.restart(workspace)
    if workspace.state ~= "failed" then -- fail has reported it
      text.say(workspace.problem or "restarting the server")
    end
  end)
end

local function log()
  local path = client.log_path()
  if vim.fn.filereadable(path) == 0 then
    return text.say("there is no log yet; it will be written to " .. vim.fn.fnamemodify(path, ":~"))
  end
  if window.open_file(path) then
    vim.cmd("normal! G")
  end
end

--- The longest pause: a year. It excludes infinity and NaN.
local MOST_MINUTES = 366 * 24 * 60

---@param call wm.Invocation
local function pause(call)
  local minutes = tonumber(call.text)
  if call.text ~= "" and not (minutes and minutes >= 1 and minutes <= MOST_MINUTES) then
    return text.warn(":WM pause takes minutes, at most a year, such as :WM pause 30")
  end
  request("wm/pause", { minutes = minutes and math.floor(minutes) }, function(_, result)
    text.say("recording is paused until " .. text.time(result.pausedUntil))
  end)
end

local function resume()
  request("wm/pause", { resume = true }, function()
    text.say("recording resumed")
  end)
end

--- Returns a subcommand that needs a workspace and takes an optional text.
---@param run fun(workspace: wm.Workspace, words?: string, call: wm.Invocation)
---@return fun(call: wm.Invocation)
local function in_workspace(run)
  return function(call)
    with_workspace(function(workspace)
      run(workspace, call.text ~= "" and call.text or nil, call)
    end)
  end
end

---@param workspace wm.Workspace
---@param id? string
local function show_trace(workspace, id)
  if id then
    return trace.open(workspace, id)
  end
  search.choose(workspace, "Trace of", function(entry)
    trace.open(workspace, entry.id)
  end)
end

--- Completions of the first argument. They must not block on the server, so notes are
--- those that the panel offers to archive.
---@type table<string, fun(): string[]> by subcommand
local arguments = {
  archive = function()
    return panel.values("wm/notes/archive", "path")
  end,
  pause = function()
    return { "15", "60", "480" }
  end,
  remember = function()
    return vim.tbl_map(function(type)
      return "type=" .. type
    end, remember.TYPES)
  end,
}

---@type table<string, fun(call: wm.Invocation)>
local subcommands = {
  archive = in_workspace(notes.archive),
  connect = function(call)
    connect.open(call.text ~= "" and call.text or nil)
  end,
  context = in_workspace(context.text),
  doctor = doctor,
  error = in_workspace(remember.error),
  log = log,
  overview = in_workspace(notes.overview),
  panel = panel.toggle,
  pause = pause,
  remember = in_workspace(remember_this),
  restart = restart,
  resume = resume,
  search = in_workspace(search.open),
  session = in_workspace(session.choose),
  trace = in_workspace(show_trace),
  usage = in_workspace(context.usage),
}

--- Runs :WM; without arguments it opens or closes the panel.
---@param command vim.api.keyset.create_user_command.command_args
function M.run(command)
  require("wm").ensure()
  local name, rest = command.args:match("^(%S*)%s*(.*)$")
  local subcommand = subcommands[name == "" and "panel" or name]
  if not subcommand then
    return text.warn((":WM %s is unknown; :WM <Tab> lists all"):format(text.line(name, 20)))
  end
  subcommand({
    text = vim.trim(rest),
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
    candidates = arguments[words[1]] and arguments[words[1]]() or {}
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
