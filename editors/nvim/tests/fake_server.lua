--- A server for the tests: responds to the plugin and records what it receives. Run
--- with `nvim -l`; the environment controls its behaviour:
---   FAKE_RECORD  file that gets one JSON line per message, with the folder of the server
---   FAKE_PANEL   file with the panel as JSON, read for each request
---   FAKE_ANSWER  optional file with the results of wm/ methods as JSON
---   FAKE_HOVER   the hover text for every position, if any
---   FAKE_PAUSE   the length of a pause in seconds; by default until 2030
---   FAKE_MODE    "hang" never responds, "garbage" writes no LSP, "crash" exits after
---                the handshake, "old" offers no memory, "mute" hangs at --version,
---                "long" has memories and a context of one very long line,
---                "alone" has no agent on its machine
local mode = os.getenv("FAKE_MODE") or ""

if vim.tbl_contains(arg, "--version") then
  if mode == "mute" then
    io.read("*a")
    while true do
      vim.wait(1000)
    end
  end
  io.write("wm-lsp 1.2.3\n")
  os.exit(0)
end

if vim.tbl_contains(arg, "agents") then
  local agents = {
    { name = "claude-code", title = "Claude Code", folder = "/home/me/.claude", installed = {} },
    { name = "codex", title = "Codex", installed = {} },
    { name = "gemini", title = "Gemini CLI", program = "/bin/gemini", installed = { "/home/me/.gemini" } },
  }
  if mode == "alone" then
    agents = { agents[2] }
  end
  io.write(mode == "old" and "unknown command" or vim.json.encode({ agents = agents }))
  os.exit(0)
end

local function record(message)
  message.folder = vim.fs.basename(vim.uv.cwd())
  local file = assert(io.open(os.getenv("FAKE_RECORD"), "a"))
  file:write(vim.json.encode(message), "\n")
  file:close()
end

local function send(message)
  message.jsonrpc = "2.0"
  local body = vim.json.encode(message)
  io.write(("Content-Length: %d\r\n\r\n%s"):format(#body, body))
  io.flush()
end

local function receive()
  local length
  for line in io.lines() do
    line = line:gsub("\r$", "")
    if line == "" then
      break
    end
    length = tonumber(line:match("^Content%-Length: (%d+)")) or length
  end
  return length and vim.json.decode(io.read(length))
end

--- The inputs of a new memory.
local memory = { id = "memory", title = "Workspace memory", items = {} }
memory.actions = { { title = "Remember", method = "wm/memory/add", params = {} } }
memory.actions[1].inputs = { { param = "text", prompt = "What?", kind = "text" } }
table.insert(memory.actions[1].inputs, { param = "type", prompt = "Type", kind = "choice", value = "project" })
memory.actions[1].inputs[2].choices = {
  { label = "feedback", value = "feedback" },
  { label = "Fact", value = "project" },
  { label = "decision", value = "decision", detail = "what was chosen" },
  { label = "glossary", value = "glossary" },
}

local function panel(params)
  if params.sections and params.sections[1] == "memory" then
    return { seq = 1, badge = 0, sections = { memory } }
  end
  local file = assert(io.open(os.getenv("FAKE_PANEL")))
  local answer = vim.json.decode(file:read("*a"))
  file:close()
  return answer.seq == params.ifSeq and { unchanged = true, seq = answer.seq } or answer
end

local function pause_end()
  local seconds = tonumber(os.getenv("FAKE_PAUSE"))
  return seconds and os.date("!%Y-%m-%dT%H:%M:%SZ", os.time() + seconds) or "2030-01-01T00:00:00Z"
end

local answers = {
  initialize = function()
    return {
      capabilities = {
        textDocumentSync = { openClose = true, change = 2, save = true },
        hoverProvider = true,
        experimental = mode ~= "old" and { workingMemory = { version = 1, methods = { "wm/panel" } } } or nil,
      },
    }
  end,
  ["wm/panel"] = panel,
  ["wm/panel/resolve"] = function(params)
    return {
      title = params.full and "About " .. params.id or nil,
      markdown = "# " .. params.id .. "\n\nmore\27 about it\n\nin [the cart](wm:session%3Aa%20b)",
      actions = params.full and { { title = "Forget", method = "wm/memory/remove", params = { id = params.id } } }
        or nil,
    }
  end,
  ["wm/memory/add"] = function(params)
    if params.text:find("^reject") then
      return { status = "rejected", reason = "too-long", text = params.text }
    end
    return { status = "added", id = "new", text = params.text }
  end,
  ["wm/memory/update"] = function(params)
    if params.text:find("^reject") then
      return { status = "rejected", reason = "too-long" }
    end
    return { status = "updated" }
  end,
  ["wm/memory/remove"] = function(params)
    return {
      entry = { id = params.id },
      undo = { method = "wm/memory/restore", params = { id = params.id } },
    }
  end,
  ["wm/memory/restore"] = function()
    return { status = "updated" }
  end,
  ["wm/memory/list"] = function()
    if mode == "long" then
      return { entries = { { id = "e1", type = "decision", detail = "Decision", text = ("long "):rep(200000) } } }
    end
    return {
      entries = {
        { id = "e1", type = "decision", detail = "Decision · claude-code", text = "The parser is written by hand" },
        { id = "e2", type = "project", detail = "Fact · person", text = "Tests run\27 in parallel" },
      },
    }
  end,
  ["wm/memory/explain"] = function(params)
    return { entry = { id = params.id }, markdown = "# By hand\n\n- memory.added\27 by nvim\n" }
  end,
  ["wm/search"] = function(params)
    local text = mode == "long" and ("long "):rep(200000) or "found " .. params.query
    local note = { itemId = "note:a.md", location = { uri = vim.uri_from_fname(os.getenv("FAKE_RECORD")) } }
    note.location.range = { start = { line = 1, character = 0 }, ["end"] = { line = 1, character = 0 } }
    local gone = { itemId = "memory:gone" }
    local hits = {
      { item = { id = "h1", text = text }, store = "notes", from = "notes · detail/a.md › A", place = note },
      { item = { id = "e1", text = text }, store = "workspace", from = "workspace · removed", place = gone },
      { item = { id = "r", text = text }, store = "workspace", from = "workspace", place = { itemId = "memory:r" } },
      {
        item = { id = "g", text = text },
        store = "core",
        from = "core",
        place = { itemId = "core:g", sessionId = "o" },
      },
    }
    return { hits = params.query:find("nothing") and {} or hits }
  end,
  ["wm/notes/list"] = function()
    return {
      root = os.getenv("FAKE_NOTES") or "/none",
      files = { { path = "overview.md" }, { path = "archive/old.md" } },
    }
  end,
  ["wm/notes/archive"] = function(params)
    return { path = "archive/" .. params.path }
  end,
  ["wm/session/list"] = function()
    local agents = {
      { sessionId = "s1", agent = "an agent", live = true, startedAt = "2030-01-01T10:01:00Z" },
      { sessionId = "s2", agent = "another agent", live = false },
    }
    return { sessions = agents, shown = "s1" }
  end,
  ["textDocument/hover"] = function()
    local said = os.getenv("FAKE_HOVER")
    return said and { contents = { kind = "markdown", value = said } } or vim.NIL
  end,
  ["textDocument/codeAction"] = function(params)
    local actions = vim.empty_dict()
    for i, diagnostic in ipairs(params.context.diagnostics) do
      local argument = { text = "Error: " .. diagnostic.message, fix = "" }
      local command = { title = "T", command = "wm.remember", arguments = { argument } }
      actions[i] = { title = "Remember " .. diagnostic.message, kind = "quickfix", command = command }
    end
    return actions
  end,
  ["workspace/executeCommand"] = function(params)
    local rejected = (params.arguments[1].fix or ""):find("^reject")
    return rejected and { status = "rejected", reason = "too-long" } or { status = "added" }
  end,
  ["wm/context"] = function()
    local history = {}
    for i = 1, 20 do
      history[i] = { at = ("2030-01-01T10:%02d:00Z"):format(i), percentage = i * 4 }
    end
    return {
      text = mode == "long" and ("long "):rep(200000) or "<context>\nline two\n</context>",
      chars = 30,
      tokens = 1000,
      sections = {
        { id = "guide", label = "How to use it", tokens = 250, omitted = {} },
        {
          id = "workspace",
          label = "Project memory",
          tokens = 700,
          omitted = { { id = "e9", reason = "over the limit" } },
          omittedMore = 1200,
        },
        { id = "meta", label = "Advice", tokens = 50, omitted = {} },
        { id = "session", label = "Errors and files", tokens = 0, omitted = {} },
      },
      pressure = {
        percentage = 80,
        level = "high",
        used = 80000,
        limit = 100000,
        unit = "chars",
        advice = "Compress.",
        lastChecked = history[#history].at,
        history = history,
      },
    }
  end,
  ["wm/status"] = function()
    return {
      version = "1.2.3",
      store = { path = "/memory", healthy = true },
      workspace = { root = "/w", key = "k", resolvedBy = "git" },
      sessions = 1,
      retrieval = "lexical",
      sizes = { entries = 3 },
      problems = { { severity = "warning", message = "the disk is small", fix = "buy another" } },
    }
  end,
  ["wm/pause"] = function(params)
    return { pausedUntil = not params.resume and pause_end() or nil }
  end,
  shutdown = function()
    return vim.NIL
  end,
}

record({ method = "started", args = vim.list_slice(arg, 1), pid = vim.fn.getpid() })
if mode == "garbage" then
  io.write("Content-Length: nonsense\r\n\r\nhello\n")
  io.flush()
end

--- The responses held back while the server is silent.
local held ---@type table[]?

local function answer_to(message)
  local answer = answers[message.method]
  local odd = message.method:match("^wm/") and io.open(os.getenv("FAKE_ANSWER") or "")
  if odd then
    send({ id = message.id, result = vim.json.decode(odd:read("*a")) })
    odd:close()
  elseif answer then
    send({ id = message.id, result = answer(message.params) })
  else
    local problem = { code = -32803, message = "no such thing\nhere", data = { reason = "notFound" } }
    send({ id = message.id, error = problem })
  end
end

while true do
  local message = receive()
  if not message or message.method == "exit" then
    break
  end
  record(message)
  if mode == "hang" or mode == "garbage" then
    message = {}
  end
  if message.id and held then
    table.insert(held, message)
  elseif message.id then
    answer_to(message)
    if message.method == "initialize" then
      record({ method = "test/initialized" })
    end
  elseif message.method == "test/silence" then
    held = {}
  elseif message.method == "test/answer" then
    vim.tbl_map(answer_to, held)
    held = nil
  elseif message.method == "initialized" and mode == "crash" then
    os.exit(3)
  elseif message.method == "test/crash" then
    os.exit(3)
  elseif message.method == "test/changed" then
    send({ method = "wm/changed", params = { workspace = "file:///w", seq = 2, sections = { "memory" } } })
  end
end
