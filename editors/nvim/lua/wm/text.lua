--- Makes text from outside harmless before it is shown.
local M = {}

--- Control characters, and characters that hide or reorder their neighbours: the first
--- and last code point of each range.
local UNSEEN = {
  { 0x80, 0x9F },
  { 0xAD, 0xAD },
  { 0x34F, 0x34F },
  { 0x61C, 0x61C },
  { 0x115F, 0x115F },
  { 0x180E, 0x180E },
  { 0x200B, 0x200B },
  { 0x200E, 0x200F },
  { 0x2028, 0x202E },
  { 0x2060, 0x206F },
  { 0xFEFF, 0xFEFF },
  { 0xFFF9, 0xFFFB },
  { 0xE0000, 0xE007F },
}

---@type table<string, string> by invisible character
local escapes = {}
for _, range in ipairs(UNSEEN) do
  for code = range[1], range[2] do
    escapes[vim.fn.nr2char(code)] = (code < 0x100 and "\\x%02x" or "\\u%04x"):format(code)
  end
end

--- Lua patterns for non-ASCII characters in UTF-8, by their number of bytes.
local CHARACTERS = {
  "[\194-\223][\128-\191]",
  "[\224-\239][\128-\191][\128-\191]",
  "[\240-\244][\128-\191][\128-\191][\128-\191]",
}

local named = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

--- Returns the text as one line, with each invisible character escaped, such as \n or
--- \x1b.
---@param text any
---@param max_bytes? integer longer lines are cut; 1000 by default
---@return string
function M.line(text, max_bytes)
  if type(text) ~= "string" then
    return ""
  end
  max_bytes = max_bytes or 1000
  if #text > max_bytes then
    local cut = max_bytes
    while cut > 0 and text:byte(cut + 1) >= 0x80 and text:byte(cut + 1) < 0xC0 do
      cut = cut - 1
    end
    text = text:sub(1, cut) .. "…"
  end
  text = text:gsub("%c", function(c)
    return named[c] or ("\\x%02x"):format(c:byte())
  end)
  for _, character in ipairs(CHARACTERS) do
    text = text:gsub(character, escapes)
  end
  return text
end

--- Returns the text as one line, with each run of white space as one space.
---@param text any
---@param max_bytes? integer
---@return string
function M.one_line(text, max_bytes)
  return type(text) == "string" and M.line(vim.trim(text):gsub("%s+", " "), max_bytes) or ""
end

--- Returns a number of the server as an integer that can be shown, rounded down, or nil.
---@param value any
---@return integer?
function M.whole(value)
  if type(value) == "number" and value == value then
    return math.floor(math.min(math.max(value, 0), 1e9))
  end
end

--- Returns the lines of a string, each made harmless.
---@param text any
---@return string[]
function M.lines(text)
  if type(text) ~= "string" then
    return {}
  end
  local lines = vim.split(text:gsub("\r\n", "\n"), "\n", { plain = true })
  return vim.tbl_map(function(line)
    return M.line(line:gsub("\t", "  "), 10000)
  end, lines)
end

--- Reports whether a string has all words of a query, in any case and order.
---@param content string
---@param query string
---@return boolean
function M.has_words(content, query)
  content = vim.fn.tolower(content)
  for word in vim.fn.tolower(query):gmatch("%S+") do
    if not content:find(word, 1, true) then
      return false
    end
  end
  return true
end

--- Returns a time of the server (ISO 8601, UTC) in seconds since 1970.
---@param iso any
---@return integer?
function M.seconds(iso)
  local year, month, day, hour, min, sec = M.line(iso):match("^(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)")
  if not year then
    return nil
  end
  local wanted = { year = year, month = month, day = day, hour = hour, min = min, sec = sec, isdst = false }
  local seconds = os.time(wanted)
  local shifted = os.date("!*t", seconds) --[[@as osdateparam]]
  shifted.isdst = false
  return seconds + (seconds - os.time(shifted))
end

--- Formats a time in local time, with the date unless it is within a day from now.
---@param iso any
---@return string
function M.time(iso)
  local seconds = M.seconds(iso)
  local near = seconds and math.abs(seconds - os.time()) < 24 * 60 * 60
  return seconds and os.date(near and "%H:%M" or "%Y-%m-%d %H:%M", seconds) --[[@as string]] or ""
end

--- Shows a message in the message line. A long message is cut, because it would show a
--- hit-enter prompt.
---@param text string
function M.say(text)
  local message, room = "wm: " .. M.line(text), math.max(vim.v.echospace, 1)
  if vim.fn.strdisplaywidth(message) > room then
    message = vim.fn.printf(("%%.%dS…"):format(room - 1), message)
  end
  vim.api.nvim_echo({ { message } }, true, {})
end

--- Shows a warning.
---@param text string
function M.warn(text)
  vim.notify("wm: " .. M.line(text), vim.log.levels.WARN)
end

return M
