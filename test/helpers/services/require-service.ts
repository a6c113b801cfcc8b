/** Services that a suite may need and a machine may lack, and how to come by each. */
const howToRun = {
  DATABASE_URL: 'DATABASE_URL=postgres://postgres@127.0.0.1:5432/postgres (a superuser)',
  REDIS_URL: 'REDIS_URL=redis://127.0.0.1:6379',
  MYSQL_URL: 'MYSQL_URL=mysql://root@127.0.0.1:3306/test',
  CLICKHOUSE_URL:
    'CLICKHOUSE_URL=clickhouse://default@127.0.0.1:18123, of a server that test/engines/clickhouse/start.sh starts (Debian’s clickhouse-server)',
  SPARK_URL:
    'SPARK_URL="spark://querent@127.0.0.1:10001?ca=FOLDER/server.pem", of a server that test/engines/spark/start.sh starts (Java 17, Maven)',
  TRINO_URL:
    'TRINO_URL=trino://127.0.0.1:18080, of a cluster that test/engines/trino/start.sh starts (Java 17, Maven)',
} as const

/**
 * The URL of a service, or null when its variable is not set: then the suite skips itself with `describe.skipIf`, and
 * one line says so. With `QUERENT_REQUIRE_SERVICES=1` the missing variable is a failure, so that CI skips nothing.
 */
export const requireService = (variable: keyof typeof howToRun, suite: string): string | null => {
  const url = process.env[variable]
  if (url) return url
  if (process.env.QUERENT_REQUIRE_SERVICES === '1') {
    throw new Error(`${suite} needs ${variable}, and QUERENT_REQUIRE_SERVICES=1 allows no skipping`)
  }
  console.info(`skipped: ${suite}; to run it, set ${howToRun[variable]}`)
  return null
}
