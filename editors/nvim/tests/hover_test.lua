local env = require("env")

local workspaces = require("wm.client").workspaces

local HOVER = "textDocument/hover"

--- Starts a language server inside the editor as the second server of the buffer, and
--- waits until both are ready.
---@param answer fun(reply: fun(err?: table, result?: table))
---@param handlers? table<string, lsp.Handler>
local function language_server(answer, handlers)
  local function request(method, _, callback)
    if method == HOVER then
      answer(callback)
    else
      callback(nil, method == "initialize" and { capabilities = { hoverProvider = true } } or nil)
    end
    return true, 1
  end
  vim.lsp.start({
    name = "language server",
    handlers = handlers,
    cmd = function()
      return {
        request = request,
        notify = function() end,
        is_closing = function()
          return false
        end,
        terminate = function() end,
      }
    end,
  })
end

--- Opens a file with the memory, and a language server with the given response.
---@param memory? string
---@param answer? fun(reply: fun(err?: table, result?: table))
---@param handlers? table<string, lsp.Handler> of the language server
local function open(memory, answer, handlers)
  vim.env.FAKE_HOVER = memory
  env.open()
  if answer then
    language_server(answer, handlers)
  end
  env.wait("the servers", function()
    return #vim.lsp.get_clients({ bufnr = 0, method = HOVER }) == (answer and 2 or 1)
  end)
end

--- Returns the lines of each floating window.
---@return string[]
local function floats()
  local texts = {}
  for _, win in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(win).relative ~= "" then
      local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false)
      table.insert(texts, table.concat(lines, "\n"))
    end
  end
  return texts
end

--- Returns the text of the only floating window.
---@return string
local function shown()
  env.wait("a window", function()
    return #floats() > 0
  end)
  env.equal(1, #floats())
  env.equal({}, env.said)
  return floats()[1]
end

---@param contents any
local function says(contents)
  return function(reply)
    reply(nil, { contents = contents })
  end
end

local function is_silent(reply)
  reply(nil, nil)
end

local function fails(reply)
  reply({ code = -32803, message = "no hover here" }, nil)
end

--- Responds after the memory has responded.
local function is_late(reply)
  local timer = assert(vim.uv.new_timer())
  timer:start(
    0,
    5,
    vim.schedule_wrap(function()
      local memory = vim.lsp.get_clients({ name = "wm" })[1]
      if not timer:is_closing() and next(memory.requests) == nil then
        timer:close()
        reply(nil, { contents = { { language = "lua", value = "function late()" }, "Comes late." } })
      end
    end)
  )
end

local function has(text, part)
  env.equal(part, text:find(part, 1, true) and part or text)
end

test("hover shows what the memory and the language server say in one window", function()
  open("**Remembered** this", says({ kind = "plaintext", value = "a *plain* text" }))
  vim.lsp.buf.hover()
  local text = shown()
  has(text, "a *plain* text")
  has(text, "**Remembered** this")
end)

test("hover waits for a language server that is late", function()
  open("**Remembered** this", is_late)
  vim.lsp.buf.hover()
  local text = shown()
  has(text, "function late()")
  has(text, "Comes late.")
  has(text, "**Remembered** this")
end)

test("hover shows what one alone has to say", function()
  open(nil, says("the language server"))
  vim.lsp.buf.hover()
  env.equal("the language server", shown())
end)

test("hover shows what the memory has where the language server has nothing", function()
  local answer
  open("the memory", function(reply)
    answer(reply)
  end)
  local empty = { is_silent, fails, says(""), says({}), says({ kind = "markdown", value = "" }) }
  for i = 1, #empty do
    answer = empty[i]
    vim.lsp.buf.hover()
    env.equal("the memory", shown())
    vim.cmd.fclose()
  end
end)

test("hover does not wait for a memory that is silent, and asks it again when it answers", function()
  open("the memory", says("the language server"))
  env.poke("test/silence")
  require("wm.config").current.timeout_ms = 50
  for _ = 1, 2 do
    vim.lsp.buf.hover()
    env.equal("the language server", shown())
    vim.cmd.fclose()
  end
  env.equal(1, #env.received(HOVER))
  env.equal("the server does not respond; :WM restart restarts it", select(2, next(workspaces())).problem)
  require("wm.config").current.timeout_ms = env.patience
  env.poke("test/answer")
  env.wait("both being asked", function()
    return #vim.lsp.get_clients({ bufnr = 0, method = HOVER }) == 2
  end)
  vim.lsp.buf.hover()
  local text = shown()
  has(text, "the language server")
  has(text, "the memory")
end)

test("hover says once that there is nothing", function()
  open(nil, is_silent)
  vim.lsp.buf.hover()
  env.wait_said("No information available")
  env.wait_received(HOVER)
  env.equal({ {}, 1 }, { floats(), #env.said })
end)

if vim.fn.has("nvim-0.11") == 0 then
  test("hover does not wait for a language server that is silent", function()
    open("the memory", function() end)
    require("wm.config").current.timeout_ms = 5000
    vim.lsp.buf.hover()
    env.equal("the memory", shown())
  end)

  test("hover is shown by the handler that the language server has", function()
    local result
    open("the memory", says("the language server"), {
      [HOVER] = function(_, answer)
        result = answer
      end,
    })
    vim.lsp.buf.hover()
    env.wait("it being called", function()
      return result
    end)
    env.equal("the language server\n---\nthe memory", result.contents.value)
  end)
end

test("hover works with the memory alone", function()
  open("the memory")
  vim.lsp.buf.hover()
  env.equal("the memory", shown())
end)

test("K hovers, and a second time goes into the window", function()
  open("**Remembered** this", says("the language server"))
  env.press("K")
  local text = shown()
  has(text, "the language server")
  has(text, "**Remembered** this")
  env.press("K")
  env.wait("the cursor in the window", function()
    return vim.api.nvim_win_get_config(0).relative ~= ""
  end)
  env.equal(1, #floats())
end)
