--- Runs the actions that the server offers, with their questions and confirmations, and takes them back.
local ask = require("wm.ask")
local client = require("wm.client")
local input = require("wm.input")
local terminal = require("wm.terminal")
local text = require("wm.text")
local turns = require("wm.turns")
local view = require("wm.view")

local M = {}

---@class wm.Call
---@field method string
---@field params table

---@class wm.Step
---@field action wm.Action undoes it
---@field call wm.Call what was called, and can be called again

---@class wm.Undo
---@field name string what was done
---@field steps wm.Step[] in the order in which they were done
---@field workspace wm.Workspace where

--- Actions that can be undone, the newest last. The list outlives the panel and does
--- not depend on what it shows.
---@type wm.Undo[]
local undos = {}

--- What was undone and can be done again, the latest last. A new action empties it.
---@type wm.Undo[]
local redos = {}

--- Draws the panel again, if it is open.
local refresh = function() end

--- Returns the workspace that the panel shows.
---@return wm.Workspace?
local shown = function() end

--- Returns the title of an action and its target.
---@param action wm.Action
---@return string
local function name_of(action)
  return text.line(action.title) .. " " .. action.about
end

--- Reports whether an action calls a wm/* method. No other method that a server names
--- is called.
---@param action any
---@return boolean
local function is_own(action)
  return type(action) == "table" and type(action.method) == "string" and action.method:match("^wm/[%a/]+$") ~= nil
end

--- Returns the choices of an input, the default first.
---@param wanted table
---@return table[]
local function choices_of(wanted)
  local first, rest = {}, {}
  for _, choice in ipairs(wanted.choices or {}) do
    table.insert(choice.value == wanted.value and first or rest, choice)
  end
  return vim.list_extend(first, rest)
end

--- Asks for a choice.
---@param wanted table an input
---@param callback fun(value?: string)
function M.ask_choice(wanted, callback)
  ask.select(choices_of(wanted), {
    prompt = text.line(wanted.prompt),
    format_item = function(choice)
      local use = text.line(choice.detail)
      return text.line(choice.label) .. (use ~= "" and ": " .. use or "")
    end,
  }, function(choice)
    callback(choice and choice.value)
  end)
end

---@param drafts table<integer, wm.Draft>
---@param reason string
local function give_back(drafts, reason)
  for _, draft in pairs(drafts) do
    draft:failed(reason)
  end
end

--- Returns a copy of the params of an action.
---@param action wm.Action
---@return table
function M.params_of(action)
  return vim.deepcopy(type(action.params) == "table" and action.params or {})
end

--- Asks for each input of an action and calls back with the params and the drafts of
--- what was entered. It does not call back if the user cancels.
---@param action wm.Action
---@param callback fun(params: table, drafts: table<integer, wm.Draft>)
local function ask_inputs(action, callback)
  local params = M.params_of(action)
  local inputs = action.inputs or {}
  local drafts = {}
  local function step(i)
    local wanted = inputs[i]
    if not wanted then
      return callback(params, drafts)
    end
    local function take(value, draft)
      if value == nil then
        return give_back(drafts, "Not done: a question was not answered")
      end
      params[wanted.param], drafts[i] = value, draft
      step(i + 1)
    end
    if wanted.kind == "choice" then
      M.ask_choice(wanted, take)
    elseif wanted.multiline then
      input.open(("%s: %s"):format(name_of(action), text.line(wanted.prompt)), wanted.value, take)
    else
      local prompt = text.line(wanted.prompt) .. ": "
      ask.input({ prompt = prompt, default = text.line(wanted.value or "") }, function(value)
        take(value, value and input.draft(value, take))
      end)
    end
  end
  step(1)
end

--- Asks for confirmation of a destructive action and names its target.
---@param action wm.Action
---@param callback fun()
local function confirm(action, callback)
  if not action.destructive then
    return callback()
  end
  local title = text.line(action.title)
  local undoable = type(action.undo) == "table" or action.undoable == true
  local prompt = ("%s: %s?%s"):format(title, action.about, undoable and "" or " This cannot be undone.")
  ask.select({ title, "Cancel" }, { prompt = prompt }, function(choice)
    if choice == title then
      callback()
    end
  end)
end

--- Returns why the server refused an action, or nil.
---@param problem? string
---@param result any
---@return string?
local function refusal(problem, result)
  if not problem and type(result) == "table" and result.status == "rejected" then
    return "rejected, " .. text.line(result.message or result.reason or "without a reason")
  end
  return problem
end

--- Copies a string to the clipboard, or without one to the register that "p" puts.
---@param copied string
function M.copy(copied)
  vim.fn.setreg('"', copied)
  if vim.fn.has("clipboard") == 1 then
    vim.fn.setreg("+", copied)
  end
end

--- Shows the text or runs the command that an action returned, if any. It copies a string
--- for the clipboard.
---@param workspace wm.Workspace
---@param action wm.Action
---@param result any
---@return boolean shown
local function show_answer(workspace, action, result)
  if type(result) ~= "table" then
    return false
  elseif type(result.clipboard) == "string" then
    M.copy(result.clipboard)
    return false
  elseif type(result.run) == "table" then
    terminal.run(workspace, result.run)
    return true
  elseif type(result.markdown) ~= "string" then
    return false
  end
  view.show("wm://answer", result.markdown, { markdown = true, title = text.line(action.title) })
  return true
end

--- Adds what was done to the undo list.
---@param done wm.Undo
local function note_undo(done)
  redos = {}
  table.insert(undos, done)
end

--- Adds an action to the undo list if its result says how to undo it.
---@param workspace wm.Workspace
---@param name string
---@param action any
---@param call wm.Call what was called
---@return boolean undoable
function M.offer_undo(workspace, name, action, call)
  local undoable = is_own(action)
  if undoable then
    note_undo({ name = name, steps = { { action = action, call = call } }, workspace = workspace })
  end
  return undoable
end

--- Tells that recording is paused, and offers to resume it.
---@param workspace wm.Workspace
---@param why string
---@param callback fun(resumed: boolean)
function M.offer_resume(workspace, why, callback)
  ask.select({ "Resume recording", "Cancel" }, { prompt = why }, function(choice)
    if choice ~= "Resume recording" then
      return callback(false)
    end
    client.request(workspace, "wm/pause", { resume = true }, function(problem)
      if problem then
        text.warn(problem)
      end
      callback(problem == nil)
    end)
  end)
end

--- Asks for what an action needs, runs it and offers its undo.
---@param workspace wm.Workspace
---@param action wm.Action
function M.perform(workspace, action)
  if not is_own(action) then
    return text.warn("the server offers an action that is not a wm/* method: " .. text.line(action.method))
  end
  local title = text.line(action.title)
  confirm(action, function()
    ask_inputs(action, function(params, drafts)
      local function call(done)
        turns.send(workspace, action.method, params, function(problem, result, reason)
          local refused = refusal(problem, result)
          if refused and (reason or result and result.reason) == "paused" then
            M.offer_resume(workspace, ("%s: %s"):format(title, refused), function(resumed)
              if resumed then
                return call(done)
              end
              give_back(drafts, ("%s: %s"):format(title, refused))
            end)
            return true
          elseif refused then
            give_back(drafts, ("%s: %s"):format(title, refused))
            text.warn(("%s: %s"):format(title, refused))
            return true
          end
          for _, draft in pairs(drafts) do
            draft:done()
          end
          done(result)
        end)
      end
      call(function(result)
        local status = type(result) == "table" and type(result.status) == "string" and ": " .. text.line(result.status)
        local said = title .. (status or "")
        local undo = action.undo or (type(result) == "table" and result.undo)
        if M.offer_undo(workspace, name_of(action), undo, { method = action.method, params = params }) then
          said = said .. " (u undoes it)"
        end
        if not show_answer(workspace, action, result) then
          text.say(said)
          refresh()
        end
      end)
    end)
  end)
end

--- Runs an action on several items, one after the other, after one question at most, and
--- offers one undo for all.
---@param workspace wm.Workspace
---@param actions wm.Action[]
function M.perform_all(workspace, actions)
  local first = actions[1]
  local title = text.line(first.title)
  for _, action in ipairs(actions) do
    if not is_own(action) then
      return text.warn("the server offers an action that is not a wm/* method: " .. text.line(action.method))
    elseif #(action.inputs or {}) > 0 then
      return text.say(title .. " is for one item at a time")
    end
  end
  local about = ("%d items"):format(#actions)
  confirm(vim.tbl_extend("force", first, { about = about }), function()
    local steps, done = {}, 0
    local function finish()
      if #steps > 0 then
        note_undo({ name = title .. " " .. about, steps = steps, workspace = workspace })
      end
      refresh()
    end
    local function next_step()
      local action = actions[done + 1]
      if not action then
        finish()
        return text.say(("%s: %s%s"):format(title, about, #steps > 0 and " (u undoes it)" or ""))
      end
      local call = { method = action.method, params = M.params_of(action) }
      turns.request(workspace, call.method, call.params, function(problem, result)
        local refused = refusal(problem, result)
        if refused then
          finish()
          text.warn(("%s: %d of %s, then: %s"):format(title, done, about, refused))
          return #steps == 0
        end
        done = done + 1
        local back = action.undo or (type(result) == "table" and result.undo)
        if is_own(back) then
          table.insert(steps, { action = back, call = call })
        end
        next_step()
      end)
    end
    turns.take(next_step)
  end)
end

---@param done wm.Undo
---@param steps wm.Step[]
---@return wm.Undo
local function with_steps(done, steps)
  return { name = done.name, workspace = done.workspace, steps = steps }
end

--- Runs a call for each step, one after the other, until one is refused. A step whose target no longer exists is
--- passed over.
---@param workspace wm.Workspace
---@param steps wm.Step[]
---@param call_of fun(step: wm.Step): method: string, params: table
---@param callback fun(done: { step: wm.Step, result: any }[], left: wm.Step[], why?: string) why not all are done
local function run_steps(workspace, steps, call_of, callback)
  local done, gone = {}, 0
  local function run_from(i)
    local step = steps[i]
    if not step and gone > 0 then
      local what = #steps == 1 and "it no longer exists" or ("%d of %d no longer exist"):format(gone, #steps)
      return callback(done, {}, what)
    elseif not step then
      return callback(done, {})
    end
    local method, params = call_of(step)
    turns.request(workspace, method, params, function(problem, result, reason)
      local refused = refusal(problem, result)
      if not refused then
        table.insert(done, { step = step, result = result })
      elseif reason == "notFound" then
        gone = gone + 1
      else
        return callback(done, vim.list_slice(steps, i), refused)
      end
      run_from(i + 1)
    end)
  end
  run_from(1)
end

--- Undoes the last action, in whichever workspace it was done. A failed undo can be
--- repeated.
local function undo_last()
  local last = table.remove(undos)
  if not last then
    return text.say("there is nothing to undo")
  end
  local where = shown() ~= last.workspace and " in " .. text.line(vim.fs.basename(last.workspace.root)) or ""
  local name = text.line(last.name, 40) -- a longer message would show a hit-enter prompt
  local steps = vim.iter(last.steps):rev():totable()
  run_steps(last.workspace, steps, function(step)
    return step.action.method, M.params_of(step.action)
  end, function(done, left, why)
    if #left > 0 then
      table.insert(undos, with_steps(last, vim.iter(left):rev():totable()))
    end
    if #done > 0 then
      local undone = vim.iter(done):rev():map(function(one)
        return one.step
      end)
      table.insert(redos, with_steps(last, undone:totable()))
      refresh()
    end
    if why then
      return text.warn(("not undone%s: %s: %s"):format(where, name, why))
    end
    text.say(("undone%s: %s"):format(where, name))
  end)
end

--- Undoes the last action in its turn.
function M.undo()
  turns.take(undo_last, true)
end

--- Does again what was undone last.
local function redo_last()
  local last = table.remove(redos)
  if not last then
    return text.say("there is nothing to redo")
  end
  local name = text.line(last.name, 40)
  run_steps(last.workspace, last.steps, function(step)
    return step.call.method, vim.deepcopy(step.call.params)
  end, function(done, left, why)
    if #done > 0 then
      local redone = vim.iter(done):map(function(one)
        local back = type(one.result) == "table" and is_own(one.result.undo) and one.result.undo
        return { action = back or one.step.action, call = one.step.call }
      end)
      table.insert(undos, with_steps(last, redone:totable()))
      refresh()
    end
    if #left > 0 then
      table.insert(redos, with_steps(last, left))
    end
    if why then
      return text.warn(("not done again: %s: %s"):format(name, why))
    end
    text.say("done again: " .. name)
  end)
end

--- Does again in its turn what was undone last.
function M.redo()
  turns.take(redo_last, true)
end

--- Connects the actions with the panel.
---@param panel { refresh: fun(), shown: fun(): wm.Workspace? } draws the panel again; returns what it shows
function M.setup(panel)
  refresh, shown = panel.refresh, panel.shown
end

return M
