import type { Catalog, Column, Table } from '../../../domain/catalog.ts'
import type { RunOptions } from '../../../domain/database.ts'
import type { Cell } from '../../../domain/result.ts'
import { fingerprintCatalog, viewDefinition } from '../catalog.ts'
import { quoteEscaped } from '../standard-sql.ts'
import { clickhouse } from './dialect.ts'
import { isSince } from './server.ts'
import type { ClickhouseSession } from './session.ts'
import { isNullable, kindOfType } from './values.ts'

const limits = { timeoutMs: 120_000, maxRows: 500_000, maxBytes: 256 * 1024 * 1024 }

/** Reads what the user can see of the one database that the address names. */
export const introspect = async (
  session: ClickhouseSession,
  database: string,
  options: Pick<RunOptions, 'signal'> = {},
): Promise<Catalog> => {
  const ask = async (sql: string): Promise<readonly (readonly Cell[])[]> =>
    (await session.run(sql, { ...limits, ...options })).rows
  const { facts } = session
  const here = `database = ${quoteEscaped(database)}`
  const hasCounts = isSince(facts, 20, 4)
  const relations = await ask(
    `SELECT name, engine, create_table_query, ${isSince(facts, 21, 1) ? 'comment' : "''"},
       ${hasCounts ? 'total_rows' : 'NULL'}
     FROM system.tables WHERE ${here} AND name NOT LIKE '.inner%' ORDER BY name`,
  )
  const counts = new Map(
    hasCounts
      ? []
      : (await ask(`SELECT table, sum(rows) FROM system.parts WHERE ${here} AND active GROUP BY table`)).map(
          ([table, rows]) => [String(table), Number(rows)] as const,
        ),
  )
  const columns = Map.groupBy(
    await ask(`SELECT table, name, type, comment, default_expression FROM system.columns WHERE ${here}`),
    ([table]) => String(table),
  )
  const tables = relations.flatMap(([name, engine, created, comment, rows]): readonly Table[] => {
    const own = columns.get(String(name)) ?? []
    if (own.length === 0) return []
    const isView = String(engine).endsWith('View')
    const definition = isView ? viewDefinition(String(created), clickhouse.lexical) : null
    return [
      {
        schema: null,
        home: database,
        name: String(name),
        type: isView ? 'view' : 'table',
        comment: comment === '' || comment == null ? null : String(comment),
        rowCount: isView ? null : rows === null ? (counts.get(String(name)) ?? null) : Number(rows),
        columns: own.map(toColumn),
        // A primary key of this engine sorts; it does not keep rows from repeating.
        primaryKey: [],
        ...(definition !== null && { definition }),
      },
    ]
  })
  const catalog = { dialect: 'clickhouse', tables, foreignKeys: [] } as const
  return { ...catalog, fingerprint: fingerprintCatalog(catalog) }
}

/** A default may name other columns, and then copies their values. */
const toColumn = ([, name, type, comment, expression]: readonly Cell[]): Column => ({
  name: String(name),
  type: String(type),
  kind: kindOfType(String(type)),
  nullable: isNullable(String(type)),
  comment: comment === '' || comment == null ? null : String(comment),
  profile: null,
  ...(expression !== '' && { generatedFrom: String(expression) }),
})
