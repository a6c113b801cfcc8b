#!/usr/bin/env bash
# Starts one more worker of the cluster that start.sh has started: worker.sh FOLDER NAME. Its process is in FOLDER/NAME.pid,
# and FOLDER/NAME.ready appears when it takes work.
set -euo pipefail
folder=$1
name=$2
rm -f "$folder/$name.ready"
# shellcheck disable=SC2086 # several options
setsid nohup java ${TRINO_JAVA:--Xmx2g -XX:TieredStopAtLevel=1 -XX:+UseSerialGC} -cp "$folder/classes:$(cat "$folder/classpath")" TrinoNode worker "$folder" "$name" \
  >"$folder/$name.log" 2>&1 </dev/null &
echo $! >"$folder/$name.pid"
