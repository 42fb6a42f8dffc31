--- Reports renamed and deleted files to the server. Neovim has no events for this, so
--- the plugin watches for their effects: `:saveas`, `:file` and edits of language
--- servers, after which the old file is missing; buffers whose file is missing when
--- they are checked or deleted; and the events of file explorers.
local client = require("wm.client")

local M = {}

local function uri(path)
  return vim.uri_from_fname(vim.fs.normalize(vim.fn.fnamemodify(path, ":p")))
end

---@param method string
---@param path string
---@param file table
local function tell(method, path, file)
  local workspace = client.workspace_of_path(vim.fs.normalize(vim.fn.fnamemodify(path, ":p")))
  if workspace then
    client.notify(workspace, method, { files = { file } })
  end
end

--- Tells the server that a file or folder was renamed.
---@param from string
---@param to string
function M.renamed(from, to)
  tell("workspace/didRenameFiles", from, { oldUri = uri(from), newUri = uri(to) })
end

--- Tells the server that a file or folder was deleted.
---@param path string
function M.deleted(path)
  tell("workspace/didDeleteFiles", path, { uri = uri(path) })
end

local function is_gone(path)
  return path ~= "" and vim.uv.fs_lstat(path) == nil
end

---@type table<integer, string> by buffer: its former name
local former = {}

--- Checks whether the old file of a renamed buffer is missing.
---@param buf integer
local function look(buf)
  local from = former[buf]
  if not from or not vim.api.nvim_buf_is_valid(buf) then
    former[buf] = nil
    return
  end
  local to = vim.api.nvim_buf_get_name(buf)
  if to ~= from and is_gone(from) and not is_gone(to) then
    former[buf] = nil
    M.renamed(from, to)
  end
end

--- Returns the path of an oil.nvim entry.
local function oil_path(url)
  return type(url) == "string" and url:match("^oil://(.+)$") or nil
end

--- Handlers of file explorers' events, by the pattern of the User event.
---@type table<string, fun(data: table)>
local explorers = {
  MiniFilesActionRename = function(data)
    M.renamed(data.from, data.to)
  end,
  MiniFilesActionMove = function(data)
    M.renamed(data.from, data.to)
  end,
  MiniFilesActionDelete = function(data)
    M.deleted(data.from)
  end,
  OilActionsPost = function(data)
    for _, action in ipairs(data.err and {} or data.actions or {}) do
      if action.type == "move" and oil_path(action.src_url) and oil_path(action.dest_url) then
        M.renamed(oil_path(action.src_url), oil_path(action.dest_url))
      elseif action.type == "delete" and oil_path(action.url) then
        M.deleted(oil_path(action.url))
      end
    end
  end,
}

---@param group integer
function M.setup(group)
  vim.api.nvim_create_autocmd("BufFilePre", {
    group = group,
    callback = function(event)
      local name = vim.api.nvim_buf_get_name(event.buf)
      former[event.buf] = vim.bo[event.buf].buftype == "" and name ~= "" and name or nil
    end,
  })
  -- Scheduled: commands that rename a file write the new file before they delete the
  -- old one.
  vim.api.nvim_create_autocmd({ "BufFilePost", "BufWritePost", "BufEnter" }, {
    group = group,
    callback = function(event)
      if former[event.buf] then
        vim.schedule(function()
          look(event.buf)
        end)
      end
    end,
  })
  vim.api.nvim_create_autocmd({ "FileChangedShellPost", "BufDelete" }, {
    group = group,
    callback = function(event)
      local name = vim.bo[event.buf].buftype == "" and vim.api.nvim_buf_get_name(event.buf) or ""
      -- Scheduled: a rename of the file also deletes the buffer with the old name.
      vim.schedule(function()
        if is_gone(name) then
          M.deleted(name)
        end
      end)
    end,
  })
  for pattern, take in pairs(explorers) do
    vim.api.nvim_create_autocmd("User", {
      group = group,
      pattern = pattern,
      callback = function(event)
        take(type(event.data) == "table" and event.data or {})
      end,
    })
  end
end

return M
