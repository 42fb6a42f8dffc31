--- Every setting of the plugin, once: its name, default and meaning.
local M = {}

---@class wm.Panel.Settings
---@field position "left"|"right"
---@field width integer
---@field focus boolean
---@field icons table<string, string>

---@class wm.Settings
---@field cmd string[]
---@field root_markers string[]
---@field max_bytes integer
---@field debounce_ms integer
---@field timeout_ms integer
---@field settings table
---@field log_level "debug"|"info"|"warn"|"error"
---@field panel wm.Panel.Settings
M.defaults = {
  -- The server: a name on the PATH or a path, and arguments of your own. If
  -- "wm-lsp" is not on the PATH, bin/ of the checkout that holds this plugin is
  -- looked at as well.
  cmd = { "wm-lsp" },
  -- A file belongs to the nearest folder above it that holds one of these, else
  -- to the current directory. There is one server for each such folder.
  root_markers = { ".git" },
  -- Larger files are not sent to the server; it would not track them.
  max_bytes = 1024 * 1024,
  -- Diagnostics are forwarded when they have not changed for this long.
  debounce_ms = 100,
  -- A server that has not answered to its start for this long is given up; one
  -- that has not answered to a question is said not to answer.
  timeout_ms = 10000,
  -- The settings of the server, as its reference names them (section "wm").
  settings = {},
  -- What the server writes into the file that `:WM log` opens.
  log_level = "info",
  panel = {
    -- On which side the panel opens, and how many columns it has: no more than
    -- half of all.
    position = "right",
    width = 52,
    -- Whether `:WM panel` puts the cursor into the panel.
    focus = true,
    -- Characters for icons, by the name that the server gives, such as
    -- { error = "E" }; they win over the ones that come with the plugin.
    icons = {},
  },
}

---@type wm.Settings
M.current = vim.deepcopy(M.defaults)

--- Tables that hold names of somebody else's, which cannot be checked here.
local open_tables = { settings = true, ["panel.icons"] = true }

local CHOICES = {
  log_level = { "debug", "info", "warn", "error" },
  ["panel.position"] = { "left", "right" },
}

---@param given table
---@param defaults table
---@param prefix string
local function check(given, defaults, prefix)
  for key, value in pairs(given) do
    local name = prefix .. tostring(key)
    local default = defaults[key]
    if default == nil then
      error(("wm: there is no setting %q; see :help wm-settings"):format(name), 0)
    end
    if type(value) ~= type(default) then
      error(("wm: setting %q has to be a %s; see :help wm-settings"):format(name, type(default)), 0)
    end
    local choices = CHOICES[name]
    if choices and not vim.tbl_contains(choices, value) then
      error(("wm: setting %q has to be one of %s; see :help wm-settings"):format(name, table.concat(choices, ", ")), 0)
    end
    if type(value) == "number" and (value ~= value or value < 1) then
      error(("wm: setting %q has to be 1 or more; see :help wm-settings"):format(name), 0)
    end
    if type(value) == "table" and not vim.islist(default) and not open_tables[name] then
      check(value, default, name .. ".")
    end
  end
end

--- Takes the settings over the defaults. Raises an error that names what is wrong.
---@param given? table
function M.apply(given)
  given = given or {}
  check(given, M.defaults, "")
  if given.cmd and #given.cmd == 0 then
    error('wm: setting "cmd" is empty; name the server, such as { "wm-lsp" }', 0)
  end
  M.current = vim.tbl_deep_extend("force", vim.deepcopy(M.defaults), given)
end

return M
