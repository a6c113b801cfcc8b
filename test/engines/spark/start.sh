#!/usr/bin/env bash
# Starts Spark's Thrift server over HTTPS, and its pages on the next port: start.sh FOLDER PORT. Its certificate is
# FOLDER/server.pem.
# Needs Java 17 and Maven. Waits at most 120 s; `kill $(cat FOLDER/server.pid)` ends it.
# Compiled lightly: the suites end before more would pay.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
port=$2
mkdir -p "$folder"
(cd "$here" && mvn -q -B dependency:build-classpath -Dmdep.outputFile="$folder/classpath" >"$folder/maven.log" 2>&1) ||
  { tail -n 20 "$folder/maven.log" >&2; exit 1; }

# The driver speaks HTTPS alone, so the server gets a certificate of its own.
if [ ! -f "$folder/server.pem" ]; then
  keytool -genkeypair -alias spark -keyalg RSA -validity 3650 -dname CN=localhost -ext san=dns:localhost,ip:127.0.0.1 \
    -keystore "$folder/keys" -storepass spark-test -keypass spark-test 2>/dev/null
  keytool -exportcert -rfc -alias spark -keystore "$folder/keys" -storepass spark-test >"$folder/server.pem" 2>/dev/null
fi

# What Spark opens of the JDK, as its own launcher does.
opens=()
for package in java.lang java.lang.invoke java.lang.reflect java.io java.net java.nio java.util java.util.concurrent \
  java.util.concurrent.atomic sun.nio.ch sun.nio.cs sun.security.action sun.util.calendar; do
  opens+=("--add-opens=java.base/$package=ALL-UNNAMED")
done

cd "$folder"
setsid nohup java -Xmx3g -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "${opens[@]}" -cp "$(cat "$folder/classpath")" \
  -Dspark.master='local[2]' -Dspark.app.name=querent -Dspark.ui.port="$((port + 1))" -Dspark.driver.host=127.0.0.1 \
  -Dspark.sql.shuffle.partitions=2 -Dspark.sql.warehouse.dir="$folder/warehouse" \
  -Dspark.sql.catalogImplementation=hive \
  -Dspark.hadoop.javax.jdo.option.ConnectionURL="jdbc:derby:;databaseName=$folder/metastore;create=true" \
  -Dderby.system.home="$folder" -Djava.io.tmpdir="$folder" \
  org.apache.spark.sql.hive.thriftserver.HiveThriftServer2 \
  --hiveconf hive.server2.transport.mode=http --hiveconf hive.server2.thrift.http.port="$port" \
  --hiveconf hive.server2.thrift.http.path=cliservice --hiveconf hive.server2.thrift.bind.host=127.0.0.1 \
  --hiveconf hive.server2.use.SSL=true --hiveconf hive.server2.keystore.path="$folder/keys" \
  --hiveconf hive.server2.keystore.password=spark-test \
  >"$folder/server.log" 2>&1 </dev/null &
echo $! >"$folder/server.pid"
for _ in $(seq 240); do
  (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && exit 0
  sleep 0.5
done
tail -n 20 "$folder/server.log" >&2
echo "Spark did not start within 120 s." >&2
exit 1
