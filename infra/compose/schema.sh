#!/bin/sh
# Makes the two databases of Temporal and their tables, or upgrades them to this version.
set -eu
SQL_PASSWORD=$(cat /files/password)
export SQL_PASSWORD
for name in temporal:temporal temporal_visibility:visibility; do
  sql() { temporal-sql-tool --plugin postgres12 --ep postgres --port 5432 --user temporal --db "${name%%:*}" "$@"; }
  upgrade() { sql update-schema --schema-name "postgresql/v12/${name##*:}"; }
  sql create
  upgrade || { sql setup-schema --version 0.0 && upgrade; } # a new database has no version yet
done
