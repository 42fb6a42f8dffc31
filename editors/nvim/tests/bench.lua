--- The editor that test/bench/neovim.go measures: nvim --clean --headless -u tests/bench.lua FILE
--- Each line on standard output is a JSON list of the lines on the screen; "ready"
--- means that the start is complete. Commands come over the socket WM_BENCH_SOCKET.
--- The editor exits when the connection closes.
---   WM_BENCH_SERVER  the server; without it the plugin is not loaded
---   WM_BENCH_PANEL   whether the panel is opened at the start
local here = vim.fs.dirname(vim.fs.normalize(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p")))

vim.o.columns, vim.o.lines, vim.o.swapfile = 160, 50, false

local function tell(lines)
  io.stdout:write(vim.json.encode(lines), "\n")
  io.stdout:flush()
end

local changed = {} ---@type string[] lines that are not painted yet

--- Reports the lines of a buffer after they are drawn.
local function watch(buf)
  vim.api.nvim_buf_attach(buf, false, {
    on_lines = function(_, _, _, first, _, last)
      vim.list_extend(changed, vim.api.nvim_buf_get_lines(buf, first, last, false))
    end,
  })
end

vim.api.nvim_set_decoration_provider(vim.api.nvim_create_namespace("bench"), {
  on_end = function()
    if #changed > 0 then
      tell(changed)
      changed = {}
    end
  end,
})

local bare ---@type integer? a buffer with lines and nothing else

local answers = {
  --- Opens the baseline of the panel.
  open = function(params)
    bare = vim.api.nvim_create_buf(false, true)
    local lines = {}
    for i = 1, params.rows do
      lines[i] = ("row %d %s"):format(i, ("as long as an entry is, "):rep(6))
    end
    vim.api.nvim_buf_set_lines(bare, 0, -1, false, lines)
    vim.api.nvim_open_win(bare, false, { split = "left", win = -1, width = 40 })
    watch(bare)
  end,

  --- Changes the text of its first line.
  change = function(params)
    vim.api.nvim_buf_set_lines(assert(bare), 0, 1, false, { params.text })
  end,

  --- Returns the memory in bytes after a garbage collection.
  memory = function()
    collectgarbage()
    collectgarbage()
    local rollup = assert(io.open("/proc/self/smaps_rollup"))
    local kilobytes = rollup:read("a"):match("\nPss:%s+(%d+)")
    rollup:close()
    return { heap = math.floor(collectgarbage("count") * 1024), resident = kilobytes * 1024 }
  end,
}

local socket = assert(vim.uv.new_pipe(false))
local heard = ""
socket:connect(vim.env.WM_BENCH_SOCKET, function(problem)
  assert(not problem, problem)
  socket:read_start(vim.schedule_wrap(function(_, data)
    if not data then
      return vim.cmd("qall!")
    end
    heard = heard .. data
    for line in heard:gmatch("([^\n]*)\n") do
      local params = vim.json.decode(line)
      socket:write(vim.json.encode(answers[params.ask](params) or vim.empty_dict()) .. "\n")
    end
    heard = heard:match("[^\n]*$")
  end))
end)

if vim.env.WM_BENCH_SERVER then
  vim.opt.runtimepath:prepend(vim.fs.dirname(here))
  vim.cmd.runtime("plugin/wm.lua")
  require("wm").setup({ cmd = { vim.env.WM_BENCH_SERVER } })
end

vim.api.nvim_create_autocmd("FileType", {
  pattern = "wm-panel",
  callback = function(event)
    watch(event.buf)
  end,
})
vim.api.nvim_create_autocmd("VimEnter", {
  callback = vim.schedule_wrap(function()
    tell({ "ready" })
    if vim.env.WM_BENCH_PANEL then
      vim.cmd("WM panel")
    end
  end),
})
