#!/usr/bin/env bash
# Installs a Neovim of another Debian suite into a private folder, from the
# mirror that apt already uses. The host's packages, its package database and
# its C library stay as they are: the program is given the loader and the
# libraries of its own suite.
#
# usage: nvim.sh VERSION FOLDER SUITE...     such as: nvim.sh 0.12.4 ~/nvim forky sid
# The suites are tried in order until one has the minor version wanted.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

version=$1
folder=$2
shift 2
minor=${version%.*}

version_of() { "$1" --version 2>/dev/null | sed -n 's/^NVIM v\([0-9.]*\).*/\1/p'; }

is_wanted() { [[ ${1%.*} == "$minor" ]]; }

if is_wanted "$(version_of "$folder/bin/nvim" || true)"; then exit 0; fi

mirror() {
  local file
  for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list.d/*.sources; do
    if [ -r "$file" ] && grep -q 'debian-archive-keyring' "$file"; then
      awk '/^URIs:/ {print $2; exit}' "$file"
      return
    fi
  done
  awk '$1 == "deb" {for (i = 2; i <= NF; i++) if ($i ~ /\/debian\/?$/) {print $i; exit}}' /etc/apt/sources.list
}

keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r "$keyring" ] || die "$keyring is missing; install the package debian-archive-keyring"
source_uri=$(mirror)
[ -n "$source_uri" ] || die "no Debian mirror in /etc/apt; Neovim $version has to come from one"
apt_install patchelf patchelf

work=$(mktemp -d "$folder.new-XXXXXX")
trap 'rm -rf "$work"' EXIT

# fetch SUITE unpacks Neovim with all it depends on into $work/tree.
fetch() {
  local suite=$1 apt=$work/$1
  mkdir -p "$apt"/{lists/partial,cache/archives/partial,empty} "$work/tree"
  : >"$apt/status"
  cat >"$apt/suite.sources" <<SOURCES
Types: deb
URIs: $source_uri
Suites: $suite
Components: main
Signed-By: $keyring
SOURCES
  local get=(apt-get -qq
    -o Dir::Etc::sourcelist="$apt/suite.sources" -o Dir::Etc::sourceparts="$apt/empty"
    -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts="$apt/empty"
    -o Dir::State="$apt" -o Dir::State::lists="$apt/lists" -o Dir::State::status="$apt/status"
    -o Dir::Cache="$apt/cache" -o Debug::NoLocking=1 -o APT::Sandbox::User="$(id -un)"
    -o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false
    -o DPkg::Post-Invoke= -o APT::Update::Post-Invoke=)
  "${get[@]}" update </dev/null
  local offered
  offered=$(apt-cache "${get[@]:2}" show neovim | sed -n 's/^Version: \([0-9.]*\).*/\1/p' | head -1)
  if ! is_wanted "$offered"; then
    say "$suite has Neovim ${offered:-of no version}, not $minor"
    return 1
  fi
  "${get[@]}" install -y --no-install-recommends --download-only neovim >/dev/null </dev/null
  local deb
  for deb in "$apt"/cache/archives/*.deb; do dpkg-deb -x "$deb" "$work/tree"; done
}

# adapt makes the unpacked tree run from $folder.
adapt() {
  local tree=$work/tree loader libc multiarch
  loader=$(cd "$tree" && find . -name 'ld-linux*.so.*' -print -quit)
  libc=$(cd "$tree" && find . -name 'libc.so.6' -print -quit)
  multiarch=$(cd "$tree" && find ./usr/lib -name 'libluajit-5.1.so.2' -print -quit)
  [ -n "$loader" ] && [ -n "$libc" ] && [ -n "$multiarch" ] || die "the packages of Neovim $version hold no loader or no libraries"
  patchelf --set-interpreter "$folder/${loader#./}" --force-rpath \
    --set-rpath "$folder/$(dirname "${libc#./}"):$folder/$(dirname "${multiarch#./}")" "$tree/usr/bin/nvim"
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
