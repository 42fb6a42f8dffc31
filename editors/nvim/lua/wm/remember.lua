--- Explicit requests to remember: a sentence, a selection, an error with its fix.
local actions = require("wm.actions")
local ask = require("wm.ask")
local client = require("wm.client")
local diagnostics = require("wm.diagnostics")
local input = require("wm.input")
local paint = require("wm.paint")
local panel = require("wm.panel")
local text = require("wm.text")
local turns = require("wm.turns")

local M = {}

--- The built-in types, the default first.
M.TYPES = { "project", "feedback", "decision", "reference" }

--- Asks for one of the types that the server offers; settings can add types.
---@param workspace wm.Workspace
---@param callback fun(type?: string)
function M.choose_type(workspace, callback)
  client.request(workspace, "wm/panel", { sections = { "memory" } }, function(problem, answer)
    local wanted = not problem and panel.input_of(answer, "wm/memory/add", "type")
    if wanted then
      return actions.ask_choice(wanted, callback)
    end
    text.warn(problem or paint.UNREADABLE)
    callback(nil)
  end)
end

--- Shows the text of a draft again if it was not kept, else closes the draft.
---@param draft? wm.Draft
---@param why? string why it was not kept
local function settle(draft, why)
  if draft and why then
    draft:failed(why)
  elseif draft then
    draft:done()
  end
end

--- Calls the server to keep a memory. While recording is paused it offers to resume it first.
---@param workspace wm.Workspace
---@param call wm.Call
---@param callback fun(problem?: string, receipt?: any)
local function keep(workspace, call, callback)
  turns.send(workspace, call.method, call.params, function(problem, receipt)
    local rejected = not problem and type(receipt) == "table" and receipt.status == "rejected"
    if not rejected or receipt.reason ~= "paused" then
      callback(problem, receipt)
      return problem ~= nil or rejected
    end
    actions.offer_resume(workspace, text.line(receipt.message), function(resumed)
      if resumed then
        return keep(workspace, call, callback)
      end
      callback(problem, receipt)
    end)
    return true
  end)
end

--- Handles the receipt of a memory: settles its draft and offers its undo.
---@param workspace wm.Workspace
---@param call wm.Call
---@param problem? string
---@param receipt any
---@param draft? wm.Draft of its text
---@return table receipt
---@return boolean undoable
local function take_receipt(workspace, call, problem, receipt, draft)
  receipt = type(receipt) == "table" and receipt or {}
  local why = receipt.message or receipt.reason or "without a reason"
  local rejected = receipt.status == "rejected" and "rejected, " .. text.line(why) or nil
  settle(draft, problem or rejected)
  if problem then
    text.warn(problem)
  end
  local entry = type(receipt.entry) == "table" and receipt.entry or {}
  local name = ("Remember “%s”"):format(text.line(entry.text, 40))
  return receipt, actions.offer_undo(workspace, name, receipt.undo, call)
end

---@param workspace wm.Workspace
---@param params table of wm/memory/add
---@param draft? wm.Draft of its text
function M.add(workspace, params, draft)
  local call = { method = "wm/memory/add", params = params }
  keep(workspace, call, function(problem, answer)
    local receipt, undoable = take_receipt(workspace, call, problem, answer, draft)
    if not problem then
      local reason = receipt.message or receipt.reason
      local why = reason and (", " .. text.line(reason)) or ""
      local kept = text.line(receipt.text or params.text, 200)
      local undo = undoable and ", u in the panel undoes it" or ""
      local entry = type(receipt.entry) == "table" and receipt.entry or {}
      local kind = vim.split(text.line(entry.detail), " · ")[1] -- as the panel calls the type
      kind = kind ~= "" and kind or params.type
      text.say(("%s (%s)%s%s: %s"):format(text.line(receipt.status), kind, why, undo, kept))
    end
  end)
end

--- Asks what to remember, and remembers it.
---@param workspace wm.Workspace
---@param type string
function M.ask(workspace, type)
  local function add(memory, draft)
    M.add(workspace, { text = memory, type = type }, draft)
  end
  ask.input({ prompt = "Remember: " }, function(memory)
    if memory and memory ~= "" then
      add(memory, input.draft(memory, add))
    end
  end)
end

--- Asks for the fix of an error if the argument of wm.remember has an empty one.
---@param argument table
---@param callback fun(argument: table, draft?: wm.Draft)
local function ask_fix(argument, callback)
  if argument.fix ~= "" then
    return callback(argument)
  end
  local function take(fix, draft)
    callback(vim.tbl_extend("force", argument, { fix = fix }), draft)
  end
  ask.input({ prompt = "How is it fixed? " }, function(fix)
    if fix then
      take(fix, fix ~= "" and input.draft(fix, take) or nil)
    end
  end)
end

--- Runs wm.remember after asking for missing arguments.
---@param workspace wm.Workspace
---@param command lsp.Command
function M.run(workspace, command)
  local argument = type(command.arguments) == "table" and command.arguments[1] or {}
  ask_fix(argument, function(fixed, draft)
    M.choose_type(workspace, function(type)
      if not type then
        return settle(draft, "Not remembered: no type was chosen")
      end
      local complete = vim.tbl_extend("force", fixed, { type = type })
      local params = { command = command.command, arguments = { complete } }
      -- The server shows the result itself.
      local call = { method = "workspace/executeCommand", params = params }
      keep(workspace, call, function(problem, receipt)
        take_receipt(workspace, call, problem, receipt, draft)
      end)
    end)
  end)
end

--- Remembers an error on the cursor line; asks which one if there are several. The
--- server formats the text, as for every editor.
---@param workspace wm.Workspace
function M.error(workspace)
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local position = { line = line, character = 0 }
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    range = { start = position, ["end"] = position },
    context = { triggerKind = 1, only = { "quickfix" }, diagnostics = diagnostics.at_line(0, line) },
  }
  client.request(workspace, "textDocument/codeAction", params, function(problem, fixes)
    if problem then
      return text.warn(problem)
    elseif type(fixes) ~= "table" or #fixes == 0 then
      return text.say("there is no error on this line")
    elseif #fixes == 1 then
      return M.run(workspace, fixes[1].command)
    end
    local function title(fix)
      return text.line(fix.title)
    end
    ask.select(fixes, { prompt = "Which error", format_item = title }, function(fix)
      if fix then
        M.run(workspace, fix.command)
      end
    end)
  end)
end

return M
