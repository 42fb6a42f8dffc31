--- Connects an agent: asks for one that is on this machine and runs `wm-lsp install` in a
--- terminal, which shows what it changes, and asks.
local ask = require("wm.ask")
local client = require("wm.client")
local terminal = require("wm.terminal")
local text = require("wm.text")
local window = require("wm.window")

local M = {}

--- Runs the program that connects an agent.
---@param cmd string[] the server
---@param name string
local function install(cmd, name)
  local options = { cwd = vim.fn.getcwd() }
  window.try("the agent cannot be connected", terminal.start, vim.list_extend(cmd, { "install", name }), options)
end

--- Returns the agents that are on this machine.
---@param output string of `wm-lsp agents --json`
---@return table[]?
local function agents_of(output)
  local read, answer = pcall(vim.json.decode, output)
  local all = read and type(answer) == "table" and answer.agents
  return type(all) == "table"
      and vim.tbl_filter(function(agent)
        return agent.program or agent.folder or #agent.installed > 0
      end, all)
    or nil
end

--- Connects the agent with a name, or asks which one.
---@param name? string such as "claude-code"
function M.open(name)
  local cmd, problem = client.find()
  if not cmd then
    return text.warn(problem --[[@as string]])
  elseif name then
    return install(cmd, name)
  end
  client.run(vim.list_extend(vim.deepcopy(cmd), { "agents", "--json" }), function(result)
    local agents = result and agents_of(result.stdout or "")
    if not agents then
      return text.warn("the agents cannot be listed; wm-lsp agents in a terminal says why")
    elseif #agents == 0 then
      return text.say("no agent was found here; :WM connect {name} connects one")
    end
    local options = {
      prompt = "Which agent is to use the memory?",
      format_item = function(agent)
        return text.line(agent.title) .. (#agent.installed > 0 and " (connected)" or "")
      end,
    }
    ask.select(agents, options, function(agent)
      if agent then
        install(cmd, text.line(agent.name))
      end
    end)
  end)
end

return M
