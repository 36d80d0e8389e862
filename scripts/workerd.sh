#!/bin/sh
# Starts the runtime so that it can not outlive the process that started it: two runtimes on one data folder would
# both write. FOREDGE_WORKERD is the runtime's binary, FOREDGE_WORKERD_PID the file its process id is written to.
[ -n "$FOREDGE_WORKERD_PID" ] && echo $$ > "$FOREDGE_WORKERD_PID"
if command -v setpriv >/dev/null 2>&1; then
  exec setpriv --pdeathsig KILL "$FOREDGE_WORKERD" "$@"
fi
exec "$FOREDGE_WORKERD" "$@"
