# Functions that the install scripts share. To be sourced.

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

# apt_install COMMAND PACKAGE... installs the packages unless COMMAND is there.
# The package lists are fetched only if the ones at hand do not do.
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
# version is part of a marker's name, so that a raised version installs anew.
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
