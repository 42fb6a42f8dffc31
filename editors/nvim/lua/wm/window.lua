--- Windows, and handling of Neovim's errors when they cannot be opened.
local config = require("wm.config")
local text = require("wm.text")

local M = {}

--- Sets options of a window for its current buffer only.
---@param win integer
---@param options table<string, any>
function M.set_options(win, options)
  for name, value in pairs(options) do
    vim.api.nvim_set_option_value(name, value, { win = win, scope = "local" })
  end
end

--- Returns the width in cells of a line in the buffer's narrowest window.
---@param buf integer
---@return integer
function M.width(buf)
  local widths = vim.tbl_map(function(win)
    local info = vim.fn.getwininfo(win)[1]
    return info.width - info.textoff
  end, vim.fn.win_findbuf(buf))
  return math.min(vim.o.columns, unpack(widths))
end

--- Sets the winbar of each window of a buffer.
---@param buf integer
---@param left string
---@param right string
---@param group? string its highlight
function M.set_title(buf, left, right, group)
  local shown = left:gsub("%%", "%%%%")
  local title = ("%%<%s%%= %s "):format(group and ("%%#%s#%s%%*"):format(group, shown) or shown, right)
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    M.set_options(win, { winbar = title })
  end
end

---@param win integer
local function is_float(win)
  return vim.api.nvim_win_get_config(win).relative ~= ""
end

--- Returns the reason of an error in one line.
---@param problem string
---@return string
local function reason(problem)
  if problem:find("E11:", 1, true) then
    return "close the command-line window first"
  end
  return problem:match("E%d+: [^\n]*") or problem:match("callback: ([^\n]*)") or problem:gsub("^.-:%d+: ", "")
end

--- Calls a function that Neovim may refuse, for example for lack of space. An error is
--- shown in one line.
---@param failure string
---@param does fun(...): any
---@return boolean done
---@return any result
function M.try(failure, does, ...)
  local done, result = pcall(does, ...)
  if not done then
    text.warn(("%s: %s"):format(failure, reason(tostring(result))))
  end
  return done, result
end

--- Returns a window that is new, or has taken the focus.
---@param known integer[] all windows before the call
---@param before integer the window that had the focus
---@return integer?
local function entered(known, before)
  for _, win in ipairs(vim.api.nvim_list_wins()) do
    if not vim.tbl_contains(known, win) then
      return win
    end
  end
  local win = vim.api.nvim_get_current_win()
  return win ~= before and win or nil
end

--- Calls a function that opens or enters a window. If an autocommand fails, for example
--- one of another plugin, the window exists nevertheless.
---@param does fun(...): any
---@return any result the result of the function, or the window
local function enter(does, ...)
  local known, before = vim.api.nvim_list_wins(), vim.api.nvim_get_current_win()
  local done, result = pcall(does, ...)
  if done then
    return result
  end
  local win = entered(known, before)
  if not win then
    error(result, 0)
  end
  text.warn("an autocommand failed: " .. reason(tostring(result)))
  return win
end

---@param buf integer
---@param focus boolean
---@param shape vim.api.keyset.win_config
---@return integer win
function M.open(buf, focus, shape)
  return enter(vim.api.nvim_open_win, buf, focus, shape)
end

--- Returns a window for files: the last one used, else any, else a new one beside the
--- panel.
---@return integer
local function file_window()
  local windows = { vim.fn.win_getid(vim.fn.winnr("#")) }
  vim.list_extend(windows, vim.api.nvim_tabpage_list_wins(0))
  for _, win in ipairs(windows) do
    if win ~= 0 and not is_float(win) and vim.bo[vim.api.nvim_win_get_buf(win)].buftype == "" then
      return win
    end
  end
  local side = config.current.panel.position == "left" and "right" or "left"
  return vim.api.nvim_open_win(vim.api.nvim_create_buf(true, false), false, { split = side, win = -1 })
end

--- Moves from the panel, which is narrow, or from a floating window, which cannot be
--- split, to a window for files. Elsewhere it does nothing.
function M.go_to_files()
  if vim.bo.filetype == "wm-panel" or is_float(0) then
    enter(vim.api.nvim_set_current_win, file_window())
  end
end

--- Opens a window below, or a tab if there is not enough space.
---@param buf integer
---@param focus boolean
---@param shape vim.api.keyset.win_config
---@return integer win
local function below_or_tab(buf, focus, shape)
  local before = vim.api.nvim_get_current_win()
  local ok, opened = pcall(M.open, buf, focus, vim.tbl_extend("error", shape, { split = "below" }))
  if ok then
    return opened
  elseif not tostring(opened):find("E36:", 1, true) then
    error(opened, 0)
  end
  enter(vim.cmd.sbuffer, { buf, mods = { tab = vim.fn.tabpagenr("$") } })
  local win = vim.api.nvim_get_current_win()
  if not focus then
    enter(vim.api.nvim_set_current_win, before)
  end
  return win
end

--- Opens a window for a buffer that belongs to no other window.
---@param buf integer
---@param focus boolean
---@param shape vim.api.keyset.win_config
---@param options table<string, any>
---@return integer win
function M.open_below(buf, focus, shape, options)
  local win = below_or_tab(buf, focus, shape)
  M.set_options(win, vim.tbl_extend("error", { scrollbind = false, cursorbind = false }, options))
  return win
end

--- Opens a file in a window of its own.
---@param path string
---@return boolean done
function M.open_file(path)
  local done = M.try("this file cannot be opened", function()
    M.go_to_files()
    local buf = vim.fn.bufadd(path)
    vim.bo[buf].buflisted = true
    below_or_tab(buf, true, { win = 0 })
  end)
  return done
end

--- Moves the cursor to the start of a range in the current buffer, or as close as
--- possible: the file may have changed.
---@param range any
local function go_to(range)
  local start = type(range) == "table" and type(range.start) == "table" and range.start or {}
  local line, character = text.whole(start.line), text.whole(start.character)
  if line and character then
    line = math.min(line + 1, vim.api.nvim_buf_line_count(0))
    local content = vim.fn.getline(line)
    local column = vim.fn.byteidxcomp(content, character, true)
    vim.api.nvim_win_set_cursor(0, { line, column < 0 and #content or column })
    vim.cmd("normal! zv")
  end
end

---@param location table
local function open_location(location)
  M.go_to_files()
  vim.lsp.util.show_document({ uri = location.uri }, "utf-16", { focus = true, reuse_win = false })
  go_to(location.range)
end

--- Opens a location that the server names, if it is a file that exists.
---@param location table
function M.show_location(location)
  if type(location.uri) ~= "string" or not vim.startswith(location.uri, "file:") then
    return text.warn("the location is not a file: " .. text.line(location.uri))
  end
  local path = vim.fs.normalize(vim.uri_to_fname(location.uri))
  if not vim.uv.fs_stat(path) and vim.fn.bufloaded(path) == 0 then
    return text.warn(vim.fn.fnamemodify(path, ":~:.") .. " no longer exists")
  end
  M.try("the location cannot be opened", open_location, location)
end

--- Restores the focus to the former window when the given window is closed while it has
--- the focus.
---@param win integer
---@param before integer
function M.give_back(win, before)
  vim.api.nvim_create_autocmd("WinClosed", {
    pattern = tostring(win),
    once = true,
    callback = function()
      if vim.api.nvim_get_current_win() == win then
        vim.schedule(function()
          pcall(vim.api.nvim_set_current_win, before)
        end)
      end
    end,
  })
end

return M
