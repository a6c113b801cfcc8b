#!/usr/bin/env bash
# Starts a Trino cluster, a coordinator and two workers, each a process of its own: start.sh FOLDER PORT.
# Needs Java 17 and Maven. Waits until all three take work, at most 180 s; `kill $(cat FOLDER/*.pid)` ends them.
# With POSTGRES_JDBC, POSTGRES_USER and POSTGRES_PASSWORD there is a catalog postgresql.
# Compiled lightly, since the suites end before more would pay; for benchmarks, TRINO_JAVA=-Xmx2g compiles fully.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
port=$2
mkdir -p "$folder"
rm -f "$folder"/*.ready "$folder"/discovery "$folder"/*.pid
(cd "$here" && mvn -q -B dependency:build-classpath -Dmdep.outputFile="$folder/classpath" >"$folder/maven.log" 2>&1) ||
  { tail -n 20 "$folder/maven.log" >&2; exit 1; }
javac -cp "$(cat "$folder/classpath")" -d "$folder/classes" "$here/TrinoNode.java"

export TRINO_JAVA=${TRINO_JAVA:--Xmx2g -XX:TieredStopAtLevel=1 -XX:+UseSerialGC}
# shellcheck disable=SC2086 # several options
setsid nohup java $TRINO_JAVA -cp "$folder/classes:$(cat "$folder/classpath")" TrinoNode coordinator "$folder" "$port" \
  >"$folder/coordinator.log" 2>&1 </dev/null &
echo $! >"$folder/coordinator.pid"
for worker in worker-1 worker-2; do "$here/worker.sh" "$folder" "$worker"; done

for _ in $(seq 180); do
  [ "$(ls "$folder"/*.ready 2>/dev/null | wc -l)" = 3 ] && exit 0
  sleep 1
done
tail -n 5 "$folder"/*.log >&2
echo "The Trino cluster did not start within 180 s." >&2
exit 1
