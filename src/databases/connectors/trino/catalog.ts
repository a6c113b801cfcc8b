import type { Catalog, Column, Table } from '../../../domain/catalog.ts'
import type { RunOptions } from '../../../domain/database.ts'
import { SqlError } from '../../../domain/errors.ts'
import type { Cell } from '../../../domain/result.ts'
import { mapInParallel } from '../../../lib/concurrency.ts'
import { fingerprintCatalog } from '../catalog.ts'
import { quoteName, quoteText } from '../standard-sql.ts'
import type { TrinoAddress, TrinoPlace } from './address.ts'
import type { TrinoSession } from './session.ts'
import { kindOfType } from './values.ts'

/** Reads the rows of a statement of our own. */
type Ask = (sql: string) => Promise<readonly (readonly Cell[])[]>

const limits = { timeoutMs: 120_000, maxRows: 500_000, maxBytes: 256 * 1024 * 1024 }

/** Tables whose statistics are asked for: each takes a statement, which reads metadata alone. */
const mostCounted = 500

/** How many of those run at once. */
const countedAtOnce = 4

/** A name of Trino stands in double quotes; a schema with a point in it could not be told from one with its catalog. */
const isPlain = (name: string): boolean => !name.includes('.')

/** Reads the tables of the places that the address names, with their columns, comments and sizes. */
export const introspect = async (
  session: TrinoSession,
  address: TrinoAddress,
  options: Pick<RunOptions, 'signal'> = {},
): Promise<Catalog> => {
  const ask: Ask = async sql => (await session.run(sql, { ...limits, ...options })).rows
  const places = [...(address.home === null ? [] : [address.home]), ...address.others]
  const wanted = places.length > 0 ? places : await everyCatalog(ask)
  const found = new Map<string, Table>()
  for (const place of wanted)
    for (const table of await readPlace(ask, place, address.home)) {
      const key = JSON.stringify([table.schema, table.name])
      if (!found.has(key)) found.set(key, table)
    }
  const sized = await countRows(ask, [...found.values()], options.signal)
  const catalog = { dialect: 'trino', tables: sized, foreignKeys: [] } as const
  return { ...catalog, fingerprint: fingerprintCatalog(catalog) }
}

const everyCatalog = async (ask: Ask): Promise<readonly TrinoPlace[]> =>
  (await ask("SELECT catalog_name FROM system.metadata.catalogs WHERE catalog_name <> 'system' ORDER BY 1"))
    .map(([name]) => ({ catalog: String(name), schema: null }))
    .filter(({ catalog }) => isPlain(catalog))

/** The schema as statements write it: none for what is found without one, and its catalog where that is another. */
const schemaOf = (catalog: string, schema: string, home: TrinoPlace | null): string | null => {
  if (home?.catalog !== catalog) return `${catalog}.${schema}`
  return home.schema === schema ? null : schema
}

const readPlace = async (
  ask: Ask,
  { catalog, schema }: TrinoPlace,
  home: TrinoPlace | null,
): Promise<readonly Table[]> => {
  const within = [
    `table_cat = ${quoteText(catalog)}`,
    schema === null
      ? "table_schem NOT IN ('information_schema', 'pg_catalog')"
      : `table_schem = ${quoteText(schema)}`,
  ].join(' AND ')
  const relations = await ask(
    `SELECT table_schem, table_name, table_type, remarks FROM system.jdbc.tables WHERE ${within} ORDER BY 1, 2`,
  )
  const columns = Map.groupBy(
    await ask(
      `SELECT table_schem, table_name, column_name, type_name, is_nullable, remarks FROM system.jdbc.columns
       WHERE ${within} ORDER BY 1, 2, ordinal_position`,
    ),
    ([schemaName, table]) => JSON.stringify([schemaName, table]),
  )
  const definitions = await readDefinitions(ask, catalog, schema)
  return relations.flatMap(([schemaName, name, type, comment]): readonly Table[] => {
    const own = columns.get(JSON.stringify([schemaName, name]))
    if (own === undefined || !isPlain(String(schemaName)) || !isPlain(catalog)) return []
    const definition = definitions.get(JSON.stringify([schemaName, name]))
    const written = schemaOf(catalog, String(schemaName), home)
    return [
      {
        schema: written,
        ...(written === null && { home: String(schemaName) }),
        name: String(name),
        type: /view/i.test(String(type)) ? 'view' : 'table',
        comment: textOrNull(comment),
        rowCount: null,
        columns: own.map(toColumn),
        primaryKey: [],
        ...(definition !== undefined && { definition }),
      },
    ]
  })
}

const toColumn = ([, , name, type, nullable, comment]: readonly Cell[]): Column => ({
  name: String(name),
  type: String(type),
  kind: kindOfType(String(type)),
  nullable: nullable !== 'NO',
  comment: textOrNull(comment),
  profile: null,
})

const textOrNull = (cell: Cell | undefined): string | null =>
  cell === null || cell === undefined || cell === '' ? null : String(cell)

/** Views by schema and name. A catalog that has none, or does not show them, costs nothing else. */
const readDefinitions = async (
  ask: Ask,
  catalog: string,
  schema: string | null,
): Promise<ReadonlyMap<string, string>> => {
  const within = schema === null ? '' : ` WHERE table_schema = ${quoteText(schema)}`
  try {
    const rows = await ask(
      `SELECT table_schema, table_name, view_definition FROM ${quoteName(catalog)}.information_schema.views${within}`,
    )
    return new Map(
      rows.flatMap(([schemaName, name, text]) =>
        typeof text === 'string' ? [[JSON.stringify([schemaName, name]), text] as const] : [],
      ),
    )
  } catch (error) {
    if (error instanceof SqlError && error.errorClass === 'other') return new Map()
    throw error
  }
}

/** Row counts of the statistics that the catalogs keep. No table is read for them. */
const countRows = async (
  ask: Ask,
  tables: readonly Table[],
  signal: AbortSignal | undefined,
): Promise<readonly Table[]> => {
  const counts = new Map<Table, number>()
  const counted = tables.filter(({ type }) => type === 'table').slice(0, mostCounted)
  await mapInParallel(counted, countedAtOnce, async table => {
    try {
      const rows = await ask(`SHOW STATS FOR ${referenceOf(table)}`)
      const total = rows.find(([column]) => column === null)?.[4]
      if (typeof total === 'number' && total >= 0) counts.set(table, Math.round(total))
    } catch (error) {
      if (signal?.aborted || !(error instanceof SqlError) || error.errorClass === 'connection') throw error
    }
  })
  return tables.map(table => ({ ...table, rowCount: counts.get(table) ?? null }))
}

const referenceOf = ({ schema, name }: Table): string =>
  [...(schema === null ? [] : schema.split('.')), name].map(quoteName).join('.')
