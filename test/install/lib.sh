# Functions that the install scripts source.

say() { printf 'install: %s\n' "$*" >&2; }

die() {
  say "$*"
  exit 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo -n "$@"
  else
    die "root or sudo is needed to run: $*"
  fi
}

# apt_install COMMAND PACKAGE... installs the packages unless COMMAND exists.
# It fetches the package lists only if the present ones are not sufficient.
apt_install() {
  local wanted=$1
  shift
  if command -v "$wanted" >/dev/null; then return; fi
  command -v apt-get >/dev/null || die "$wanted is missing and there is no apt-get; install $wanted yourself and run again"
  say "$*, for $wanted"
  local get=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
  local install=("${get[@]}" -o Dpkg::Use-Pty=0 install -y --no-install-recommends "$@")
  as_root "${install[@]}" >/dev/null 2>&1 </dev/null && return
  as_root "${get[@]}" update >/dev/null </dev/null
  as_root "${install[@]}" >/dev/null </dev/null
}

# go_install NAME MODULE VERSION FOLDER builds a Go program into FOLDER/NAME. The
# version is part of a marker's name, so that a new version is installed.
go_install() {
  local name=$1 module=$2 version=$3 folder=$4
  local marker=$folder/.$name-$version
  if [ -x "$folder/$name" ] && [ -e "$marker" ]; then return; fi
  say "$name $version"
  mkdir -p "$folder"
  local fresh
  fresh=$(mktemp -d "$folder/.new-XXXXXX")
  (cd "$fresh" && GOBIN=$fresh GOFLAGS= GOTOOLCHAIN=local CGO_ENABLED=0 go install "$module@$version" </dev/null)
  mv -f "$fresh/$name" "$folder/$name"
  rm -rf "$fresh" "$folder/.$name-"*
  touch "$marker"
}

# The functions below take packages of another Debian suite, from the mirror that
# apt already uses, and unpack them into a folder. They do not change the host's
# packages, package database and C library, and do not need root.

debian_mirror() {
  local file
  for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list.d/*.sources; do
    if [ -r "$file" ] && grep -q 'debian-archive-keyring' "$file"; then
      awk '/^URIs:/ {print $2; exit}' "$file"
      return
    fi
  done
  awk '$1 == "deb" {for (i = 2; i <= NF; i++) if ($i ~ /\/debian\/?$/) {print $i; exit}}' /etc/apt/sources.list
}

# suite_open SUITE FOLDER fetches the package lists of a suite into FOLDER; the
# other functions use the suite that was opened last.
suite_open() {
  local suite=$1 apt=$2 uri keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  [ -r "$keyring" ] || die "$keyring is missing; install the package debian-archive-keyring"
  uri=$(debian_mirror)
  [ -n "$uri" ] || die "no Debian mirror in /etc/apt; the packages of $suite have to come from one"
  mkdir -p "$apt"/{lists/partial,cache/archives/partial,empty}
  : >"$apt/status"
  cat >"$apt/suite.sources" <<SOURCES
Types: deb
URIs: $uri
Suites: $suite
Components: main
Signed-By: $keyring
SOURCES
  suite_folder=$apt
  suite_options=(
    -o Dir::Etc::sourcelist="$apt/suite.sources" -o Dir::Etc::sourceparts="$apt/empty"
    -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts="$apt/empty"
    -o Dir::State="$apt" -o Dir::State::lists="$apt/lists" -o Dir::State::status="$apt/status"
    -o Dir::Cache="$apt/cache" -o Debug::NoLocking=1 -o APT::Sandbox::User="$(id -un)"
    -o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false
    -o DPkg::Post-Invoke= -o APT::Update::Post-Invoke=)
  apt-get -qq "${suite_options[@]}" update </dev/null
}

# suite_offers PACKAGE prints the version of a package, without epoch and revision.
suite_offers() {
  apt-cache "${suite_options[@]}" show "$1" | sed -n 's/^Version: \([0-9]*:\)\{0,1\}\([0-9.]*\).*/\2/p' | head -1
}

# suite_unpack TREE PACKAGE... unpacks packages with all their dependencies.
suite_unpack() {
  local tree=$1 deb
  shift
  apt-get -qq "${suite_options[@]}" install -y --no-install-recommends --download-only "$@" >/dev/null </dev/null
  mkdir -p "$tree"
  for deb in "$suite_folder"/cache/archives/*.deb; do dpkg-deb -x "$deb" "$tree"; done
}

# suite_unpack_alone TREE PACKAGE unpacks a package without its dependencies.
suite_unpack_alone() {
  local tree=$1 fresh
  fresh=$(mktemp -d "$suite_folder/alone-XXXXXX")
  (cd "$fresh" && apt-get -qq "${suite_options[@]}" download "$2" >/dev/null </dev/null)
  mkdir -p "$tree"
  dpkg-deb -x "$fresh"/*.deb "$tree"
}

# tree_adapt TREE FOLDER PROGRAM makes a program of an unpacked tree run from
# FOLDER, where the tree will be moved, with the loader and libraries of its suite.
tree_adapt() {
  local tree=$1 folder=$2 program=$3 loader libc
  apt_install patchelf patchelf
  loader=$(cd "$tree" && find . -name 'ld-linux*.so.*' -print -quit)
  libc=$(cd "$tree" && find . -name 'libc.so.6' -print -quit)
  [ -n "$loader" ] && [ -n "$libc" ] || die "the packages of $program hold no loader or no C library"
  patchelf --set-interpreter "$folder/${loader#./}" --force-rpath \
    --set-rpath "$folder/$(dirname "${libc#./}"):$folder/usr/lib/$(basename "$(dirname "$libc")")" "$tree/$program"
}
