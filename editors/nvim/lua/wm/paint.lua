--- Renders a panel as lines and writes them into its buffer with as few changes as
--- possible, so that folds, marks and cursors stay in place.
local config = require("wm.config")
local icons = require("wm.icons")
local text = require("wm.text")
local usage = require("wm.usage")

local M = {}

---@class wm.Action
---@field title string
---@field key? string
---@field method string
---@field params table
---@field destructive? boolean
---@field undo? wm.Action
---@field undoable? boolean
---@field inputs? table[]
---@field about? string the target, such as “a label”; set by the panel

---@class wm.Item
---@field id string
---@field icon string
---@field label string
---@field detail? string
---@field aside? string stands at the right edge
---@field asideSeverity? integer
---@field tint? string the color of the icon
---@field authorIcon? string who said it
---@field severity? integer
---@field dimmed? boolean
---@field location? table
---@field actions wm.Action[]
---@field children? wm.Item[]
---@field folded? boolean whether the children are folded until the person opens them
---@field hasMarkdown? boolean

---@class wm.Section
---@field id string
---@field title string
---@field show "always"|"nonEmpty"|"advanced"
---@field summary? string
---@field items wm.Item[]
---@field actions? wm.Action[]
---@field folded? boolean whether it is folded until the person opens it
---@field budget? {used: integer, max: integer, unit: string}
---@field empty? string

---@class wm.Panel
---@field seq integer
---@field sections wm.Section[]
---@field pressure? table
---@field badge integer
---@field hint? string a sentence while there is nothing

---@class wm.Row the contents of a line
---@field key string identifies the item in every version of the panel
---@field section? wm.Section
---@field item? wm.Item
---@field sentence? boolean whether it is a line of a sentence
---@field hint? boolean whether it is a line of what a folder without anything says
---@field more? boolean whether it is the line that toggles the advanced sections

local namespace = vim.api.nvim_create_namespace("wm-panel")

local GROUPS = {
  WmTitle = "Title",
  WmBar = "Special",
  WmSummary = "Comment",
  WmLabel = "Normal",
  WmDetail = "Comment",
  WmDimmed = "Comment",
  WmEmpty = "Comment",
  WmLink = "Underlined",
  WmStrong = "@markup.strong",
  WmCode = "Special",
  WmIcon = "Special",
  WmError = "DiagnosticError",
  WmWarning = "DiagnosticWarn",
  WmInfo = "DiagnosticInfo",
  WmHint = "DiagnosticHint",
  WmAside = "Comment",
  WmAuthor = "Comment",
  WmBlue = "Identifier",
  WmGreen = "String",
  WmPurple = "Statement",
  WmYellow = "Type",
  WmPart1 = "Special",
  WmPart2 = "String",
  WmPart3 = "Constant",
  WmPart4 = "Identifier",
  WmPart5 = "Type",
  WmPart6 = "PreProc",
  WmPart7 = "Statement",
  WmPart8 = "Title",
  WmPart9 = "Comment",
}

--- Shown above the last valid panel when the server sends an invalid one.
M.UNREADABLE = "The server sent an invalid panel. Update it and the plugin together."

local SEVERITY = { "WmError", "WmWarning", "WmInfo", "WmHint" }

local TINTS = { blue = "WmBlue", green = "WmGreen", purple = "WmPurple", yellow = "WmYellow" }

--- Defines the highlight groups, each linked to a standard one.
function M.highlights()
  for name, link in pairs(GROUPS) do
    vim.api.nvim_set_hl(0, name, { link = link, default = true })
  end
end

---@param said any
---@param is_one fun(one: table): boolean
---@return boolean
local function is_list(said, is_one)
  return vim.islist(said) and vim.iter(said):all(function(one)
    return type(one) == "table" and is_one(one)
  end)
end

---@return boolean
local function are_texts(...)
  return vim.iter({ ... }):all(function(one)
    return type(one) == "string"
  end)
end

local function is_choice(choice)
  return are_texts(choice.label, choice.value, choice.detail or "")
end

local function is_input(input)
  return are_texts(input.param, input.prompt, input.value or "") and is_list(input.choices or {}, is_choice)
end

local function is_action(action)
  return are_texts(action.title, action.method) and is_list(action.inputs or {}, is_input)
end

local function is_item(item)
  return are_texts(item.id, item.label)
    and is_list(item.actions or {}, is_action)
    and is_list(item.children or {}, is_item)
end

local function is_section(section)
  return are_texts(section.id, section.title)
    and is_list(section.items, is_item)
    and is_list(section.actions or {}, is_action)
end

--- Reports whether a value is a valid panel. The rest of this module relies on it.
---@param said any
---@return boolean
function M.is_panel(said)
  return type(said) == "table" and text.whole(said.seq) ~= nil and is_list(said.sections, is_section)
end

--- Returns the character for a codicon name.
---@param name any
---@return string
function M.icon(name)
  local own = type(name) == "string" and (config.current.panel.icons[name] or icons[name])
  return own or "•"
end

local BAR_CELLS = 8

---@param used integer
---@param max integer
local function bar(used, max)
  local share = max > 0 and math.min(used / max, 1) or 0
  local full = used > 0 and math.max(1, math.floor(share * BAR_CELLS + 0.5)) or 0
  return ("▰"):rep(full) .. ("▱"):rep(BAR_CELLS - full)
end

--- Lines under construction, with their highlights.
---@class wm.Page
---@field lines string[]
---@field rows wm.Row[]
---@field marks {line: integer, from: integer, to?: integer, group?: string, conceal?: string, over?: string}[]
---@field width number the visible cells of a line
local Page = {}
Page.__index = Page

---@param width number
---@return wm.Page
local function new_page(width)
  return setmetatable({ lines = {}, rows = {}, marks = {}, width = width }, Page)
end

--- Returns how many bytes of a string fit into the cells.
---@param part string
---@param cells integer
---@return integer bytes
local function fitting(part, cells)
  return #vim.fn.printf(("%%.%dS"):format(math.max(cells, 0)), part)
end

--- The cells that are left to a label when something stands at the right edge, and those that
--- this text has at least.
local LEAST_LEFT, LEAST_ASIDE = 32, 10

--- Returns a place that is cut so that it has at most so many cells: its folders from the left, and if they have no
--- room its file from the right.
---@param part string
---@param cells integer
---@return string
function M.place(part, cells)
  if vim.fn.strdisplaywidth(part) <= cells then
    return part
  end
  local file = part:match("[^/]*$")
  local needed = vim.fn.strdisplaywidth(file)
  if needed > cells then
    return file:sub(1, fitting(file, cells - 1)) .. "…"
  elseif needed == cells then
    return file
  end
  local characters = vim.fn.strchars(part)
  local from = characters
  local width = 1
  while from > 0 do
    width = width + vim.fn.strdisplaywidth(vim.fn.strcharpart(part, from - 1, 1))
    if width > cells then
      break
    end
    from = from - 1
  end
  return "…" .. vim.fn.strcharpart(part, from)
end

--- Reports whether the children of an item are folded.
---@param open wm.Open
---@param key string the key of its row
---@param item wm.Item
---@return boolean
function M.is_folded(open, key, item)
  if open.filter then
    return false
  end
  local chosen = open.toggled[key]
  if chosen ~= nil then
    return chosen
  end
  return item.folded == true
end

--- A hidden part of a line. It stays in the buffer, so that searches find it.
---@class wm.Hidden
---@field start integer the column where its piece begins
---@field from integer a column, like to
---@field to integer
---@field sign string shown instead

--- Returns how many bytes of a string are seen where it is cut: up to a part of those that
--- " · " joins, and in the first of these up to a word.
---@param part string
---@param most integer bytes
---@return integer bytes
local function up_to_part(part, most)
  local first = part:find(" · ", 1, true) or #part
  local seen = 0
  for before, sign in part:gmatch("() ()%S") do
    if before <= most and (before <= first or vim.startswith(part:sub(sign), "· ")) then
      seen = before
    end
  end
  return seen
end

--- Returns the part of a piece to hide when its line is too wide.
---@param piece string
---@param column integer the start of the piece
---@param over integer by how many cells the line is too wide
---@param way wm.Way
---@return wm.Hidden
local function give_way(piece, column, over, way)
  local room = vim.fn.strdisplaywidth(piece) - over - 1
  local seen = way == "parts" and up_to_part(piece, fitting(piece, room)) or 0
  return { start = column, from = column + seen, to = column + #piece, sign = way == "parts" and "…" or "" }
end

--- Hides the given part of a line that is too wide, and the end of the line if it still
--- does not fit.
---@param line string
---@param hidden wm.Hidden
---@param width number the cells of what is left
function Page:hide(line, hidden, width)
  local function conceal(from, to, sign)
    if from < to then
      table.insert(self.marks, { line = #self.lines, from = from, to = to, conceal = sign })
    end
  end
  local seen = line:sub(1, hidden.from) .. hidden.sign .. line:sub(hidden.to + 1)
  if vim.fn.strdisplaywidth(seen) <= width then
    return conceal(hidden.from, hidden.to, hidden.sign)
  elseif hidden.to == #line and vim.fn.strdisplaywidth(line:sub(1, hidden.start)) == width then
    return conceal(hidden.start, #line, "") -- a sign would cut what is before it
  end
  local ends = fitting(seen, width - 1)
  if ends > hidden.from then
    ends = ends + #line - #seen
  end
  ends = #line:sub(1, ends):gsub("%s+$", "")
  if ends > hidden.to then
    conceal(hidden.from, hidden.to, hidden.sign)
  else
    ends = math.min(ends, hidden.from) -- one sign is enough
  end
  conceal(ends, #line, "…")
end

--- How a piece gives way if its line is too wide: by parts and words, or as a whole.
---@alias wm.Way "parts"|"whole"

--- Adds a line of pieces {text, group}. At most one piece has a third value: it gives way.
---@param row wm.Row
---@param pieces {[1]: string, [2]?: string, [3]?: wm.Way}[]
---@param aside? {[1]: string, [2]: string} what stands at the right edge, with its group
function Page:add(row, pieces, aside)
  local line = table.concat(vim.tbl_map(function(piece)
    return piece[1]
  end, pieces))
  local width = self.width
  if aside then
    aside = { M.place(aside[1], math.max(width - LEAST_LEFT, LEAST_ASIDE)), aside[2] }
    width = width - vim.fn.strdisplaywidth(aside[1]) - 2
  end
  -- Each cell takes at least one byte.
  local over = #line > width and vim.fn.strdisplaywidth(line) - width or 0
  local column, hidden = 0, { start = #line, from = #line, to = #line, sign = "" }
  for _, piece in ipairs(pieces) do
    local part, group, way = unpack(piece)
    local ends = column + #part
    if group and part ~= "" then
      table.insert(self.marks, { line = #self.lines, from = column, to = ends, group = group })
    end
    if way and over > 0 then
      hidden = give_way(part, column, over, way)
    end
    column = ends
  end
  if over > 0 then
    self:hide(line, hidden, width)
  end
  if aside then
    local seen = #line > width and self:seen(line) or vim.fn.strdisplaywidth(line)
    local gap = (" "):rep(math.max(width - seen, 0) + 2)
    local from = #line + #gap
    table.insert(self.marks, { line = #self.lines, from = from, to = from + #aside[1], group = aside[2] })
    line = line .. gap .. aside[1]
  end
  table.insert(self.lines, line)
  table.insert(self.rows, row)
end

--- Returns the visible cells of the line under construction.
---@param line string
---@return integer
function Page:seen(line)
  local cells = vim.fn.strdisplaywidth(line)
  for _, mark in ipairs(self.marks) do
    if mark.line == #self.lines and mark.conceal then
      local hidden = vim.fn.strdisplaywidth(line:sub(mark.from + 1, mark.to))
      cells = cells - hidden + vim.fn.strdisplaywidth(mark.conceal)
    end
  end
  return cells
end

--- Adds a sentence, wrapped over as many lines as needed.
---@param row wm.Row
---@param indent string
---@param sentence string
---@param group string
function Page:add_sentence(row, indent, sentence, group)
  local lines = {}
  for word in sentence:gmatch("%S+") do
    local longer = #lines > 0 and lines[#lines] .. " " .. word or indent .. word
    if #lines > 0 and vim.fn.strdisplaywidth(longer) > self.width then
      table.insert(lines, indent .. word)
    else
      lines[math.max(#lines, 1)] = longer
    end
  end
  for i, line in ipairs(lines) do
    local of = { key = row.key .. "\0" .. i, section = row.section, hint = row.hint, sentence = true }
    self:add(of, { { line, group } })
  end
end

---@param item wm.Item
---@return boolean
function M.has_children(item)
  return #(item.children or {}) > 0
end

---@param page wm.Page
---@param open wm.Open
---@param section wm.Section
---@param item wm.Item
---@param parent string
---@param depth integer
local function add_item(page, open, section, item, parent, depth)
  local key = parent .. "\0" .. tostring(item.id)
  local color = SEVERITY[item.severity] or TINTS[item.tint] or "WmIcon"
  local folded = M.has_children(item) and M.is_folded(open, key, item)
  local pieces = {
    { ("  "):rep(depth) },
    { M.icon(item.icon) .. " ", item.dimmed and "WmDimmed" or color },
    { text.line(item.label), item.dimmed and "WmDimmed" or "WmLabel" },
  }
  local detail = text.line(item.detail) .. (folded and " …" or "")
  if detail ~= "" then
    table.insert(pieces, { "  " .. vim.trim(detail), "WmDetail", "parts" })
  end
  local aside = text.line(item.aside)
  local right = aside ~= "" and { aside, SEVERITY[item.asideSeverity] or "WmAside" } or nil
  if item.authorIcon then -- over the indent, so that it takes no cell from the text
    local over = { line = #page.lines, from = 2 * (depth - 1), group = "WmAuthor", over = M.icon(item.authorIcon) }
    table.insert(page.marks, over)
  end
  page:add({ key = key, section = section, item = item }, pieces, right)
  for _, child in ipairs(not folded and item.children or {}) do
    add_item(page, open, section, child, key, depth + 1)
  end
end

---@param page wm.Page
---@param open wm.Open
---@param section wm.Section
local function add_section(page, open, section)
  local pieces = { { text.line(section.title), "WmTitle" } }
  local budget = type(section.budget) == "table" and section.budget or {}
  local used, max = text.whole(budget.used), text.whole(budget.max)
  if used and max then
    table.insert(pieces, { "  " .. bar(used, max), "WmBar" })
  end
  if type(section.summary) == "string" and section.summary ~= "" then
    table.insert(pieces, { "  " .. text.line(section.summary), "WmSummary", "parts" })
  end
  local key = tostring(section.id)
  page:add({ key = key, section = section }, pieces)
  for _, item in ipairs(section.items) do
    add_item(page, open, section, item, key, 1)
  end
  if #section.items == 0 and type(section.empty) == "string" then
    page:add_sentence({ key = key, section = section }, "  ", text.line(section.empty), "WmEmpty")
  end
  page:add({ key = "\0end" .. key }, {})
end

---@param page wm.Page
---@param open wm.Open
---@param panel wm.Panel
local function add_header(page, open, panel)
  if open.unreadable then
    page:add_sentence({ key = "\0unreadable" }, "", M.UNREADABLE, "WmWarning")
  end
  local pieces, filter = {}, open.filter
  local pressure = panel.pressure
  local percentage = type(pressure) == "table" and text.whole(pressure.percentage)
  if percentage then
    local full = ("context %d %% %s"):format(percentage, text.line(pressure.level))
    table.insert(pieces, { full, usage.group(pressure.level) })
    local curve = usage.sparkline(pressure.history)
    table.insert(pieces, { curve ~= "" and " " .. curve or "", "WmBar", "whole" })
  end
  local badge = text.whole(panel.badge)
  if badge and badge > 0 then
    table.insert(pieces, { ("%s%d to review"):format(#pieces > 0 and "  " or "", badge), "WmInfo" })
  end
  if #pieces > 0 then
    page:add({ key = "\0header" }, pieces)
  end
  if filter then
    page:add({ key = "\0filter" }, { { ("filter: %s  (F shows all)"):format(text.line(filter)), "WmInfo" } })
  end
  if type(panel.hint) == "string" and panel.hint ~= "" then
    page:add_sentence({ key = "\0hint", hint = true }, "", text.line(panel.hint), "WmEmpty")
  end
  if #page.lines > 0 then
    page:add({ key = "\0header-end" }, {})
  end
end

--- Returns the items that have the words of a filter, or a child that has them.
---@param items wm.Item[]
---@param filter string
---@return wm.Item[]
local function matching(items, filter)
  local found = {}
  for _, item in ipairs(items or {}) do
    local children = matching(item.children, filter)
    local said = { text.line(item.label), text.line(item.detail), text.line(item.aside) }
    if text.has_words(table.concat(said, " "), filter) then
      table.insert(found, item)
    elseif #children > 0 then
      table.insert(found, vim.tbl_extend("force", item, { children = children }))
    end
  end
  return found
end

--- Returns the sections that match a filter.
---@param sections wm.Section[]
---@param filter? string
---@return wm.Section[]
local function filtered(sections, filter)
  if not filter then
    return sections
  end
  local left = {}
  for _, section in ipairs(sections) do
    local items = matching(section.items, filter)
    if #items > 0 then
      table.insert(left, vim.tbl_extend("force", section, { items = items, show = "always" }))
    end
  end
  return left
end

---@param open wm.Open
---@param panel wm.Panel
---@return wm.Page
local function page_of(open, panel)
  local page, more, filter = new_page(open.width), open.more, open.filter
  add_header(page, open, panel)
  local advanced, sections = {}, filtered(panel.sections, filter)
  if filter and #sections == 0 then
    page:add_sentence({ key = "\0none" }, "", "No item has these words. F shows all items.", "WmEmpty")
  end
  for _, section in ipairs(sections) do
    if section.show == "advanced" then
      table.insert(advanced, section)
    elseif section.show ~= "nonEmpty" or #section.items > 0 then
      add_section(page, open, section)
    end
  end
  if #advanced > 0 then
    page:add({ key = "\0more", more = true }, { { more and "Less" or "More …", "WmTitle" } })
  end
  if #advanced > 0 and more then
    page:add({ key = "\0more-end" }, {})
    for _, section in ipairs(advanced) do
      add_section(page, open, section)
    end
  end
  return page
end

local diff = vim.text and vim.text.diff or vim.diff

--- Replaces only the lines that differ.
---@param buf integer
---@param lines string[]
---@return boolean changed
local function replace(buf, lines)
  local old = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  local hunks = diff(table.concat(old, "\n") .. "\n", table.concat(lines, "\n") .. "\n", { result_type = "indices" })
  vim.bo[buf].modifiable = true
  for i = #hunks, 1, -1 do
    local old_start, old_count, new_start, new_count = unpack(hunks[i])
    local first = old_count == 0 and old_start or old_start - 1
    local fresh = vim.list_slice(lines, new_start, new_start + new_count - 1)
    vim.api.nvim_buf_set_lines(buf, first, first + old_count, false, fresh)
  end
  vim.bo[buf].modifiable = false
  return #hunks > 0
end

--- Returns the cursor row of each window that shows the panel.
---@param open wm.Open
local function cursors(open)
  return vim.tbl_map(function(win)
    local cursor = vim.api.nvim_win_get_cursor(win)
    return { win = win, line = cursor[1], column = cursor[2] }
  end, vim.fn.win_findbuf(open.buf))
end

--- Returns the line of the row that is at a line, or else of the one that takes its place: the next one that is still
--- there, else the last one before it. Rows above may be gone with it.
---@param before wm.Row[]
---@param at integer
---@param lines table<string, integer> of the rows that are there, by their keys
---@return integer? line
local function heir(before, at, lines)
  for i = at, #before do
    if lines[before[i].key] then
      return lines[before[i].key]
    end
  end
  for i = math.min(at, #before), 1, -1 do
    if lines[before[i].key] then
      return lines[before[i].key]
    end
  end
end

---@param open wm.Open
---@param places {win: integer, line: integer, column: integer}[]
---@param before wm.Row[]
local function restore_cursors(open, places, before)
  local lines = {}
  for line, row in ipairs(open.rows) do
    lines[row.key] = line
  end
  for _, place in ipairs(places) do
    local line = heir(before, place.line, lines) or math.min(place.line, math.max(#open.rows, 1))
    vim.api.nvim_win_set_cursor(place.win, { line, place.column })
  end
end

--- Returns the lines of each section, from its title on.
---@param open wm.Open
---@return {first: integer, last: integer, row: wm.Row}[]
local function sections_of(open)
  local found = {}
  for line, row in ipairs(open.rows) do
    local latest = found[#found]
    if latest and row.section == latest.row.section then
      latest.last = line
    elseif row.section then
      table.insert(found, { first = line, last = line, row = row })
    end
  end
  return found
end

--- Notes which sections are folded, if the whole panel is shown.
---@param open wm.Open
local function note_folds(open)
  local win = vim.fn.win_findbuf(open.buf)[1]
  if not win or not open.whole then
    return
  end
  vim.api.nvim_win_call(win, function()
    for _, section in ipairs(sections_of(open)) do
      if #section.row.section.items > 0 then
        open.folded[section.row.key] = vim.fn.foldclosed(section.first) == section.first
      end
    end
  end)
end

--- Makes the folds of the sections, as they were noted. One that is new is folded if it
--- comes so, and with a filter none is.
---@param open wm.Open
local function fold(open)
  for _, win in ipairs(vim.fn.win_findbuf(open.buf)) do
    vim.api.nvim_win_call(win, function()
      local seen = vim.fn.winsaveview()
      vim.cmd("silent! normal! zE")
      for _, section in ipairs(sections_of(open)) do
        local folded = open.folded[section.row.key]
        if folded == nil then
          folded = section.row.section.folded == true and #section.row.section.items > 0
        end
        vim.cmd(("silent! %d,%dfold"):format(section.first, section.last))
        if not (open.whole and folded) then
          vim.cmd(("silent! %dfoldopen"):format(section.first))
        end
      end
      vim.fn.winrestview(seen)
    end)
  end
end

---@param open wm.Open
---@param page wm.Page
---@param whole boolean whether it is the whole panel
local function put(open, page, whole)
  local places, before = cursors(open), open.rows
  note_folds(open)
  open.rows, open.whole = page.rows, whole
  local changed = replace(open.buf, page.lines)
  vim.api.nvim_buf_clear_namespace(open.buf, namespace, 0, -1)
  for _, mark in ipairs(page.marks) do
    vim.api.nvim_buf_set_extmark(open.buf, namespace, mark.line, mark.from, {
      end_col = mark.to,
      hl_group = not mark.over and mark.group or nil,
      conceal = mark.conceal,
      virt_text = mark.over and { { mark.over, mark.group } } or nil,
      virt_text_pos = mark.over and "overlay" or nil,
      hl_mode = mark.over and "combine" or nil,
    })
  end
  restore_cursors(open, places, before)
  if changed then -- which damages folds
    fold(open)
  end
end

--- Draws a panel.
---@param open wm.Open
---@param panel wm.Panel
function M.panel(open, panel)
  put(open, page_of(open, panel), not open.filter)
end

--- Shows a sentence instead of a panel.
---@param open wm.Open
---@param message string
function M.message(open, message)
  local page = new_page(math.huge)
  page:add({ key = "\0message" }, { { text.line(message), "WmEmpty" } })
  put(open, page, false)
end

return M
