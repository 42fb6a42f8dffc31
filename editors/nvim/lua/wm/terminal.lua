--- Reports the commands that the user runs in terminals, so that their errors open and
--- close, and runs the command that showed an error again. A shell says by OSC 133 where a
--- command begins and ends.
local ask = require("wm.ask")
local client = require("wm.client")
local config = require("wm.config")
local text = require("wm.text")
local window = require("wm.window")

local M = {}

--- How much of an output is kept: its end.
local MAX_BYTES = 1024 * 1024

--- Neovim writes what a program prints into the buffer within 10 milliseconds. A timer
--- that is set when a sequence comes and is due later finds it there.
local WRITTEN_MS = 30

---@class wm.Shell
---@field prompt? integer[] where the command line begins: line and column, (1,0)-indexed
---@field cwd? string as the shell said it
---@field line? string the command line, as the shell said it
---@field run? wm.Run the command that runs

---@class wm.Run
---@field line? string nil until it is known
---@field first integer the first line of the output
---@field cwd string
---@field workspace wm.Workspace
---@field skipped? boolean recording was paused when it began

---@type table<integer, wm.Shell> by buffer
local shells = {}

--- Asks whether recording is paused. The answers come in the order of the questions.
---@param workspace wm.Workspace
---@param callback fun(paused: boolean)
local function ask_paused(workspace, callback)
  client.request(workspace, "wm/status", {}, function(problem, status)
    callback(problem ~= nil or type(status) ~= "table" or status.pausedUntil ~= nil)
  end)
end

--- Reports a command that has ended.
---@param run wm.Run
---@param output string
---@param code integer
local function report(run, output, code)
  ask_paused(run.workspace, function(paused)
    if paused or run.skipped or (run.line or "") == "" then
      return
    end
    client.notify(run.workspace, "wm/tool/executed", {
      tool = "terminal",
      terminal = true,
      input = { command = run.line },
      output = output:sub(-MAX_BYTES),
      exitCode = code,
      cwd = run.cwd,
    })
  end)
end

--- Returns a command that begins.
---@param workspace wm.Workspace
---@param line? string
---@param cwd string
---@param first integer
---@return wm.Run
local function begin(workspace, line, cwd, first)
  local run = { line = line, cwd = cwd, first = first, workspace = workspace }
  ask_paused(workspace, function(paused)
    run.skipped = paused
  end)
  return run
end

--- Returns the text of a terminal between two positions. A line as wide as the terminal
--- goes on in the next one.
---@param buf integer
---@param from integer[]
---@param to integer[]
---@return string
local function between(buf, from, to)
  if not vim.api.nvim_buf_is_loaded(buf) then
    return ""
  end
  local count = vim.api.nvim_buf_line_count(buf)
  local last = math.min(to[1], count)
  if from[1] < 1 or from[1] > last then
    return ""
  end
  local lines = vim.api.nvim_buf_get_lines(buf, from[1] - 1, last, false)
  if to[1] <= count then
    lines[#lines] = lines[#lines]:sub(1, to[2])
  end
  lines[1] = lines[1]:sub(from[2] + 1)
  local win = vim.fn.win_findbuf(buf)[1]
  local info = win and vim.fn.getwininfo(win)[1]
  local width = info and info.width - info.textoff or math.huge
  local joined = {}
  for i, line in ipairs(lines) do
    local full = vim.fn.strdisplaywidth(line) + (i == 1 and from[2] or 0) >= width
    table.insert(joined, full and line or line .. "\n")
  end
  return vim.trim(table.concat(joined))
end

--- Returns the folder of a shell.
---@param buf integer
---@param shell wm.Shell
---@return string
local function cwd_of(buf, shell)
  local pid = vim.b[buf].terminal_job_pid
  local linked = pid and vim.uv.fs_readlink(("/proc/%d/cwd"):format(pid)) -- Linux
  return shell.cwd or linked or vim.fn.getcwd()
end

--- Unescapes a command line as VS Code's scripts for shells escape it.
---@param value string
local function unescaped(value)
  local line = value:gsub("\\([\\x])(%x?%x?)", function(kind, hex)
    if kind == "x" and #hex == 2 then
      return string.char(tonumber(hex, 16))
    end
    return kind == "\\" and "\\" .. hex or nil
  end)
  return line
end

--- What a shell says, by letter; 633 is what VS Code's scripts for shells send.
---@type table<string, fun(buf: integer, shell: wm.Shell, cursor: integer[], params: string)>
local marks = {
  B = function(_, shell, cursor)
    shell.prompt, shell.line = cursor, nil
  end,
  C = function(buf, shell, cursor, params)
    local prompt, encoded = shell.prompt, params:match("cmdline_url=([^;]*)")
    local line = encoded and vim.uri_decode(encoded) or shell.line
    shell.run, shell.prompt, shell.line = nil, nil, nil
    if not config.current.terminals or not (line or prompt) then
      return
    end
    local cwd = cwd_of(buf, shell)
    local workspace = client.workspace_of_path(vim.fs.normalize(cwd))
    if not workspace or not client.client_of(workspace) then
      return
    end
    local run = begin(workspace, line, cwd, cursor[1])
    shell.run = run
    if not line then
      vim.defer_fn(function()
        run.line = between(buf, prompt, cursor)
      end, WRITTEN_MS)
    end
  end,
  D = function(buf, shell, cursor, params)
    local run, code = shell.run, tonumber(params:match("^(%d+)"))
    shell.run = nil
    if run and code then
      vim.defer_fn(function()
        report(run, between(buf, { run.first, 0 }, cursor), code)
      end, WRITTEN_MS)
    end
  end,
  E = function(_, shell, _, params)
    shell.line = unescaped(params:match("^([^;]*)"))
  end,
}

---@param buf integer
---@param sequence string
---@param cursor integer[]
local function hear(buf, sequence, cursor)
  local shell = shells[buf] or {}
  shells[buf] = shell
  local folder = sequence:match("^\27%]7;file://[^/]*(/.*)$")
  if folder then
    shell.cwd = vim.uri_decode(folder)
  end
  local kind, letter, params = sequence:match("^\27%](%d+);(%a);?(.*)$")
  if (kind == "133" or kind == "633") and marks[letter] then
    marks[letter](buf, shell, cursor, params)
  end
end

--- Runs a program in a terminal below.
---@param cmd string[]
---@param options table of jobstart()
function M.start(cmd, options)
  window.open_below(vim.api.nvim_create_buf(false, true), true, { win = -1, height = 12 }, {})
  if vim.fn.has("nvim-0.11") == 1 then
    options.term = true
    vim.fn.jobstart(cmd, options)
  else
    vim.fn.termopen(cmd, options)
  end
end

--- Runs a command in a terminal if the user agrees: an agent may have written it.
---@param workspace wm.Workspace
---@param command {command: string, cwd: string}
function M.run(workspace, command)
  local shown = table.concat(text.lines(command.command), "\n")
  local prompt = ("Run in %s?\n%s"):format(text.line(vim.fn.fnamemodify(command.cwd, ":~")), shown)
  ask.select({ "Run", "Cancel" }, { prompt = prompt }, function(choice)
    if choice ~= "Run" then
      return
    elseif vim.fn.isdirectory(command.cwd) == 0 then
      return text.warn(text.line(command.cwd) .. " no longer exists")
    end
    local run = begin(workspace, command.command, command.cwd, 1)
    local output = {}
    local options = {
      cwd = command.cwd,
      on_stdout = function(_, data)
        table.insert(output, table.concat(data, "\n"))
      end,
      on_exit = function(_, code)
        report(run, table.concat(output), code)
      end,
    }
    local cmd = vim.list_extend(vim.split(vim.o.shell, " "), vim.split(vim.o.shellcmdflag, " "))
    table.insert(cmd, command.command)
    window.try("the command cannot be run", M.start, cmd, options)
  end)
end

---@param group integer
function M.setup(group)
  -- Neovim 0.10 does not say where the cursor was.
  if vim.fn.has("nvim-0.11") == 1 then
    vim.api.nvim_create_autocmd("TermRequest", {
      group = group,
      callback = function(event)
        hear(event.buf, event.data.sequence, event.data.cursor)
      end,
    })
  end
  vim.api.nvim_create_autocmd("BufWipeout", {
    group = group,
    callback = function(event)
      shells[event.buf] = nil
    end,
  })
end

return M
