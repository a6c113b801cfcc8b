import type { Catalog, Column, Table } from '../../../domain/catalog.ts'
import type { RunOptions } from '../../../domain/database.ts'
import { SqlError } from '../../../domain/errors.ts'
import type { Cell } from '../../../domain/result.ts'
import { mapInParallel } from '../../../lib/concurrency.ts'
import { fingerprintCatalog } from '../catalog.ts'
import type { SparkAddress } from './address.ts'
import { quoteSparkName } from './dialect.ts'
import type { SparkSession } from './session.ts'
import { kindOfType } from './values.ts'

const limits = { timeoutMs: 120_000, maxRows: 500_000, maxBytes: 256 * 1024 * 1024 }

/** Tables that are described one by one, for their size or their query. */
const mostDescribed = 500

const describedAtOnce = 4

const textOrNull = (cell: Cell | undefined): string | null =>
  cell === null || cell === undefined || cell === '' ? null : String(cell)

/** Reads the tables of the schema that the address names, or of all schemas of its catalog. */
export const introspect = async (
  session: SparkSession,
  address: SparkAddress,
  options: Pick<RunOptions, 'signal'> = {},
): Promise<Catalog> => {
  const all = { ...limits, ...options }
  const columns = Map.groupBy(await session.list('columns', all), ([, schema, table]) =>
    JSON.stringify([schema, table]),
  )
  const home = address.schema ?? 'default'
  const tables = (await session.list('tables', all)).flatMap(
    ([, schema, name, type, comment]): readonly Table[] => {
      const own = columns.get(JSON.stringify([schema, name]))
      // Temporary views belong to a session, and have no schema.
      if (own === undefined || textOrNull(schema) === null) return []
      const isHome = schema === home
      return [
        {
          schema: isHome ? null : String(schema),
          ...(isHome && { home }),
          name: String(name),
          type: /view/i.test(String(type)) ? 'view' : 'table',
          comment: textOrNull(comment),
          rowCount: null,
          columns: own.map(toColumn),
          primaryKey: [],
        },
      ]
    },
  )
  const described = new Map<Table, Pick<Table, 'rowCount' | 'definition'>>()
  await mapInParallel(tables.slice(0, mostDescribed), describedAtOnce, async table => {
    try {
      described.set(table, await describe(session, table, all))
    } catch (error) {
      if (options.signal?.aborted || !(error instanceof SqlError) || error.errorClass === 'connection')
        throw error
    }
  })
  const catalog = {
    dialect: 'spark',
    tables: tables
      .map(table => ({ ...table, ...described.get(table) }))
      .sort((a, b) => (a.schema ?? '').localeCompare(b.schema ?? '') || (a.name < b.name ? -1 : 1)),
    foreignKeys: [],
  } as const
  return { ...catalog, fingerprint: fingerprintCatalog(catalog) }
}

/** A row of the protocol's GetColumns: catalog, schema, table, column, ..., type (5), ..., nullable (10), remarks (11). */
const toColumn = (row: readonly Cell[]): Column => {
  const type = String(row[5]).toLowerCase()
  return {
    name: String(row[3]),
    type,
    kind: kindOfType(type),
    nullable: Number(row[10]) !== 0,
    comment: textOrNull(row[11]),
    profile: null,
  }
}

/** What DESCRIBE TABLE EXTENDED tells behind the columns: `Statistics: 1234 bytes, 5 rows`, and the text of a view. */
const describe = async (
  session: SparkSession,
  { schema, name }: Table,
  options: RunOptions,
): Promise<Pick<Table, 'rowCount' | 'definition'>> => {
  const full = [...(schema === null ? [] : [schema]), name].map(quoteSparkName).join('.')
  const facts = new Map(
    (await session.ask(`DESCRIBE TABLE EXTENDED ${full}`, options)).map(
      ([key, value]) => [String(key), textOrNull(value)] as const,
    ),
  )
  const rows = /(\d+) rows/.exec(facts.get('Statistics') ?? '')?.[1]
  const definition = facts.get('View Text') ?? null
  return {
    rowCount: rows === undefined ? null : Number(rows),
    ...(definition !== null && { definition }),
  }
}
