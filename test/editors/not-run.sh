#!/bin/sh
# Prints for each editor and agent whether `make test` has to install it before it can
# run the tests in it, which `make check` does not run.
while read -r program name; do
  if [ -e "${WM_LSP_TEST:-${XDG_CACHE_HOME:-$HOME/.cache}/wm-lsp-test}/$program" ]; then
    echo "not run: the tests in $name; make test runs them"
  else
    echo "not run: the tests in $name, which is not installed; make test installs it and runs them"
  fi
done <<'PROGRAMS'
vscode/bin/code-server VS Code
nvim-0.12/bin/nvim Neovim 0.12
nvim-0.10/bin/nvim Neovim 0.10
lsp-clients/bin/emacs Emacs
lsp-clients/bin/hx Helix
agents/claude-code Claude Code
agents/codex Codex
agents/copilot-cli Copilot CLI
agents/opencode OpenCode
PROGRAMS
