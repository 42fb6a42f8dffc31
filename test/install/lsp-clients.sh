#!/usr/bin/env bash
# Installs the editors that show what a plain LSP client gets from the server:
# Emacs with eglot, and Helix. Both come from another Debian suite.
#
# usage: lsp-clients.sh FOLDER SUITE     such as: lsp-clients.sh ~/lsp-clients trixie
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

folder=$1
suite=$2

answers() { "$1" --version >/dev/null 2>&1 </dev/null; }

if answers "$folder/bin/emacs" && answers "$folder/bin/hx"; then exit 0; fi
work=$(mktemp -d "$folder.new-XXXXXX")
trap 'rm -rf "$work"' EXIT

say "Emacs and Helix from $suite"
suite_open "$suite" "$work/apt"
suite_unpack "$work/tree" emacs-nox hx
tree_adapt "$work/tree" "$folder" usr/bin/emacs-nox
tree_adapt "$work/tree" "$folder" usr/bin/hx

# Neither editor needs the compiler that comes with them.
rm -rf "$work"/tree/usr/{lib,libexec}/gcc "$work"/tree/usr/share/{doc,man,locale,icons,gdb}

version=$(basename "$work"/tree/usr/share/emacs/[0-9]*)
share=$folder/usr/share/emacs/$version
dump=$(cd "$work/tree" && find usr/lib* -name 'emacs*.pdmp' -print -quit)
mkdir -p "$work/tree/bin"
cat >"$work/tree/bin/emacs" <<WRAPPER
#!/bin/sh
export EMACSLOADPATH="$share/lisp:\$(find "$share/lisp" -mindepth 1 -maxdepth 1 -type d | tr '\\n' ':')"
export EMACSDATA="$share/etc" EMACSDOC="$share/etc" EMACSPATH="$folder/usr/libexec"
exec "$folder/usr/bin/emacs-nox" --dump-file "$folder/$dump" "\$@"
WRAPPER
cat >"$work/tree/bin/hx" <<WRAPPER
#!/bin/sh
export HELIX_RUNTIME="$folder/usr/lib/hx/runtime"
exec "$folder/usr/bin/hx" "\$@"
WRAPPER
chmod +x "$work"/tree/bin/*
rm -rf "$folder"
mv "$work/tree" "$folder"
answers "$folder/bin/emacs" || die "the Emacs in $folder does not run; remove the folder and run again"
answers "$folder/bin/hx" || die "the Helix in $folder does not run; remove the folder and run again"
