#!/bin/sh
# Starts the runtime so that two can never write to one data folder: it holds a lock for as long as its process lives,
# and ends with the process that started it. FOREDGE_WORKERD is the runtime's binary, FOREDGE_FOLDER the data folder,
# empty where there is none to share.

# The server is stopping: what has ended stays so.
[ -n "$FOREDGE_WORKERD" ] || exit 0

# Ctrl-C and the end of a terminal reach the whole group. When the runtime ends is for the server to say, by SIGTERM.
trap '' INT HUP

# The tools below are there even where the PATH is bare.
PATH="$PATH:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"

# Takes the lock of descriptor 9, which the runtime inherits: the kernel drops it with the runtime and no earlier.
lock() {
  if command -v flock >/dev/null 2>&1; then
    flock -n 9
  elif command -v perl >/dev/null 2>&1; then
    perl -e 'open(my $lock, ">>&=", 9) or exit 1; exit(flock($lock, 2 | 4) ? 0 : 1)'
  else
    # Without a tool to lock with: a former runtime has noticed by then that its server is gone.
    sleep 3
  fi
}

if [ -n "$FOREDGE_FOLDER" ]; then
  exec 9>>"$FOREDGE_FOLDER/runtime.lock"
  tries=0
  # The runtime of a server that was killed takes a moment to go.
  until lock; do
    tries=$((tries + 1))
    if [ "$tries" -ge 100 ]; then
      echo "The runtime of a former server (process $(cat "$FOREDGE_FOLDER/workerd.pid")) still holds $FOREDGE_FOLDER." >&2
      exit 75
    fi
    sleep 0.1
  done
  echo $$ >"$FOREDGE_FOLDER/workerd.pid"
fi

# Each object that is awake holds three files open: take as many as we may.
ulimit -n "$(ulimit -Hn)" 2>/dev/null

if setpriv --pdeathsig KILL true >/dev/null 2>&1; then
  exec setpriv --pdeathsig KILL "$FOREDGE_WORKERD" "$@"
fi
# Elsewhere a watcher ends the runtime once the process that started it is gone. It must not hold the lock itself.
(
  exec 3>&- 9>&-
  while kill -0 "$PPID" && kill -0 "$$"; do sleep 1; done
  kill -0 "$PPID" || kill -KILL "$$"
) </dev/null >/dev/null 2>&1 &
exec "$FOREDGE_WORKERD" "$@"
