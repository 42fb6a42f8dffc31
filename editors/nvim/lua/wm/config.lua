--- All settings of the plugin: name, default and meaning.
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
---@field terminals boolean
---@field settings table
---@field log_level "debug"|"info"|"warn"|"error"
---@field panel wm.Panel.Settings
M.defaults = {
  -- The command of the server: a name on the PATH or a path, and arguments. If "wm-lsp"
  -- is not on the PATH, the plugin also looks in bin/ of the checkout that contains it.
  cmd = { "wm-lsp" },
  -- The root of a file is the nearest parent folder that contains one of these, else
  -- the current directory. Each root has one server.
  root_markers = { ".git" },
  -- Larger files are not sent to the server, which would not track them.
  max_bytes = 1024 * 1024,
  -- Diagnostics are forwarded when they have not changed for this long.
  debounce_ms = 100,
  -- A server that does not respond to `initialize` within this time is stopped. One
  -- that does not respond to another request is reported as not responding.
  timeout_ms = 10000,
  -- Whether commands that you run in terminals count: one that fails opens errors, one
  -- that succeeds closes them. It needs Neovim 0.11 and a shell that emits OSC 133.
  terminals = true,
  -- The settings of the server (section "wm"); see docs/settings.md.
  settings = {},
  -- The log level of the server. `:WM log` opens the log.
  log_level = "info",
  panel = {
    -- The side of the panel, and its width in columns: at most half of the screen.
    position = "right",
    width = 52,
    -- Whether `:WM panel` moves the cursor into the panel.
    focus = true,
    -- Characters for icons by the server's name, such as { error = "E" }. They override
    -- the built-in ones.
    icons = {},
  },
}

---@type wm.Settings
M.current = vim.deepcopy(M.defaults)

--- Tables with names that cannot be checked here.
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
      error(("wm: unknown setting %q; see :help wm-settings"):format(name), 0)
    end
    if type(value) ~= type(default) then
      error(("wm: setting %q must be a %s; see :help wm-settings"):format(name, type(default)), 0)
    end
    local choices = CHOICES[name]
    if choices and not vim.tbl_contains(choices, value) then
      error(("wm: setting %q must be one of %s; see :help wm-settings"):format(name, table.concat(choices, ", ")), 0)
    end
    if type(value) == "number" and (value ~= value or value < 1) then
      error(("wm: setting %q must be 1 or more; see :help wm-settings"):format(name), 0)
    end
    if type(value) == "table" and not vim.islist(default) and not open_tables[name] then
      check(value, default, name .. ".")
    end
  end
end

--- Merges the settings into the defaults. Raises an error that names an invalid
--- setting.
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
