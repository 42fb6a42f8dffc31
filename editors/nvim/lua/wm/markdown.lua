--- Shows the Markdown of the server as what it means. Neovim would only conceal its signs, and break a line as if
--- they were seen.
local M = {}

--- Returns a line without the signs of Markdown, and marks for its links, its bold text and its code.
---@param line string
---@return string, wm.Mark[] without their line
local function meant(line)
  local parts, marks, width, at = {}, {}, 0, 1
  --- Adds what a piece of the line means, with a mark if it has a group.
  local function add(piece, length, group, link)
    if group then
      table.insert(marks, { from = width, to = width + #piece, group = group, link = link })
    end
    table.insert(parts, piece)
    width, at = width + #piece, at + length
  end
  --- Adds a piece that is Markdown itself.
  local function add_meant(piece, length, group, link)
    local inner, found = meant(piece)
    for _, mark in ipairs(found) do
      mark.from, mark.to = mark.from + width, mark.to + width
      table.insert(marks, mark)
    end
    add(inner, length, group, link)
  end
  while at <= #line do
    local name, target = line:match("^(%b[])%((%a+:[^()]+)%)", at)
    local strong = line:match("^%*%*(.-)%*%*", at)
    local ticks = line:match("^`+", at)
    local from, to ---@type integer?, integer? the ticks that end the code
    if ticks then
      from, to = line:find(ticks, at + #ticks, true)
    end
    local escaped = line:match("^\\(%p)", at)
    if name then
      add_meant(name:sub(2, -2), #name + #target + 2, "WmLink", target)
    elseif strong then
      add_meant(strong, #strong + 4, "WmStrong")
    elseif from then -- what is in code is no Markdown
      local code = line:sub(at + #ticks, from - 1)
      add(code:match("^ (.*[^ ].*) $") or code, to - at + 1, "WmCode")
    elseif escaped then
      add(escaped, 2)
    else
      local piece = ticks or line:match("^[^\\`%[*]+", at) or line:sub(at, at)
      add(piece, #piece)
    end
  end
  return table.concat(parts), marks
end

--- Returns the lines as they are meant: without the signs of headings, links, bold text, code and escapes, which marks
--- highlight.
---@param lines string[]
---@return string[], wm.Mark[]
function M.shown(lines)
  local shown, marks = {}, {}
  local fence ---@type string? the ticks before the code that a line is in
  for _, line in ipairs(lines) do
    local ticks = line:match("^ *(```+)")
    if ticks and (not fence or #ticks >= #fence) then
      fence = not fence and ticks or nil
    else
      local heading = line:match("^##?#?#?#?#? +(.*)")
      local text, found = line, {}
      if not fence then
        text, found = meant(heading or line)
      end
      local group = fence and "WmCode" or heading and "WmTitle"
      if group then
        table.insert(found, 1, { from = 0, to = #text, group = group })
      end
      for _, mark in ipairs(found) do
        mark.line = #shown
        table.insert(marks, mark)
      end
      table.insert(shown, text)
    end
  end
  return shown, marks
end

return M
