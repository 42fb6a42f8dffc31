--- Shows Markdown as what it means, where Neovim's own rules do not: they hide the targets of links, and break a line
--- as if these were seen.
local M = {}

--- Returns a line with links as their names, and marks for the links and the backslashes of escapes.
---@param line string
---@return string, wm.Mark[] without their line
local function named(line)
  local parts, marks, width, at = {}, {}, 0, 1
  local function add(piece, length)
    table.insert(parts, piece)
    width, at = width + #piece, at + length
  end
  while at <= #line do
    local name, target = line:match("^(%b[])%((%a+:[^()]+)%)", at)
    local ticks = line:match("^`+", at)
    local code = ticks and select(2, line:find(ticks, at + #ticks, true))
    local escape = line:match("^\\%p", at)
    if name then
      local inner, found = named(name:sub(2, -2))
      for _, mark in ipairs(found) do
        mark.from, mark.to = mark.from + width, mark.to + width
        table.insert(marks, mark)
      end
      table.insert(marks, { from = width, to = width + #inner, group = "WmLink", link = target })
      add(inner, #name + #target + 2)
    elseif code then
      add(line:sub(at, code), code - at + 1) -- what is in code is no link
    else
      if escape then
        table.insert(marks, { from = width, to = width + 1, conceal = "" })
      end
      local piece = escape or ticks or line:match("^[^\\`%[]+", at) or line:sub(at, at)
      add(piece, #piece)
    end
  end
  return table.concat(parts), marks
end

--- Returns the lines as they are shown, with marks that highlight links, and conceal what begins a heading and the
--- backslashes of escapes. What is shown once more is the same.
---@param lines string[]
---@return string[], wm.Mark[]
function M.shown(lines)
  local shown, marks, fenced = {}, {}, false
  for i, line in ipairs(lines) do
    local fence = line:match("^ *```")
    if fence then
      fenced = not fenced
    end
    local found = {}
    if not fenced and not fence then
      line, found = named(line)
      local hashes = line:match("^##?#?#?#?#? +")
      if hashes then
        table.insert(found, 1, { from = 0, to = #hashes, conceal = "" })
      end
    end
    for _, mark in ipairs(found) do
      mark.line = i - 1
      table.insert(marks, mark)
    end
    table.insert(shown, line)
  end
  return shown, marks
end

return M
