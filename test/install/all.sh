#!/usr/bin/env bash
# Installs what `make test` and `make lint` need, each thing only if it is not
# there yet. Expects Go, npm and, for what Debian packages, root or sudo.
#
# usage: all.sh test|lint
# Everything that is not a Debian package lands in ${WM_LSP_TEST:-~/.cache/wm-lsp-test}.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib.sh"

cache=${WM_LSP_TEST:-${XDG_CACHE_HOME:-$HOME/.cache}/wm-lsp-test}
mkdir -p "$cache/bin"

# One run at a time; the lock goes with the process.
apt_install flock util-linux
exec 9>"$cache/lock"
flock 9
rm -rf "$cache"/*.new-* "$cache"/bin/.new-*

install_for_test() {
  apt_install git git ca-certificates
  apt_install gcc gcc libc6-dev # the race detector needs cgo
  go_install gotestsum gotest.tools/gotestsum v1.13.0 "$cache/bin"
  go_install gopls golang.org/x/tools/gopls v0.23.0 "$cache/bin"
  "$here/nvim.sh" 0.10.4 "$cache/nvim-0.10" trixie
  "$here/nvim.sh" 0.12.4 "$cache/nvim-0.12" forky sid
  "$here/mini-test.sh" 0.18.0 "$cache/mini.test" forky sid
  "$here/lsp-clients.sh" "$cache/lsp-clients" trixie
}

install_stylua() {
  local version=2.5.2 folder=$cache/stylua
  if [[ $("$folder/node_modules/.bin/stylua" --version 2>/dev/null) == "stylua $version" ]]; then return; fi
  say "stylua $version"
  local fresh
  fresh=$(mktemp -d "$folder.new-XXXXXX")
  npm install --prefix "$fresh" --no-save --no-package-lock --no-audit --no-fund --loglevel=error \
    "@johnnymorganz/stylua-bin@$version" >/dev/null </dev/null
  rm -rf "$folder"
  mv "$fresh" "$folder"
}

install_for_lint() {
  apt_install luacheck lua-check
  go_install staticcheck honnef.co/go/tools/cmd/staticcheck v0.8.2 "$cache/bin"
  install_stylua
}

case ${1:-} in
  test) install_for_test ;;
  lint) install_for_lint ;;
  *) die "usage: all.sh test|lint" ;;
esac
