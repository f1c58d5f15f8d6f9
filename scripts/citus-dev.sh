#!/usr/bin/env bash
# Starts a Citus cluster for development: a coordinator and two workers on free ports of 127.0.0.1. Prints the URL of a
# database on the coordinator when all are ready, and stops the servers when it ends.
#
#   scripts/citus-dev.sh [--data FOLDER] [--set NAME=VALUE]... [--build-only] [SOURCE_FOLDER]
#
# SOURCE_FOLDER is the source of Citus 13. It is built and installed if PG_CONFIG's server has no Citus yet; without it
# Citus must be installed. --data keeps the data in a folder of its own: a second start continues with it. --set adds
# a line to the configuration of all servers.
set -euo pipefail

PG_CONFIG=${PG_CONFIG:-pg_config}
NODES=(coordinator worker1 worker2)
DATABASE=pipit
NAME=pipit

usage() {
  sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

fail() {
  echo "citus-dev: $1" >&2
  exit 1
}

data='' source='' build_only='' sleeper=''
settings=()
while [ $# -gt 0 ]; do
  case $1 in
    --data) data=${2:?--data needs a folder}; shift 2 ;;
    --set) settings+=("${2:?--set needs NAME=VALUE}"); shift 2 ;;
    --build-only) build_only=yes; shift ;;
    -*) usage ;;
    *) [ -z "$source" ] || usage; source=$1; shift ;;
  esac
done

command -v "$PG_CONFIG" >/dev/null || fail "$PG_CONFIG is missing: install postgresql-server-dev-15 or set PG_CONFIG"
bin=$("$PG_CONFIG" --bindir)

# From 15.16 on, PostgreSQL exports a function that Citus up to 13.2.2 defines for itself.
avoid_doubled_function() {
  local header=$1/src/include/pg_version_compat.h
  grep -qs have_createdb_privilege "$("$PG_CONFIG" --includedir-server)/commands/dbcommands.h" || return 0
  sed -i 's/^have_createdb_privilege(void)/citus_&/' "$header"
}

build() {
  [ -x "$1/configure" ] || fail "$1 is no source folder of Citus: it has no configure"
  (
    cd "$1"
    [ -f Makefile.global ] || ./configure --without-libcurl PG_CONFIG="$(command -v "$PG_CONFIG")"
    avoid_doubled_function .
    make -j"$(nproc)" with_llvm=no
    make install with_llvm=no
  ) >&2
}

if [ ! -f "$("$PG_CONFIG" --sharedir)/extension/citus.control" ]; then
  [ -n "$source" ] || fail 'Citus is not installed: give the folder of its source'
  build "$source"
fi
[ -z "$build_only" ] || exit 0

# PostgreSQL refuses to run as root.
as_user=()
if [ "$(id -u)" = 0 ]; then
  id postgres >/dev/null 2>&1 || fail 'run it as another user than root, or create the user postgres'
  as_user=(setpriv --reuid=postgres --regid=postgres --clear-groups)
fi

umask 077
is_temporary=''
if [ -z "$data" ]; then
  data=$(mktemp -d "${TMPDIR:-/tmp}/pipit-citus-XXXXXX")
  is_temporary=yes
fi
mkdir -p "$data"
data=$(cd "$data" && pwd)
chmod 700 "$data"
[ ${#as_user[@]} -eq 0 ] || chown postgres "$data"

run() { (cd "$data" && LC_ALL=C PGPASSFILE="$data/pgpass" "${as_user[@]}" "$@"); }
port_of() { cat "$data/$1/port"; }
sql_on() { run "$bin/psql" -X -q -A -t -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$(port_of "$1")" -U "$NAME" -d "${3:-$DATABASE}" -c "$2"; }

free_port() {
  local port
  while :; do
    port=$((20000 + RANDOM % 12000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
  done
}

create_node() {
  run "$bin/initdb" --pgdata="$data/$1" --username="$NAME" --pwfile="$data/password" \
    --auth=scram-sha-256 --encoding=UTF8 --locale=C --no-sync >/dev/null
  free_port >"$data/$1/port"
  {
    echo "port = $(port_of "$1")"
    echo "listen_addresses = '127.0.0.1'"
    echo "unix_socket_directories = '$data/$1'"
    echo "shared_preload_libraries = 'citus'"
    # Moving a shard while it is written to copies its changes by logical replication.
    echo 'wal_level = logical'
    echo 'max_replication_slots = 32'
    echo 'max_wal_senders = 32'
    # A transaction that writes on several servers is prepared on each.
    echo 'max_prepared_transactions = 400'
    echo 'max_connections = 400'
    # After a crash, finishes what is prepared.
    echo "citus.recover_2pc_interval = '1s'"
    echo "citus.node_conninfo = 'sslmode=prefer'"
    echo "citus.local_hostname = '127.0.0.1'"
    for setting in "${settings[@]}"; do echo "${setting%%=*} = '${setting#*=}'"; done
  } >>"$data/$1/postgresql.conf"
}

start_node() { run "$bin/pg_ctl" start -w -s -D "$data/$1" -l "$data/$1.log"; }
stop_node() { run "$bin/pg_ctl" stop -s -m fast -D "$data/$1" >/dev/null 2>&1 || true; }

stop_all() {
  trap '' EXIT INT TERM
  [ -z "$sleeper" ] || kill "$sleeper" 2>/dev/null || true
  for node in "${NODES[@]}"; do stop_node "$node"; done
  [ -z "$is_temporary" ] || rm -rf "$data"
}
trap stop_all EXIT
trap 'exit 0' INT TERM

if [ ! -f "$data/pgpass" ]; then
  head -c 18 /dev/urandom | base64 | tr '+/' '-_' >"$data/password"
  echo "127.0.0.1:*:*:$NAME:$(cat "$data/password")" >"$data/pgpass"
  [ ${#as_user[@]} -eq 0 ] || chown postgres "$data/password" "$data/pgpass"
  for node in "${NODES[@]}"; do create_node "$node"; done
  is_new=yes
fi
for node in "${NODES[@]}"; do
  start_node "$node" || fail "$node does not start: $(tail -5 "$data/$node.log" 2>/dev/null)"
done
if [ -n "${is_new:-}" ]; then
  for node in "${NODES[@]}"; do
    sql_on "$node" "CREATE DATABASE $DATABASE" postgres
    sql_on "$node" 'CREATE EXTENSION citus'
  done
  sql_on coordinator "SELECT citus_set_coordinator_host('127.0.0.1', $(port_of coordinator))" >/dev/null
  for worker in worker1 worker2; do
    sql_on coordinator "SELECT citus_add_node('127.0.0.1', $(port_of "$worker"))" >/dev/null
  done
fi

echo "data: $data" >&2
echo "postgres://$NAME:$(cat "$data/password")@127.0.0.1:$(port_of coordinator)/$DATABASE"
# Bash handles a signal only between commands, so it waits in the background.
sleep infinity &
sleeper=$!
wait "$sleeper"
