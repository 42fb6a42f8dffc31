#!/usr/bin/env bash
# Installs a Neovim of another Debian suite into a private folder, from the
# mirror that apt already uses. The host's packages, package database and C
# library do not change: the program uses the loader and libraries of its suite.
#
# usage: nvim.sh VERSION FOLDER SUITE...     such as: nvim.sh 0.12.4 ~/nvim forky sid
# The suites are tried in order until one has the minor version.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

version=$1
folder=$2
shift 2
minor=${version%.*}

version_of() { "$1" --version 2>/dev/null | sed -n 's/^NVIM v\([0-9.]*\).*/\1/p'; }

is_wanted() { [[ ${1%.*} == "$minor" ]]; }

if is_wanted "$(version_of "$folder/bin/nvim" || true)"; then exit 0; fi

work=$(mktemp -d "$folder.new-XXXXXX")
trap 'rm -rf "$work"' EXIT

# fetch SUITE unpacks Neovim with its dependencies into $work/tree.
fetch() {
  local offered
  suite_open "$1" "$work/$1"
  offered=$(suite_offers neovim)
  if ! is_wanted "$offered"; then
    say "$1 has Neovim ${offered:-of no version}, not $minor"
    return 1
  fi
  suite_unpack "$work/tree" neovim
}

# adapt makes the unpacked tree run from $folder.
adapt() {
  local tree=$work/tree
  tree_adapt "$tree" "$folder" usr/bin/nvim
  mkdir -p "$tree/bin"
  cat >"$tree/bin/nvim" <<WRAPPER
#!/bin/sh
export VIMRUNTIME="$folder/usr/share/nvim/runtime"
exec "$folder/usr/bin/nvim" "\$@"
WRAPPER
  chmod +x "$tree/bin/nvim"
}

for suite in "$@"; do
  say "Neovim $version from $suite"
  if fetch "$suite"; then
    adapt
    rm -rf "$folder"
    mv "$work/tree" "$folder"
    installed=$(version_of "$folder/bin/nvim" || true)
    is_wanted "$installed" || die "the Neovim in $folder does not run; remove the folder and run again"
    [ "$installed" = "$version" ] || say "$suite has moved on to $installed"
    exit 0
  fi
done
die "no suite of $* has Neovim $minor; see which one does and name it in test/install/all.sh"
