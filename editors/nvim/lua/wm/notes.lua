--- The notes of a session: opens the overview, archives other notes.
local actions = require("wm.actions")
local ask = require("wm.ask")
local client = require("wm.client")
local session = require("wm.session")
local text = require("wm.text")
local turns = require("wm.turns")
local window = require("wm.window")

local M = {}

local OVERVIEW = "overview.md"

---@param workspace wm.Workspace
---@param callback fun(root: string, paths: string[])
local function list(workspace, callback)
  session.request(workspace, "wm/notes/list", {}, function(problem, result)
    if problem then
      return text.warn(problem)
    end
    local paths = {}
    for _, file in ipairs(type(result.files) == "table" and result.files or {}) do
      if type(file.path) == "string" then
        table.insert(paths, file.path)
      end
    end
    callback(text.line(result.root), paths)
  end)
end

--- Opens the overview in a split.
---@param workspace wm.Workspace
function M.overview(workspace)
  list(workspace, function(root, paths)
    if not vim.tbl_contains(paths, OVERVIEW) then
      return text.say("there is no overview yet; :WM session selects another session")
    end
    window.open_file(vim.fs.joinpath(root, OVERVIEW))
  end)
end

---@param workspace wm.Workspace
---@param path string
local function archive(workspace, path)
  local function archived(problem, result)
    if problem then
      text.warn(problem)
      return true
    end
    local undoable = actions.offer_undo(workspace, ("Archive “%s”"):format(text.line(path, 40)), result.undo, {
      method = "wm/notes/archive",
      params = client.viewing(workspace, { path = path }),
    })
    text.say(("archived%s as %s"):format(undoable and " (u in the panel undoes it)" or "", text.line(result.path)))
  end
  turns.take(function()
    session.request(workspace, "wm/notes/archive", { path = path }, archived, turns.request)
  end)
end

--- Moves a note to the archive; asks which one unless it is given.
---@param workspace wm.Workspace
---@param path? string
function M.archive(workspace, path)
  if path then
    return archive(workspace, path)
  end
  list(workspace, function(_, paths)
    paths = vim.tbl_filter(function(candidate)
      return not vim.startswith(candidate, "archive/")
    end, paths)
    if #paths == 0 then
      return text.say("there is no note to archive")
    end
    ask.select(paths, { prompt = "Archive", format_item = text.line }, function(chosen)
      if chosen then
        archive(workspace, chosen)
      end
    end)
  end)
end

return M
