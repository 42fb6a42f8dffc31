#!/usr/bin/env bash
# Installs the editors for the tests of plain LSP clients: Emacs with eglot, and
# Helix with the terminal that it runs in. All come from another Debian suite.
#
# usage: lsp-clients.sh FOLDER SUITE     such as: lsp-clients.sh ~/lsp-clients trixie
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

folder=$1
suite=$2

run() {
  "$1/bin/emacs" --version && "$1/bin/emacsclient" --version && "$1/bin/hx" --version && "$1/bin/tmux" -V
} >/dev/null 2>&1 </dev/null

if run "$folder"; then exit 0; fi
work=$(mktemp -d "$folder.new-XXXXXX")
trap 'rm -rf "$work"' EXIT

say "Emacs and Helix from $suite"
suite_open "$suite" "$work/apt"
suite_unpack "$work/tree" emacs-nox hx tmux
for program in emacs-nox emacsclient.emacs hx tmux; do tree_adapt "$work/tree" "$folder" "usr/bin/$program"; done

# Neither editor needs the compiler among their dependencies.
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
cat >"$work/tree/bin/tmux" <<WRAPPER
#!/bin/sh
export TERMINFO_DIRS="$folder/usr/lib/terminfo:$folder/usr/share/terminfo:$folder/lib/terminfo"
exec "$folder/usr/bin/tmux" "\$@"
WRAPPER
ln -s ../usr/bin/emacsclient.emacs "$work/tree/bin/emacsclient"
chmod +x "$work/tree"/bin/{emacs,hx,tmux}
rm -rf "$folder"
mv "$work/tree" "$folder"
run "$folder" || die "the editors in $folder do not run; remove the folder and run again"
