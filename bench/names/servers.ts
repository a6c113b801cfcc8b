import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSparkAddress } from '../../src/databases/connectors/spark/address.ts'
import { openSparkSession } from '../../src/databases/connectors/spark/session.ts'
import { startEmbeddedServer } from '../../src/store/embedded/embedded-server.ts'
import { clickhouseGrammar } from '../../test/databases/guard/names/grammars/clickhouse.ts'
import { sparkGrammar } from '../../test/databases/guard/names/grammars/spark.ts'
import { trinoGrammar } from '../../test/databases/guard/names/grammars/trino.ts'
import {
  duckdbServer,
  mysqlServer,
  type NamesServer,
  postgresServer,
  sqliteServer,
} from '../../test/databases/guard/names/names-servers.ts'
import { wideLimits } from '../../test/helpers/run-on.ts'
import { askClickhouse } from '../../test/helpers/services/clickhouse.ts'
import { askTrino } from '../../test/helpers/services/trino.ts'

/** A server, and what ends it. */
interface Started {
  readonly server: NamesServer
  readonly stop: () => Promise<void>
}

const nothing = async (): Promise<void> => {}

const urlFrom = (variable: string): string => {
  const url = process.env[variable]
  if (!url) throw new Error(`set ${variable}, or name other servers with --only`)
  return url
}

const newName = (): string => `querent_names_${randomBytes(6).toString('hex')}`

const clickhouse = (url: string): NamesServer => ({
  grammar: clickhouseGrammar,
  form: { int: 'Int32', text: 'Nullable(String)', suffix: ' engine = Memory', struct: null },
  systemMarks: /system|MergeTree|default/,
  atOnce: 2,
  create: async statements => {
    const name = newName()
    await askClickhouse(url, `create database ${name}`, 'default')
    for (const sql of statements) await askClickhouse(url, sql, name)
    return {
      address: `${url}/${name}`,
      name,
      drop: async () => {
        await askClickhouse(url, `drop database ${name}`, 'default')
      },
    }
  },
})

const trino = (url: string): NamesServer => ({
  grammar: trinoGrammar,
  form: { int: 'integer', text: 'varchar', suffix: '', struct: null },
  systemMarks: /information_schema|tpch|coordinator|FINISHED/,
  atOnce: 8,
  create: async statements => {
    const schema = newName()
    const ask = (sql: string) => askTrino(url, sql, { catalog: 'memory', schema })
    await ask(`create schema memory.${schema}`)
    for (const sql of statements) await ask(sql)
    return {
      address: `${url}/memory/${schema}`,
      name: schema,
      drop: async () => {
        for (const sql of statements) {
          const [, table] = /^CREATE TABLE (\w+)/.exec(sql) ?? []
          if (table !== undefined) await ask(`drop table ${table}`)
        }
        await ask(`drop schema memory.${schema}`)
      },
    }
  },
})

const spark = async (url: string): Promise<Started> => {
  const urlOf = (database: string): string => {
    const own = new URL(url)
    own.pathname = `/${database}`
    return own.href
  }
  const admin = await openSparkSession({ address: readSparkAddress(urlOf('')), size: 1, timeZone: null })
  const ask = (sql: string) => admin.ask(sql, { ...wideLimits, timeoutMs: 120_000 })
  return {
    stop: () => admin.close(),
    server: {
      grammar: sparkGrammar,
      form: { int: 'int', text: 'string', suffix: ' using parquet', struct: null },
      systemMarks: /information_schema/,
      atOnce: 4,
      create: async statements => {
        const name = newName()
        await ask(`create schema ${name}`)
        await ask(`use ${name}`)
        for (const sql of statements) await ask(sql)
        return {
          address: urlOf(name),
          name,
          drop: async () => {
            await ask(`drop schema ${name} cascade`)
          },
        }
      },
    },
  }
}

const postgres = async (): Promise<Started> => {
  const url = process.env.DATABASE_URL
  if (url) return { server: postgresServer(url), stop: nothing }
  const home = mkdtempSync(join(tmpdir(), 'querent-names-'))
  const started = await startEmbeddedServer({ home, durable: false })
  return {
    server: postgresServer(started.adminUrl),
    stop: async () => {
      await started.stop()
      rmSync(started.folder, { recursive: true, force: true })
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Every server that the proof runs on, by name. Postgres is a built-in one without DATABASE_URL. */
export const namesServers: Readonly<Record<string, () => Promise<Started>>> = {
  postgres,
  mysql: async () => ({ server: mysqlServer(urlFrom('MYSQL_URL')), stop: nothing }),
  sqlite: async () => ({ server: sqliteServer, stop: nothing }),
  duckdb: async () => ({ server: duckdbServer, stop: nothing }),
  clickhouse: async () => ({ server: clickhouse(urlFrom('CLICKHOUSE_URL')), stop: nothing }),
  trino: async () => ({ server: trino(urlFrom('TRINO_URL')), stop: nothing }),
  spark: () => spark(urlFrom('SPARK_URL')),
}
