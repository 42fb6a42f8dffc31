--- Searches memories: with a query through vim.ui.select, without one while the user
--- types.
local actions = require("wm.actions")
local ask = require("wm.ask")
local client = require("wm.client")
local text = require("wm.text")
local detail = require("wm.detail")
local panel = require("wm.panel")
local window = require("wm.window")

local M = {}

local MOST = 50

---@class wm.Hit
---@field id string in its store
---@field label string
---@field place {itemId: string, sessionId?: string, location?: table}

---@param entry table
---@return wm.Hit
local function hit_of_entry(entry)
  return {
    id = entry.id,
    label = ("[%s] %s"):format(text.line(entry.detail, 120), text.one_line(entry.text, 300)),
    place = { itemId = "memory:" .. text.line(entry.id) },
  }
end

---@param hit table
---@return wm.Hit
local function hit_of_item(hit)
  local item = type(hit.item) == "table" and hit.item or {}
  return {
    id = item.id,
    label = ("[%s] %s"):format(text.line(hit.from, 120), text.one_line(item.text, 300)),
    place = type(hit.place) == "table" and hit.place or {},
  }
end

--- Calls back with the hits of a query, or with all active entries without one.
---@param workspace wm.Workspace
---@param query string
---@param callback fun(hits: wm.Hit[])
local function find(workspace, query, callback)
  local function answer(hit_of, list)
    return function(problem, result)
      if problem then
        return text.warn(problem)
      end
      local hits = type(result) == "table" and type(result[list]) == "table" and result[list] or {}
      callback(vim.tbl_map(hit_of, vim.list_slice(hits, 1, MOST)))
    end
  end
  if query:match("%S") then
    local params = client.viewing(workspace, { query = query, limit = MOST })
    return client.request(workspace, "wm/search", params, answer(hit_of_item, "hits"))
  end
  client.request(workspace, "wm/memory/list", {}, answer(hit_of_entry, "entries"))
end

--- Asks for one of the entries.
---@param workspace wm.Workspace
---@param prompt string
---@param callback fun(hit: wm.Hit)
function M.choose(workspace, prompt, callback)
  find(workspace, "", function(hits)
    M.select(hits, prompt, callback)
  end)
end

---@param hits wm.Hit[]
---@param prompt string
---@param callback fun(hit: wm.Hit)
function M.select(hits, prompt, callback)
  if #hits == 0 then
    return text.say("nothing that is remembered fits these words")
  end
  local function label(hit)
    return hit.label
  end
  ask.select(hits, { prompt = prompt, format_item = label }, function(hit)
    if hit then
      callback(hit)
    end
  end)
end

--- Goes to where a hit stands: its file, its row in the panel, or else its details.
---@param workspace wm.Workspace
---@param hit wm.Hit
local function take(workspace, hit)
  local place = hit.place
  if type(place.location) == "table" then
    return window.show_location(place.location)
  elseif type(place.itemId) ~= "string" then
    return
  elseif place.sessionId then
    return detail.open(workspace, place.itemId, actions.perform, place.sessionId)
  end
  panel.go_to(workspace, place.itemId, function(found)
    if not found then
      detail.open(workspace, place.itemId, actions.perform)
    end
  end)
end

---@class wm.Search the prompt window and the hits below it
---@field workspace wm.Workspace
---@field prompt integer buffer
---@field results integer buffer
---@field windows integer[]
---@field hits wm.Hit[]
---@field chosen integer
---@field asked integer the number of requests so far

local namespace = vim.api.nvim_create_namespace("wm-search")

---@param search wm.Search
local function paint(search)
  local lines = vim.tbl_map(function(hit)
    return hit.label
  end, search.hits)
  if #lines == 0 then
    lines = { "Nothing that is remembered fits these words." }
  end
  search.chosen = math.min(math.max(search.chosen, 1), math.max(#search.hits, 1))
  vim.bo[search.results].modifiable = true
  vim.api.nvim_buf_set_lines(search.results, 0, -1, false, lines)
  vim.bo[search.results].modifiable = false
  vim.api.nvim_buf_clear_namespace(search.results, namespace, 0, -1)
  if #search.hits > 0 then
    vim.api.nvim_buf_set_extmark(search.results, namespace, search.chosen - 1, 0, { line_hl_group = "PmenuSel" })
  end
  vim.api.nvim_win_set_cursor(search.windows[2], { search.chosen, 0 })
end

---@param search wm.Search
local function update(search)
  search.asked = search.asked + 1
  local turn = search.asked
  local query = vim.api.nvim_buf_get_lines(search.prompt, 0, 1, false)[1] or ""
  find(search.workspace, query, function(hits)
    if turn == search.asked and vim.api.nvim_buf_is_valid(search.results) then
      search.hits, search.chosen = hits, 1
      paint(search)
    end
  end)
end

---@param search wm.Search
local function close(search)
  local windows = vim.tbl_filter(vim.api.nvim_win_is_valid, search.windows)
  if #windows > 0 then
    vim.cmd.stopinsert()
  end
  for _, win in ipairs(windows) do
    pcall(vim.api.nvim_win_close, win, true)
  end
end

---@param search wm.Search
local function map_keys(search)
  local function map(keys, action)
    for _, key in ipairs(keys) do
      vim.keymap.set({ "i", "n" }, key, action, { buffer = search.prompt, nowait = true })
    end
  end
  local function move(by)
    return function()
      search.chosen = search.chosen + by
      paint(search)
    end
  end
  map({ "<Down>", "<C-n>" }, move(1))
  map({ "<Up>", "<C-p>" }, move(-1))
  map({ "<Esc>", "<C-c>" }, function()
    close(search)
  end)
  map({ "<CR>" }, function()
    local hit = search.hits[search.chosen]
    close(search)
    if hit then
      take(search.workspace, hit)
    end
  end)
end

---@param buf integer
---@param focus boolean
---@param row integer
---@param height integer
---@param title string
---@return integer win
local function float(buf, focus, row, height, title)
  local width = math.min(80, vim.o.columns - 4)
  vim.bo[buf].bufhidden = "wipe"
  return window.open(buf, focus, {
    relative = "editor",
    row = row,
    col = math.floor((vim.o.columns - width) / 2),
    width = width,
    height = height,
    style = "minimal",
    border = "rounded",
    title = title,
    focusable = focus,
  })
end

--- Opens the prompt window and updates the hits while the user types.
---@param workspace wm.Workspace
local function open_live(workspace)
  local height = math.max(1, math.min(15, vim.o.lines - 8))
  local search = {
    workspace = workspace,
    prompt = vim.api.nvim_create_buf(false, true),
    results = vim.api.nvim_create_buf(false, true),
    hits = {},
    chosen = 1,
    asked = 0,
  }
  local prompt = float(search.prompt, true, 1, 1, " Search memory ")
  local results = float(search.results, false, 4, height, " Enter: go there, Esc: close ")
  vim.wo[results].wrap = false -- one line for each hit
  search.windows = { prompt, results }
  map_keys(search)
  vim.api.nvim_create_autocmd({ "TextChangedI", "TextChanged" }, {
    buffer = search.prompt,
    callback = function()
      update(search)
    end,
  })
  vim.api.nvim_create_autocmd("WinLeave", {
    buffer = search.prompt,
    once = true,
    callback = function()
      vim.schedule(function()
        close(search)
      end)
    end,
  })
  vim.cmd.startinsert()
  update(search)
end

--- Searches for the given words, or opens the prompt without them.
---@param workspace wm.Workspace
---@param query? string
function M.open(workspace, query)
  if not query then
    return window.try("the search cannot be opened here", open_live, workspace)
  end
  find(workspace, query, function(hits)
    M.select(hits, "Memory", function(hit)
      take(workspace, hit)
    end)
  end)
end

return M
