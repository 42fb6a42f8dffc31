#!/usr/bin/env bash
# Installs what `make test`, `make test-agents`, `make bench`, `make screenshots`, `make release`
# and `make lint` need and is not installed yet. Requires Go, npm and, for Debian packages, root or sudo.
#
# usage: all.sh test|agents|bench|screenshots|lint|release
# Everything except Debian packages and editors/*/node_modules is installed into
# ${WM_LSP_TEST:-~/.cache/wm-lsp-test}.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
editors=$(cd "$here/../../editors" && pwd)
source "$here/lib.sh"

cache=${WM_LSP_TEST:-${XDG_CACHE_HOME:-$HOME/.cache}/wm-lsp-test}
mkdir -p "$cache/bin"

# One run at a time. The lock is released when the process exits.
apt_install flock util-linux
exec 9>"$cache/lock"
flock 9
rm -rf "$cache"/*.new-* "$cache"/bin/.new-*

# install_modules FOLDER installs the dependencies of the VS Code extension or of the plugin
# of OpenCode, in the versions of its lock file.
install_modules() {
  local folder=$editors/$1 marker
  marker=$folder/node_modules/.installed-$(sha256sum "$folder/package-lock.json" | cut -c1-16)
  if [ -e "$marker" ]; then return; fi
  say "the modules of editors/$1"
  npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null </dev/null
  touch "$marker"
}

# The real editors.
install_for_bench() {
  "$here/nvim.sh" 0.12.4 "$cache/nvim-0.12" forky sid
  "$here/vscode.sh" 4.139.1 24.21.0 1.65.1 "$cache/vscode"
  install_modules vscode
}

install_for_screenshots() {
  install_for_bench
  [ -e /usr/share/zoneinfo/Etc/GMT+1 ] || apt_install - tzdata # for the time of day in the screenshots
}

install_for_test() {
  apt_install git git ca-certificates
  apt_install gcc gcc libc6-dev # the race detector needs cgo
  apt_install tmux tmux     # shows the live panel
  apt_install strace strace # counts how often a write waits for the disk
  go_install gotestsum gotest.tools/gotestsum v1.13.0 "$cache/bin"
  go_install gopls golang.org/x/tools/gopls v0.23.0 "$cache/bin"
  "$here/nvim.sh" 0.10.4 "$cache/nvim-0.10" trixie
  "$here/mini-test.sh" 0.18.0 "$cache/mini.test" forky sid
  "$here/lsp-clients.sh" "$cache/lsp-clients" trixie
  install_for_screenshots
  install_modules opencode
  "$here/agents.sh" "$cache/agents" some
}

install_for_agents() {
  install_modules opencode
  "$here/agents.sh" "$cache/agents" all
}

# npm_install NAME PACKAGE VERSION installs an npm program into its own folder.
npm_install() {
  local name=$1 package=$2 version=$3 folder=$cache/$1
  if [[ $("$folder/node_modules/.bin/$name" --version 2>/dev/null) == *" $version" ]]; then return; fi
  say "$name $version"
  local fresh
  fresh=$(mktemp -d "$folder.new-XXXXXX")
  npm install --prefix "$fresh" --no-save --no-package-lock --no-audit --no-fund --loglevel=error \
    "$package@$version" >/dev/null </dev/null
  rm -rf "$folder"
  mv "$fresh" "$folder"
}

# What `make release` and its test use; cyclonedx-gomod lists the modules of a program.
install_for_release() {
  go_install goreleaser github.com/goreleaser/goreleaser/v2 v2.16.0 "$cache/bin"
  (cd "$here/../../tools" && go build -o "$cache/bin/" github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod)
  apt_install rpm rpm
  apt_install bsdtar libarchive-tools
  apt_install git git ca-certificates
  install_for_bench
}

install_for_lint() {
  apt_install luacheck lua-check
  go_install staticcheck honnef.co/go/tools/cmd/staticcheck v0.8.2 "$cache/bin"
  go_install govulncheck golang.org/x/vuln/cmd/govulncheck v1.8.0 "$cache/bin"
  npm_install stylua @johnnymorganz/stylua-bin 2.5.2
  npm_install biome @biomejs/biome 2.6.8
  install_modules vscode
  install_modules opencode
}

case ${1:-} in
  test) install_for_test ;;
  agents) install_for_agents ;;
  bench) install_for_bench ;;
  screenshots) install_for_screenshots ;;
  lint) install_for_lint ;;
  release) install_for_release ;;
  *) die "usage: all.sh test|agents|bench|screenshots|lint|release" ;;
esac
