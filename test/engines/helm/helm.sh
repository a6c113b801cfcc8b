#!/usr/bin/env bash
# Helm for the tests of deploy/helm, where it is not installed: helm.sh lint|template ..., as HelmCommand.java has them.
# Needs Java 17 and Maven. Keeps what it compiles in HELM_FOLDER.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=${HELM_FOLDER:?set it to a folder to compile in}
mkdir -p "$folder"
# Several tests may start at once.
exec 9>"$folder/lock"
flock 9
if [ ! -f "$folder/classes/HelmCommand.class" ]; then
  (cd "$here" && mvn -q -B dependency:build-classpath -Dmdep.outputFile="$folder/classpath" >"$folder/maven.log" 2>&1) ||
    { tail -n 20 "$folder/maven.log" >&2; exit 1; }
  javac -cp "$(cat "$folder/classpath")" -d "$folder/classes" "$here/HelmCommand.java"
fi
flock -u 9
exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$folder/classes:$(cat "$folder/classpath")" HelmCommand "$@"
