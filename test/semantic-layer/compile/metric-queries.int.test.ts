import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeDuckdbConnector } from '../../../src/databases/connectors/duckdb/connector.ts'
import { makeMysqlConnector } from '../../../src/databases/connectors/mysql/connector.ts'
import { makePostgresConnector } from '../../../src/databases/connectors/postgres/connector.ts'
import { makeSqliteConnector } from '../../../src/databases/connectors/sqlite/connector.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import type { Connector } from '../../../src/domain/database.ts'
import type { MetricQuery } from '../../../src/domain/metrics/metric-query.ts'
import { makeCompileMetricQuery } from '../../../src/semantic-layer/compile/compile-metric-query.ts'
import { makeDuckdbFile } from '../../helpers/duckdb-file.ts'
import { createMysqlDatabase } from '../../helpers/services/mysql-database.ts'
import { requireService } from '../../helpers/services/require-service.ts'
import { makeSqliteFile } from '../../helpers/sqlite-file.ts'
import { createTestDatabase } from '../../helpers/test-database.ts'
import { withClient } from '../../helpers/with-client.ts'
import { differenceOf } from './proof/check-answer.ts'
import { provenQueries as queries } from './proof/generate-queries.ts'
import { type Answer, answerOf } from './proof/reference-answer.ts'
import { shopLayer, shopToday } from './proof/shop-layer.ts'
import { shopZone } from './proof/shop-rows.ts'
import { shopTables } from './proof/shop-tables.ts'

/** A database with the shop in it. */
interface OpenShop {
  readonly connector: Connector
  readonly drop: () => Promise<void>
}

const postgresUrl = requireService('DATABASE_URL', 'metric queries on Postgres')
const mysqlUrl = requireService('MYSQL_URL', 'metric queries on MySQL')

const openers: readonly (readonly [name: string, open: (() => Promise<OpenShop>) | null])[] = [
  [
    'SQLite',
    async () => {
      const { file, remove } = makeSqliteFile(shopTables('sqlite'))
      return { connector: await makeSqliteConnector({ file }), drop: async () => remove() }
    },
  ],
  [
    'DuckDB',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
      const file = join(folder, 'shop.duckdb')
      await makeDuckdbFile(file, shopTables('duckdb'))
      const connector = await makeDuckdbConnector({ path: file, timeZone: shopZone })
      return { connector, drop: async () => rmSync(folder, { recursive: true, force: true }) }
    },
  ],
  [
    'Postgres',
    postgresUrl === null
      ? null
      : async () => {
          const database = await createTestDatabase({ on: 'external' })
          await withClient(database.url, client => client.query(shopTables('postgres')))
          const connector = await makePostgresConnector({
            url: database.url,
            place: 'shop',
            timeZone: shopZone,
          })
          return { connector, drop: () => database.drop() }
        },
  ],
  [
    'MySQL or MariaDB',
    mysqlUrl === null
      ? null
      : async () => {
          const database = await createMysqlDatabase(mysqlUrl)
          await database.admin(shopTables('mysql'))
          const connector = await makeMysqlConnector({ url: database.url, place: 'shop', timeZone: shopZone })
          return { connector, drop: () => database.drop() }
        },
  ],
]

const answers = new Map<MetricQuery, Answer>()
const answerTo = (query: MetricQuery): Answer => {
  const known = answers.get(query) ?? answerOf(query)
  answers.set(query, known)
  return known
}

describe.each(openers)('metric queries on %s', (_, open) => {
  let shop: OpenShop | null = null
  afterAll(async () => {
    await shop?.connector.close()
    await shop?.drop()
  })

  it.skipIf(open === null)('give what counting row by row gives, through the guard', async () => {
    shop = await open!()
    const { connector } = shop
    const compile = makeCompileMetricQuery(shopLayer, await connector.introspect({}))
    const guard = makeGuard()
    const limits = { timeoutMs: 20_000, maxRows: 10_000, maxBytes: 10_000_000 }
    const differences: unknown[] = []
    for (const query of queries) {
      const compiled = compile(query, { timeZone: shopZone, today: shopToday })
      if (!compiled.ok) {
        differences.push({ problem: compiled.problem, query })
        continue
      }
      const { sql } = compiled
      const verdict = guard(sql, connector.dialect)
      if (verdict.verdict === 'refuse') {
        differences.push({ refused: verdict.reason, sql })
        continue
      }
      try {
        const { rows, columns } = await connector.run(verdict.guarded, limits)
        const difference =
          columns.length === compiled.columns.length
            ? differenceOf(rows, answerTo(query))
            : `${columns.length} columns, ${compiled.columns.length} of which have a meaning`
        if (difference !== null) differences.push({ difference, sql, query })
      } catch (error) {
        differences.push({ error: String(error), sql })
      }
    }
    expect(differences).toEqual([])
  })
})
