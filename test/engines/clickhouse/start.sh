#!/usr/bin/env bash
# Starts a ClickHouse server that keeps its files in FOLDER and answers HTTP on PORT: start.sh FOLDER PORT.
# Needs clickhouse-server (Debian's package, or a newer one). `kill $(cat FOLDER/server.pid)` ends it.
set -euo pipefail
folder=$1
port=$2
mkdir -p "$folder/data" "$folder/tmp"

cat >"$folder/users.xml" <<XML
<yandex>
  <profiles><default/></profiles>
  <quotas><default/></quotas>
  <users>
    <default>
      <password/>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
    </default>
  </users>
</yandex>
XML

cat >"$folder/config.xml" <<XML
<yandex>
  <logger><level>warning</level><console>1</console></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>$port</http_port>
  <tcp_port>$((port + 1))</tcp_port>
  <path>$folder/data/</path>
  <tmp_path>$folder/tmp/</tmp_path>
  <users_config>$folder/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <mark_cache_size>268435456</mark_cache_size>
  <timezone>UTC</timezone>
</yandex>
XML

setsid nohup clickhouse-server --config-file="$folder/config.xml" >"$folder/server.log" 2>&1 </dev/null &
echo $! >"$folder/server.pid"
for _ in $(seq 60); do
  (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && exit 0
  sleep 0.5
done
tail -n 5 "$folder/server.log" >&2
echo "ClickHouse did not start within 30 s." >&2
exit 1
