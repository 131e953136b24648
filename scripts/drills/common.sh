# shellcheck shell=bash
# What the drills share; sourced. Everything runs on the loopback address and below one temporary folder; whatever was
# started here is ended here, by its process id.

folder=$(mktemp -d "${TMPDIR:-/tmp}/pavise-drill-XXXXXX")
chmod 711 "$folder"
declare -A running=()
postgres_running=""

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
saw() { printf '   %s\n' "$*"; }
fail() {
  printf '\033[31mFAILED: %s\033[0m\n' "$*" >&2
  exit 1
}

clean() {
  local code=$?
  trap - EXIT INT TERM
  if [ $code -ne 0 ]; then
    for log in "$folder"/*.log; do
      [ -f "$log" ] && { echo "--- the end of $(basename "$log")"; tail -n 15 "$log" | cut -c 1-400; } >&2
    done
  fi
  local pid
  for pid in "${running[@]}"; do kill -KILL "$pid" 2>/dev/null || true; done
  [ -z "$postgres_running" ] || as_postgres "$postgres/pg_ctl" -D "$folder/postgres/data" -m immediate stop >/dev/null 2>&1 || true
  wait 2>/dev/null || true
  rm -rf "$folder"
  exit $code
}
trap clean EXIT
trap 'exit 130' INT TERM

# The server's program: what $1 says, or what `cargo build` made.
program() {
  local wanted=${1:-${CARGO_TARGET_DIR:-target}/debug/pavise}
  [ -x "$wanted" ] || { echo "there is no $wanted: run \`cargo build\`, or name a server in PAVISE_PROGRAM" >&2; exit 1; }
  realpath "$wanted"
}

random() { head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n'; }
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# begin NAME PROGRAM ARGUMENT…: starts a server of that name; its log is NAME.log.
begin() {
  local name=$1
  shift
  "$@" >>"$folder/$name.log" 2>&1 &
  running[$name]=$!
}

# ready NAME ADMIN_PORT: waits until a server is ready.
ready() {
  local tries=0
  until curl -sf -o /dev/null "http://127.0.0.1:$2/readyz"; do
    kill -0 "${running[$1]}" 2>/dev/null || fail "$1 ended instead of serving"
    tries=$((tries + 1))
    [ $tries -lt 600 ] || fail "$1 is not ready after two minutes"
    sleep 0.2
  done
}

# end NAME [SIGNAL]: ends a server and waits for it; its exit code.
end() {
  local pid=${running[$1]} code=0
  unset "running[$1]"
  kill -"${2:-TERM}" "$pid"
  wait "$pid" 2>/dev/null || code=$?
  return $code
}

# until_in_log NAME TEXT: waits until a server has logged it.
until_in_log() {
  local tries=0
  until grep -qs -- "$2" "$folder/$1.log"; do
    kill -0 "${running[$1]}" 2>/dev/null || fail "$1 ended"
    tries=$((tries + 1))
    [ $tries -lt 900 ] || fail "$1 did not log «$2» in three minutes"
    sleep 0.2
  done
}

as_postgres() {
  if [ "$(id -u)" = 0 ]; then
    (cd "$folder" && exec setpriv --reuid postgres --regid postgres --clear-groups "$@")
  else
    "$@"
  fi
}

# Makes a cluster of PostgreSQL and starts it; $postgres is where its programs are, $postgres_port where it listens.
begin_postgres() {
  postgres=${PAVISE_POSTGRES_BIN:-$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)}
  [ -x "${postgres:-}/initdb" ] || fail "no PostgreSQL in /usr/lib/postgresql: install it, or name its programs' folder in PAVISE_POSTGRES_BIN"
  postgres_port=$(free_port)
  mkdir "$folder/postgres"
  [ "$(id -u)" != 0 ] || chown postgres: "$folder/postgres"
  as_postgres "$postgres/initdb" --username=postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 --no-sync \
    -D "$folder/postgres/data" >/dev/null
  postgres_running=yes
  as_postgres "$postgres/pg_ctl" -D "$folder/postgres/data" -l "$folder/postgres/log" -w -s start \
    -o "-p $postgres_port -k $folder/postgres -c listen_addresses=127.0.0.1 -c max_connections=200"
}

# postgres_tool TOOL ARGUMENT…: psql, pg_dump … of the cluster.
postgres_tool() {
  local tool=$1
  shift
  "$postgres/$tool" -h 127.0.0.1 -p "$postgres_port" -U postgres "$@"
}
