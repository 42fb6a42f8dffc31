#!/usr/bin/env bash
# Installs the real VS Code for the tests as code-server, with the Node that it
# requires and Playwright, from npm into a private folder. The browser and the
# build tools are Debian packages.
#
# usage: vscode.sh CODE_SERVER NODE PLAYWRIGHT FOLDER     the versions, and where to
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

code_server=$1
node=$2
playwright=$3
folder=$4

apt_install chromium chromium
# Without a font the browser draws boxes.
if ! compgen -G '/usr/share/fonts/truetype/dejavu/*.ttf' >/dev/null; then apt_install no-font-yet fonts-dejavu-core; fi

marker=$folder/.installed-$code_server-$node-$playwright
if [ -e "$marker" ] && "$folder/bin/code-server" --version >/dev/null 2>&1; then exit 0; fi

apt_install krb5-config libkrb5-dev
apt_install g++ g++
apt_install make make
apt_install python3 python3

case $(uname -m) in
  x86_64) platform=linux-x64 ;;
  aarch64) platform=linux-arm64 ;;
  *) die "there is no Node $node for $(uname -m) on npm; run the tests on x86_64 or aarch64" ;;
esac

say "code-server $code_server, some minutes"
work=$(mktemp -d "$folder.new-XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{node,code-server,playwright,bin}
for part in node code-server playwright; do echo '{"private":true}' >"$work/$part/package.json"; done

fetch() { npm install --no-save --no-package-lock --no-audit --no-fund --loglevel=error "$@" >/dev/null </dev/null; }

(cd "$work/node" && fetch "node-$platform@$node")
ln -s "../node/node_modules/node-$platform/bin/node" "$work/bin/node"
# Native modules are compiled with the headers of this Node.
(
  cd "$work/code-server"
  home=$work/node/node_modules/node-$platform
  PATH=$home/bin:$PATH npm_config_nodedir=$home JOBS=$(nproc) fetch "code-server@$code_server"
)
(cd "$work/playwright" && fetch --ignore-scripts "playwright-core@$playwright")

cat >"$work/bin/code-server" <<'WRAPPER'
#!/bin/sh
folder=$(dirname "$(dirname "$(readlink -f "$0")")")
exec "$folder/bin/node" "$folder/code-server/node_modules/code-server/out/node/entry.js" "$@"
WRAPPER
chmod +x "$work/bin/code-server"
(
  export XDG_CONFIG_HOME=$work/home XDG_DATA_HOME=$work/home
  "$work/bin/code-server" --version >/dev/null || die "the code-server that was installed does not run"
)
rm -rf "$work/home" "$folder"
mv "$work" "$folder"
trap - EXIT
touch "$marker"
