#!/usr/bin/env bash
# Installs mini.test, the Neovim test framework of the screen tests, as a folder
# for 'runtimepath'.
#
# usage: mini-test.sh VERSION FOLDER SUITE...    such as: mini-test.sh 0.18.0 ~/mini.test forky sid
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

version=$1
folder=$2
shift 2

if [ -e "$folder/.version-$version" ]; then exit 0; fi
work=$(mktemp -d "$folder.new-XXXXXX")
trap 'rm -rf "$work"' EXIT

for suite in "$@"; do
  say "mini.test $version from $suite"
  suite_open "$suite" "$work/$suite"
  offered=$(suite_offers neovim-mini.test)
  [ "$offered" = "$version" ] || say "$suite has mini.test ${offered:-of no version}"
  if [ -z "$offered" ]; then continue; fi
  suite_unpack_alone "$work/tree" neovim-mini.test
  rm -rf "$folder"
  mv "$work/tree/usr/share/neovim-mini.test" "$folder"
  touch "$folder/.version-$version"
  exit 0
done
die "no suite of $* has mini.test; see which one does and name it in test/install/all.sh"
