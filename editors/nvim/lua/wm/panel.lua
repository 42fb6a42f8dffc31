--- The panel: a split that draws the result of `wm/panel`. The server also defines the
--- actions of an item.
local actions = require("wm.actions")
local ask = require("wm.ask")
local client = require("wm.client")
local config = require("wm.config")
local connect = require("wm.connect")
local detail = require("wm.detail")
local markdown = require("wm.markdown")
local paint = require("wm.paint")
local text = require("wm.text")
local view = require("wm.view")
local window = require("wm.window")

local M = {}

---@class wm.Open
---@field buf integer every window of this buffer shows the panel
---@field workspace? wm.Workspace
---@field panel? wm.Panel the last valid result
---@field unreadable? boolean whether a later result was invalid
---@field rows wm.Row[] one per line
---@field width integer the cells of its narrowest window when it was drawn
---@field asked boolean whether a request is pending
---@field again boolean whether to request it once more afterwards
---@field more boolean whether advanced sections are shown
---@field whole? boolean whether the rows are the whole panel: no filter, no message
---@field folded table<string, boolean> whether a section is folded, by the key of its row
---@field toggled table<string, boolean> whether an item is folded, by the key of its row, where a person chose
---@field keys table<string, boolean> mapped keys of actions
---@field filter? string only items that have these words are shown
---@field wanted? {id: string, callback: fun(found: boolean)} the row to go to once it is drawn
---@field float? integer the floating window: help, or details of an item

---@type wm.Open?
local open

local HELP = {
  "<CR>  open the place or the details; fold (double click)",
  "K     show details",
  "a     all actions",
  "y     copy the text",
  "V     select: keys, a and y are for all",
  "u     undo the last action; <C-r> redoes it",
  "f     filter; F shows all items",
  "R     refresh",
  "m     show or hide more sections",
  "za    fold, also <Tab>; zM all, zR none",
  "q     close",
  "?     this help",
}

--- Who said an item, by the icons of the server.
local AUTHORS = {
  { "person", "person" },
  { "hubot", "agent" },
  { "fold", "summary" },
  { "terminal", "command" },
  { "desktop-download", "import" },
}

--- Keys of the panel itself; actions cannot use them.
local RESERVED = "[%?KRaumqfFzjkhlGgnN:/]"

--- Reports whether an action proposes a key that it can use.
---@param key any
local function is_free(key)
  return type(key) == "string" and key:match("^[%a%p]$") ~= nil and not key:match(RESERVED)
end

---@return wm.Row?
local function row_at_cursor()
  if open and vim.api.nvim_get_current_buf() == open.buf then
    return open.rows[vim.api.nvim_win_get_cursor(0)[1]]
  end
end

--- Sets options of the panel's windows in all tabs.
---@param options table<string, any>
local function set_options(options)
  for _, win in ipairs(open and vim.fn.win_findbuf(open.buf) or {}) do
    window.set_options(win, options)
  end
end

--- Returns the label of an item in quotes, as the target of an action.
---@param item table
---@return string
local function quoted(item)
  return ("“%s”"):format(text.line(item.label, 40))
end

--- Returns the actions at the cursor: of the item, then of its section.
---@return wm.Action[]
local function actions_at_cursor()
  local row = row_at_cursor() or {}
  local item, section = row.item or {}, row.section or {}
  local offered = {}
  local function add(owner, about)
    for _, action in ipairs(owner.actions or {}) do
      table.insert(offered, vim.tbl_extend("force", action, { about = about }))
    end
  end
  add(item, quoted(item))
  add(section, "in " .. text.line(section.title, 40))
  return offered
end

local render, refresh

---@param problem string
local function show_problem(problem)
  if open then
    open.panel = nil
    set_options({ wrap = true })
    paint.message(open, problem)
  end
end

--- Runs an action of the panel.
---@param action wm.Action
local function run(action)
  if open and open.workspace then
    actions.perform(open.workspace, action)
  end
end

local function choose_action()
  local offered = actions_at_cursor()
  if #offered == 0 then
    return text.say("there are no actions here")
  end
  ask.select(offered, {
    prompt = "Action",
    format_item = function(action)
      return text.line(action.title) .. (is_free(action.key) and ("  [%s]"):format(action.key) or "")
    end,
  }, function(action)
    if action then
      run(action)
    end
  end)
end

--- Returns the rows of the selection, which ends.
---@return wm.Row[]
local function take_selection()
  local first, last = vim.fn.line("v"), vim.fn.line(".")
  vim.cmd.normal({ vim.keycode("<Esc>"), bang = true }) -- before keys that have been typed meanwhile
  return open and vim.list_slice(open.rows, math.min(first, last), math.max(first, last)) or {}
end

--- Runs an action on those of some rows whose items have one that fits.
---@param rows wm.Row[]
---@param fits fun(action: wm.Action): boolean
local function run_on(rows, fits)
  local chosen = {}
  for _, row in ipairs(rows) do
    local found = row.item and vim.iter(row.item.actions or {}):find(fits)
    if found then
      table.insert(chosen, vim.tbl_extend("force", found, { about = quoted(row.item) }))
    end
  end
  local workspace = open and open.workspace
  if #chosen == 0 or not workspace then
    return text.say("nothing that is selected has this action")
  elseif #chosen == 1 then
    return actions.perform(workspace, chosen[1])
  end
  actions.perform_all(workspace, chosen)
end

--- Asks for an action of the selected items.
local function choose_for_selection()
  local rows, titles = take_selection(), {}
  for _, row in ipairs(rows) do
    for _, action in ipairs(row.item and row.item.actions or {}) do
      local title = text.line(action.title)
      if not vim.tbl_contains(titles, title) then
        table.insert(titles, title)
      end
    end
  end
  if #titles == 0 then
    return text.say("there are no actions here")
  end
  ask.select(titles, { prompt = "Action" }, function(title)
    if title then
      run_on(rows, function(action)
        return text.line(action.title) == title
      end)
    end
  end)
end

--- Copies the labels of rows, each in a line of its own.
---@param rows wm.Row[]
local function copy_rows(rows)
  local labels = {}
  for _, row in ipairs(rows) do
    local said = row.item and row.item.label or not row.sentence and row.section and row.section.title
    if said then
      table.insert(labels, said)
    end
  end
  if #labels == 0 then
    return text.say("there is nothing to copy here")
  end
  actions.copy(table.concat(labels, "\n"))
  text.say(#labels == 1 and "copied" or ("copied %d rows"):format(#labels))
end

---@param key string
local function run_key(key)
  for _, action in ipairs(actions_at_cursor()) do
    if action.key == key then
      return run(action)
    end
  end
  if key == "y" then
    return copy_rows({ row_at_cursor() })
  end
  text.say(("%s does nothing here; a lists the actions"):format(key))
end

--- Maps the keys that the panel's actions propose.
---@param key any
local function map_key(key)
  if not is_free(key) or open.keys[key] then
    return
  end
  open.keys[key] = true
  local options = { buffer = open.buf, nowait = true, desc = "wm: the action with this key" }
  local pressed = key == "<" and "<lt>" or key
  vim.keymap.set("n", pressed, function()
    run_key(key)
  end, options)
  if key ~= "y" then -- which copies the selected rows
    vim.keymap.set("x", pressed, function()
      run_on(take_selection(), function(action)
        return action.key == key
      end)
    end, options)
  end
end

local function map_action_keys()
  for _, row in ipairs(open.rows) do
    local owner = row.item or row.section or {}
    for _, action in ipairs(owner.actions or {}) do
      map_key(action.key)
    end
  end
end

local function toggle_more()
  open.more = not open.more
  render()
end

--- Closes the floating window, if any.
---@return boolean closed
local function close_float()
  local float = open and open.float
  local closed = float ~= nil and vim.api.nvim_win_is_valid(float)
  if closed then
    vim.api.nvim_win_close(float --[[@as integer]], true)
  end
  return closed
end

--- Shows lines in a floating window until the cursor moves. Escape also closes it;
--- otherwise the panel does not map it.
---@param lines string[]
---@param marks wm.Mark[]
---@param options table
local function show_float(lines, marks, options)
  local buf = open.buf
  local shown = vim.tbl_extend("force", { border = "rounded" }, options)
  local made, page, float = pcall(vim.lsp.util.open_floating_preview, lines, "", shown)
  if not made then
    return text.warn("there is no room to show this")
  end
  view.mark(page, marks)
  open.float = float
  vim.keymap.set("n", "<Esc>", close_float, { buffer = buf, nowait = true, desc = "wm: close this" })
  vim.api.nvim_create_autocmd("WinClosed", {
    pattern = tostring(float),
    once = true,
    callback = function()
      pcall(vim.keymap.del, "n", "<Esc>", { buffer = buf })
    end,
  })
end

local hover

--- Folds what is below the item at the cursor, or else its section.
local function fold()
  local row = row_at_cursor()
  local item = row and row.item
  if not item or not paint.has_children(item) then
    return pcall(vim.cmd.normal, { "za", bang = true })
  end
  open.toggled[row.key] = not paint.is_folded(open, row.key, item)
  return render()
end

--- Folds the section of a title. A sentence in an empty section asks for its first item.
---@param row? wm.Row
local function choose_title(row)
  local section = row and row.section
  local first = section
    and #section.items == 0
    and vim.iter(section.actions or {}):find(function(action)
      return #(action.inputs or {}) > 0
    end)
  if first and row.sentence then
    return run(vim.tbl_extend("force", first, { about = "in " .. text.line(section.title, 40) }))
  end
  return fold()
end

local function choose()
  local row = row_at_cursor()
  local item = row and row.item
  if row and row.more then
    return toggle_more()
  elseif row and row.hint then
    return connect.open()
  elseif not item then
    return choose_title(row)
  elseif type(item.location) == "table" then
    return window.show_location(item.location)
  elseif item.hasMarkdown and open.workspace then
    return detail.open(open.workspace, item.id, actions.perform)
  elseif paint.has_children(item) then
    return fold()
  end
  text.say("there are no details here")
end

function hover()
  local row = row_at_cursor()
  local item, workspace = row and row.item, open and open.workspace
  if not item or not item.hasMarkdown or not workspace then
    return text.say("there are no details here")
  end
  client.request(workspace, "wm/panel/resolve", client.viewing(workspace, { id = item.id }), function(problem, result)
    local now = row_at_cursor()
    if problem then
      return text.warn(problem)
    elseif not now or now.key ~= row.key then
      return
    end
    local lines, marks = markdown.shown(text.lines(type(result) == "table" and result.markdown))
    marks = vim.tbl_filter(function(mark)
      return not mark.link -- a floating window follows no link
    end, marks)
    show_float(lines, marks, { focus_id = "wm-panel", max_width = 90 })
  end)
end

---@param filter? string
local function set_filter(filter)
  if open then
    open.filter = filter and filter:match("%S") and filter or nil
    render()
  end
end

local function ask_filter()
  ask.input({ prompt = "Filter: ", default = open and open.filter or "" }, function(filter)
    if filter then
      set_filter(filter)
    end
  end)
end

local function help()
  if close_float() then
    return
  end
  local lines = vim.deepcopy(HELP)
  local signs = vim.tbl_map(function(author)
    return paint.icon(author[1]) .. " " .. author[2]
  end, AUTHORS)
  vim.list_extend(lines, { "", "by " .. table.concat(signs, "  ") })
  local keys = {}
  for _, action in ipairs(actions_at_cursor()) do
    if is_free(action.key) then
      table.insert(keys, ("%-5s %s"):format(action.key, text.line(action.title)))
    end
  end
  if #keys > 0 then
    table.insert(lines, "")
    vim.list_extend(lines, keys)
  end
  show_float(lines, {}, { focusable = false })
end

local function map_own_keys()
  local function map(key, action, what)
    vim.keymap.set("n", key, action, { buffer = open.buf, nowait = true, desc = "wm: " .. what })
  end
  map("<CR>", choose, "open the place or the details, or fold")
  map("<2-LeftMouse>", choose, "open the place or the details, or fold")
  map("za", fold, "fold what is below, or the section")
  map("<Tab>", fold, "fold what is below, or the section")
  map("K", function()
    hover()
  end, "show details")
  map("a", choose_action, "all actions")
  map("y", function()
    run_key("y")
  end, "copy the text")
  vim.keymap.set("x", "a", choose_for_selection, { buffer = open.buf, nowait = true, desc = "wm: actions of all" })
  vim.keymap.set("x", "y", function()
    copy_rows(take_selection())
  end, { buffer = open.buf, nowait = true, desc = "wm: copy the rows" })
  map("u", actions.undo, "undo the last action")
  map("<C-r>", actions.redo, "redo what was undone")
  map("f", ask_filter, "show only items with these words")
  map("F", function()
    set_filter()
  end, "show all items")
  map("R", function()
    open.panel = nil
    refresh()
  end, "refresh")
  map("m", toggle_more, "show or hide more sections")
  map("q", function()
    return close_float() or M.close()
  end, "close")
  map("?", help, "help")
end

--- Moves the cursor to the row of an item, if there is one.
---@param id string
---@return boolean found
local function go_to_row(id)
  local win = vim.fn.bufwinid(open.buf)
  for number, row in ipairs(open.rows) do
    if win ~= -1 and row.item and row.item.id == id then
      vim.api.nvim_set_current_win(win)
      vim.api.nvim_win_set_cursor(win, { number, 0 })
      pcall(vim.cmd.normal, { "zv", bang = true })
      return true
    end
  end
  return false
end

function render()
  if not open or not open.panel then
    return open and open.unreadable and show_problem(paint.UNREADABLE)
  end
  set_options({ wrap = false })
  open.width = window.width(open.buf)
  paint.panel(open, open.panel)
  map_action_keys()
  local wanted = open.wanted
  open.wanted = nil
  if wanted then
    wanted.callback(go_to_row(wanted.id))
  end
end

--- Requests the panel and draws it if it changed. Only one request is pending at a
--- time; calls in the meantime cause one more request.
function refresh()
  local panel = open
  if not panel or not panel.workspace then
    return
  elseif panel.asked then
    panel.again = true
    return
  end
  panel.asked = true
  local workspace = panel.workspace
  local painted = not panel.unreadable and panel.panel or {}
  local params = client.viewing(workspace, { ifSeq = painted.seq })
  client.request(workspace, "wm/panel", params, function(problem, result)
    panel.asked = false
    if open ~= panel or panel.workspace ~= workspace then
      return
    elseif problem and workspace.state ~= "starting" then
      show_problem(problem)
    elseif not problem and not (type(result) == "table" and result.unchanged) then
      panel.unreadable = not paint.is_panel(result)
      if not panel.unreadable then
        panel.panel = result
      end
      render()
    end
    if panel.again then
      panel.again = false
      refresh()
    end
  end)
end

--- Returns the panel's statusline, which names the session that is shown.
---@param workspace? wm.Workspace
---@return string
local function statusline_of(workspace)
  local folder = workspace and " · " .. text.line(vim.fs.basename(workspace.root)) or ""
  return "Memory" .. folder:gsub("%%", "%%%%")
end

--- Shows the panel of a workspace in the open window.
---@param workspace? wm.Workspace
local function show(workspace)
  if not open then
    return
  end
  set_options({ statusline = statusline_of(workspace) })
  open.workspace, open.panel, open.unreadable, open.asked, open.again = workspace, nil, false, false, false
  vim.b[open.buf].wm_root = workspace and workspace.root or ""
  if not workspace then
    show_problem("Open a file of a project to show its memory here.")
  elseif workspace.state == "starting" then
    show_problem("The server is starting …")
  else
    refresh()
  end
end

local WINDOW_OPTIONS = {
  concealcursor = "nvc",
  conceallevel = 2,
  cursorbind = false,
  cursorline = true,
  fillchars = "eob: ,fold:·",
  foldcolumn = "0",
  foldenable = true,
  foldlevel = 99,
  foldmethod = "manual",
  foldtext = "",
  linebreak = true,
  list = false,
  number = false,
  relativenumber = false,
  scrollbind = false,
  signcolumn = "no",
  spell = false,
  statuscolumn = "",
  winfixbuf = true,
  winfixwidth = true,
  winbar = "%<Working memory%= %{v:lua.require'wm.status'.pause()} ? help",
  wrap = false,
}

---@param buf integer
local function new_window(buf)
  local settings = config.current.panel
  window.open(buf, settings.focus, {
    split = settings.position == "left" and "left" or "right",
    win = -1,
    width = math.floor(math.min(settings.width, vim.o.columns / 2)),
  })
end

--- Forgets the panel when it leaves its last window, whatever closed it. If the window
--- stays, because it is the only one, its options are reset.
local function forget()
  set_options({ winfixbuf = false, winfixwidth = false })
  open = nil
end

--- Returns the values that a method's actions in the panel have for a param.
---@param method string
---@param param string
---@return string[]
function M.values(method, param)
  local values = {}
  local function add(items)
    for _, item in ipairs(items) do
      for _, action in ipairs(item.actions or {}) do
        local value = actions.params_of(action)[param]
        if action.method == method and type(value) == "string" then
          table.insert(values, value)
        end
      end
      add(item.children or {})
    end
  end
  for _, section in ipairs(open and open.panel and open.panel.sections or {}) do
    add(section.items)
  end
  return values
end

--- Returns the input that a section's action has for a param.
---@param shown any a panel
---@param method string
---@param param string
---@return table? input
function M.input_of(shown, method, param)
  for _, section in ipairs(paint.is_panel(shown) and shown.sections or {}) do
    for _, action in ipairs(section.actions or {}) do
      for _, wanted in ipairs(action.method == method and action.inputs or {}) do
        if wanted.param == param then
          return wanted
        end
      end
    end
  end
end

---@return boolean
function M.is_open()
  return open ~= nil
end

--- Reloads the panel if it shows the given workspace.
---@param workspace wm.Workspace
function M.reload(workspace)
  if open and open.workspace == workspace then
    open.panel = nil
    refresh()
  end
end

--- Opens the panel for the workspace of the current buffer.
local function open_panel()
  local workspace = client.workspace_of(vim.api.nvim_get_current_buf())
  local buf = view.new_buffer("wm://panel", "wm-panel")
  if not window.try("the panel cannot be opened here", new_window, buf) then
    return
  end
  open = {
    buf = buf,
    rows = {},
    width = 0,
    asked = false,
    again = false,
    more = false,
    folded = {},
    toggled = {},
    keys = {},
  }
  set_options(WINDOW_OPTIONS)
  map_own_keys()
  vim.api.nvim_create_autocmd("BufWinLeave", { buffer = buf, once = true, callback = forget })
  vim.api.nvim_create_autocmd("BufReadCmd", {
    buffer = buf,
    callback = function()
      show(open.workspace)
    end,
  })
  show(workspace)
end

function M.close()
  if open then
    window.try("the panel cannot be closed here", vim.api.nvim_buf_delete, open.buf, { force = true })
  end
end

--- Goes to the row of an item in the panel, which is opened if it is not in this tab.
--- Calls back with whether there is such a row.
---@param workspace wm.Workspace
---@param id string
---@param callback fun(found: boolean)
function M.go_to(workspace, id, callback)
  if not open or vim.fn.bufwinid(open.buf) == -1 then
    M.close()
    open_panel()
  end
  if not open then
    return callback(false)
  end
  open.wanted, open.filter = { id = id, callback = callback }, nil
  if open.workspace ~= workspace then
    return show(workspace)
  elseif open.panel then
    return render()
  end
  refresh()
end

--- Closes the panel if this tab has it, else opens it here.
function M.toggle()
  local here = open and vim.fn.bufwinid(open.buf) ~= -1
  M.close()
  if not here and not open then
    open_panel()
  end
end

function M.setup()
  actions.setup({
    refresh = refresh,
    shown = function()
      return open and open.workspace
    end,
  })
  client.listen(function(workspace, event)
    if not open then
      return
    elseif open.workspace ~= workspace then
      local current = client.workspace_of(vim.api.nvim_get_current_buf())
      if not open.workspace or (event == "ready" and current == workspace) then
        show(workspace)
      end
    elseif event == "ready" then
      open.panel, open.asked = nil, false
      refresh()
    elseif event == "changed" then
      refresh()
    elseif workspace.problem then
      show_problem(workspace.problem)
    end
  end)
  local group = vim.api.nvim_create_augroup("wm-panel", {})
  vim.api.nvim_create_autocmd("WinResized", {
    group = group,
    callback = function()
      if open and open.width ~= window.width(open.buf) then
        render()
      end
    end,
  })
  vim.api.nvim_create_autocmd("BufEnter", {
    group = group,
    callback = function(event)
      local workspace = open and vim.bo[event.buf].buftype == "" and client.workspace_of(event.buf)
      if workspace and workspace ~= open.workspace then
        show(workspace)
      end
    end,
  })
end

return M
