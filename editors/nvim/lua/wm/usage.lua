--- Draws how full an agent's context was over time, and what it consists of, with
--- characters.
local text = require("wm.text")

local M = {}

local EIGHTHS = { [0] = " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" }
--- The parts of the bar also differ in their characters, not only in colour.
local FILLS = { "█", "▓", "▒", "░", "▞", "▚", "▤", "▥", "▦" }
local SPARKS = 12
--- The width in cells of the curve with its scale, and of the bar.
local LEAST, MOST = 20, 60

local function list(value)
  return type(value) == "table" and value or {}
end

---@param n number
---@return string such as 12,345
local function grouped(n)
  local digits = ("%d"):format(math.floor(n + 0.5))
  return (digits:reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^,", ""))
end

--- Returns the last points of a history as percentages from 0 to 100.
---@param history any
---@param most integer
---@return {at: any, percentage: number}[]
local function points_of(history, most)
  local points = {}
  for _, point in ipairs(list(history)) do
    local value = type(point) == "table" and tonumber(point.percentage)
    if value and value == value then
      table.insert(points, { at = point.at, percentage = math.min(math.max(value, 0), 100) })
    end
  end
  return vim.list_slice(points, math.max(1, #points - most + 1))
end

--- Draws a history in one line; returns "" if there are too few points.
---@param history any
---@return string
function M.sparkline(history)
  local points = points_of(history, SPARKS)
  if #points < 2 then
    return ""
  end
  return table.concat(vim.tbl_map(function(point)
    return EIGHTHS[math.max(1, math.floor(point.percentage / 100 * 8 + 0.5))]
  end, points))
end

--- The labels of the curve's rows, the highest first, and their width.
local SCALE, SCALE_CELLS = { "100 % ┤", "      ┤", "      ┤", "      ┤", "  0 % ┤" }, 7

--- A longer time without a report is left out of the curve, which has this sign in its place.
local IDLE_SECONDS, IDLE = 15 * 60, "┊"

---@class wm.Column of a curve: a report, or the seconds without one that are left out
---@field percentage? number
---@field at? any
---@field idle? integer

--- Returns the last columns of the curve of a history.
---@param history any
---@param most integer
---@return wm.Column[]
local function columns_of(history, most)
  local columns, before = {}, nil
  for _, point in ipairs(points_of(history, most)) do
    local at = text.seconds(point.at)
    local gap = at and before and at - before or 0
    if gap > IDLE_SECONDS then
      table.insert(columns, { idle = gap })
    end
    table.insert(columns, point)
    before = at or before
  end
  columns = vim.list_slice(columns, math.max(1, #columns - most + 1))
  return columns[1] and columns[1].idle and vim.list_slice(columns, 2) or columns
end

--- Draws a curve of several rows, the highest first, with a scale.
---@param columns wm.Column[]
---@return string[]
local function curve_of(columns)
  local rows = {}
  for i, scale in ipairs(SCALE) do
    local cells = {}
    for _, column in ipairs(columns) do
      local eighths = math.floor((column.percentage or 0) / 100 * #SCALE * 8 + 0.5) - (#SCALE - i) * 8
      table.insert(cells, column.idle and IDLE or EIGHTHS[math.min(math.max(eighths, 0), 8)])
    end
    table.insert(rows, scale .. table.concat(cells))
  end
  return rows
end

--- Returns how long nothing was reported in all, in minutes or hours; "" if the curve leaves nothing out.
---@param columns wm.Column[]
---@return string
local function idle_of(columns)
  local minutes = 0
  for _, column in ipairs(columns) do
    minutes = minutes + math.floor((column.idle or 0) / 60 + 0.5)
  end
  local time = minutes < 60 and ("%d min"):format(minutes) or ("%d h"):format(math.floor(minutes / 60 + 0.5))
  return minutes > 0 and ("   %s %s without a report"):format(IDLE, time) or ""
end

--- Divides the cells among the parts. Each part that is not empty gets at least one.
---@param parts number[]
---@param cells integer
---@return integer[]
function M.shares(parts, cells)
  local total = 0
  for _, part in ipairs(parts) do
    total = total + part
  end
  local shares, used, largest = {}, 0, 1
  for i, part in ipairs(parts) do
    shares[i] = part > 0 and math.max(1, math.floor(part / total * cells + 0.5)) or 0
    used = used + shares[i]
    largest = shares[i] > shares[largest] and i or largest
  end
  if total > 0 then
    shares[largest] = math.max(1, shares[largest] + cells - used)
  end
  return shares
end

--- Returns the highlight of a level.
---@param level any
---@return string
function M.group(level)
  return level == "safe" and "WmSummary" or level == "critical" and "WmError" or "WmWarning"
end

---@class wm.Sheet
---@field lines string[]
---@field marks wm.Mark[]
---@field width integer

--- Adds a line, or several if its pieces do not fit on one.
---@param sheet wm.Sheet
---@param pieces {[1]: string, [2]?: string}[]
local function add(sheet, pieces)
  local line = ""
  for _, piece in ipairs(pieces) do
    if line ~= "" and vim.fn.strdisplaywidth(line .. piece[1]) > sheet.width then
      table.insert(sheet.lines, line)
      line = ""
    end
    if piece[2] then
      table.insert(sheet.marks, { line = #sheet.lines, from = #line, to = #line + #piece[1], group = piece[2] })
    end
    line = line .. piece[1]
  end
  table.insert(sheet.lines, line)
end

---@param sheet wm.Sheet
---@param pressure any
---@param cells integer
local function add_pressure(sheet, pressure, cells)
  if type(pressure) ~= "table" or text.line(pressure.lastChecked) == "" then
    add(sheet, { { "No agent has reported how full its context is.", "WmEmpty" } })
    return
  end
  add(sheet, {
    { "Context", "WmTitle" },
    {
      ("  %d %% %s"):format(math.floor(pressure.percentage), text.line(pressure.level)),
      M.group(pressure.level),
    },
    { ("  %s of %s %s"):format(grouped(pressure.used), grouped(pressure.limit), text.line(pressure.unit)), "WmDetail" },
  })
  if type(pressure.advice) == "string" and pressure.advice ~= "" then
    add(sheet, { { "Advice: " .. text.line(pressure.advice), "WmDetail" } })
  end
  local columns = columns_of(pressure.history, cells - SCALE_CELLS)
  if #columns >= 2 then
    for _, row in ipairs(curve_of(columns)) do
      add(sheet, { { row, "WmBar" } })
    end
    local from, to = text.time(columns[1].at), text.time(columns[#columns].at)
    add(sheet, {
      { (" "):rep(SCALE_CELLS) .. from, "WmDetail" },
      { " – " .. to, "WmDetail" },
      { idle_of(columns), "WmDetail" },
    })
  end
end

---@param i integer
---@return string character, string group how the i-th part of a bar looks
local function look(i)
  return FILLS[(i - 1) % #FILLS + 1], "WmPart" .. ((i - 1) % #FILLS + 1)
end

--- Adds a bar of parts.
---@param sheet wm.Sheet
---@param sizes number[] of the parts
---@param cells integer
local function add_bar(sheet, sizes, cells)
  local pieces = {}
  for i, share in ipairs(M.shares(sizes, cells)) do
    local character, group = look(i)
    table.insert(pieces, { character:rep(share), group })
  end
  add(sheet, pieces)
end

--- Adds the line of the i-th part of a bar.
---@param sheet wm.Sheet
---@param i integer
---@param label string
---@param size string
---@param share number
local function add_part(sheet, i, label, size, share)
  local character, group = look(i)
  add(sheet, {
    { character .. " ", group },
    { label, "WmLabel" },
    { ("%15s  %3d %%"):format(size, math.floor(share * 100 + 0.5)), "WmDetail" },
  })
end

---@param parts any
---@param size string the member with the size of a part
---@return table[] parts those that are not empty
---@return number[] sizes
local function filled(parts, size)
  local some = vim.tbl_filter(function(part)
    return (tonumber(part[size]) or 0) > 0
  end, list(parts))
  return some, vim.tbl_map(function(part)
    return part[size]
  end, some)
end

--- Adds what the agent's whole window holds, as far as its host reports it.
---@param sheet wm.Sheet
---@param context table
---@param cells integer
local function add_window(sheet, context, cells)
  local parts, sizes = filled(context.window, "size")
  if #parts == 0 then
    return
  end
  local unit = text.line(list(context.pressure).unit)
  local total = 0
  for _, size in ipairs(sizes) do
    total = total + size
  end
  add(sheet, { { "The whole window", "WmTitle" }, { ("  %s %s"):format(grouped(total), unit), "WmDetail" } })
  add_bar(sheet, sizes, cells)
  for i, part in ipairs(parts) do
    local label, size = ("%-25s"):format(text.line(part.label, 40)), grouped(part.size) .. " " .. unit
    add_part(sheet, i, label, size, part.size / total)
  end
  add(sheet, { { "" } })
end

---@param sheet wm.Sheet
---@param context table
---@param cells integer
local function add_parts(sheet, context, cells)
  local sections, tokens = filled(context.sections, "tokens")
  local total = tonumber(context.tokens) or 0
  add(sheet, { { "What an agent is told", "WmTitle" }, { ("  %s tokens"):format(grouped(total)), "WmDetail" } })
  if #sections == 0 then
    return
  end
  add_bar(sheet, tokens, cells)
  for i, section in ipairs(sections) do
    local share = total > 0 and section.tokens / total or 0
    add_part(sheet, i, ("%-18s"):format(text.line(section.label, 40)), grouped(section.tokens) .. " tokens", share)
    for _, omission in ipairs(list(section.omitted)) do
      local left_out = ("    left out: %s, %s"):format(text.line(omission.id, 80), text.line(omission.reason, 80))
      add(sheet, { { left_out, "WmDimmed" } })
    end
    if (section.omittedMore or 0) > 0 then
      add(sheet, { { ("    left out: %s more"):format(grouped(section.omittedMore)), "WmDimmed" } })
    end
  end
end

--- Draws the page: the curve, then the bars. Lines may be wider than the window.
---@param context table the result of wm/context
---@param width integer
---@return wm.Sheet
function M.sheet(context, width)
  local sheet = { lines = {}, marks = {}, width = math.max(width, LEAST) }
  local cells = math.min(sheet.width, MOST)
  add_pressure(sheet, context.pressure, cells)
  add(sheet, { { "" } })
  add_window(sheet, context, cells)
  add_parts(sheet, context, cells)
  return sheet
end

return M
