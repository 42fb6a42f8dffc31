--- What happened to an entry of the memory, and why it is kept.
local client = require("wm.client")
local text = require("wm.text")
local view = require("wm.view")

local M = {}

---@param value any
---@return string
local function said(value)
  local words = type(value) == "table" and (value.text or value.content or value.status)
  return type(words) == "string" and text.line(words, 200) or ""
end

---@param event table
---@return string[]
local function lines_of(event)
  local facts = { text.line(event.at, 40), text.line(event.kind, 60) }
  for _, fact in ipairs({ event.by, event.reason }) do
    if type(fact) == "string" and fact ~= "" then
      table.insert(facts, text.line(fact, 200))
    end
  end
  local lines = { "- " .. table.concat(facts, "  ") }
  local before, after = said(event.before), said(event.after)
  if before ~= "" and before ~= after then
    table.insert(lines, "  before: " .. before)
  end
  if after ~= "" and before ~= after then
    table.insert(lines, "  after:  " .. after)
  end
  return lines
end

--- The page about an entry, from the answer to wm/memory/explain.
---@param explained table
---@return string[]
function M.lines(explained)
  local entry = type(explained.entry) == "table" and explained.entry or {}
  local retention = type(explained.retention) == "table" and explained.retention or {}
  local lines = { "# " .. text.line(entry.text), "" }
  table.insert(lines, ("%s, %s, %s"):format(text.line(entry.type), text.line(entry.source), text.line(entry.status)))
  if type(entry.rationale) == "string" and entry.rationale ~= "" then
    table.insert(lines, "Why: " .. text.line(entry.rationale))
  end
  local place = (tonumber(retention.rank) or 0) > 0 and ("place %d, "):format(retention.rank) or ""
  local rendered = retention.rendered and "in contexts" or "not in contexts"
  table.insert(lines, ("Kept: %s%s, %s"):format(place, rendered, text.line(retention.reason)))
  table.insert(lines, "")
  for _, event in ipairs(type(explained.events) == "table" and explained.events or {}) do
    vim.list_extend(lines, lines_of(event))
  end
  return lines
end

---@param explained table
function M.show(explained)
  view.show("wm://trace", M.lines(explained), { filetype = "markdown", title = "Trace" })
end

--- Asks for the trace of an entry and shows it.
---@param workspace wm.Workspace
---@param id string
function M.open(workspace, id)
  client.request(workspace, "wm/memory/explain", { id = id }, function(problem, explained)
    if problem then
      return text.warn(problem)
    end
    M.show(explained)
  end)
end

return M
