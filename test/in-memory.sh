#!/bin/sh
# Runs a command with its temporary files in memory, if the system has a folder there that has room for them and in
# which programs can be started: the tests of make check make and delete a thousand databases. The name of the folder
# is always the same, because Go runs tests again when a variable that they read has another value.
dir=/dev/shm/wm-lsp-check-$(id -u)
room=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
if [ -z "${TMPDIR:-}" ] && [ "${room:-0}" -gt 1000000 ] && { mkdir -m 700 "$dir" 2>/dev/null || [ -O "$dir" ]; }; then
  # What killed tests left; other runs may be going on.
  find "$dir" -mindepth 1 -maxdepth 1 -mmin +60 -exec rm -rf {} +
  if program=$(mktemp "$dir/XXXXXX") && echo '#!/bin/sh' >"$program" && chmod +x "$program" && "$program" 2>/dev/null; then
    export TMPDIR="$dir"
  fi
  rm -f "$program"
fi
exec "$@"
