import type { Catalog, Column, ForeignKey, Table } from '../../../domain/catalog.ts'
import { nameTables } from '../../../domain/catalog.ts'
import type { RunOptions } from '../../../domain/database.ts'
import { SqlError } from '../../../domain/errors.ts'
import type { Cell } from '../../../domain/result.ts'
import { fingerprintCatalog } from '../catalog.ts'
import { foldAscii, quoteName, quoteText } from '../standard-sql.ts'
import type { SnowflakeAddress, SnowflakePlace } from './address.ts'
import type { SnowflakeSession } from './session.ts'
import { kindOfType } from './values.ts'

/** Reads the rows of a statement of our own, by the names of their columns in lower case. */
type Ask = (sql: string) => Promise<readonly Readonly<Record<string, Cell>>[]>

const limits = { timeoutMs: 120_000, maxRows: 500_000, maxBytes: 256 * 1024 * 1024 }

/** Where a table or key is, as one text. */
const at = (...parts: readonly (Cell | undefined)[]): string => JSON.stringify(parts.map(String))

/** Reads the tables of the places that the address names, with their columns, comments, sizes and declared keys. */
export const introspect = async (
  session: SnowflakeSession,
  { home, others }: SnowflakeAddress,
  options: Pick<RunOptions, 'signal'> = {},
): Promise<Catalog> => {
  const ask: Ask = async sql => {
    const { columns, rows } = await session.ask(sql, { ...limits, ...options })
    const names = columns.map(({ name }) => name.toLowerCase())
    return rows.map(row => Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])))
  }
  const found = new Map<string, Table>()
  const keys: Key[] = []
  for (const place of [home, ...others]) {
    for (const [key, table] of await readPlace(ask, place, home)) if (!found.has(key)) found.set(key, table)
    keys.push(...(await readKeys(ask, place)))
  }
  const tables = new Map(withoutTwins([...found], ([, { schema, name }]) => at(schema, foldAscii(name))))
  const catalog = { dialect: 'snowflake', ...withKeys(keys, tables) } as const
  return { ...catalog, fingerprint: fingerprintCatalog(catalog) }
}

/**
 * Without names that differ from another only by case: which of them a statement means depends on its quotes, and lists
 * of tables and columns compare without them.
 */
const withoutTwins = <Named>(items: readonly Named[], fold: (item: Named) => string): readonly Named[] =>
  [...Map.groupBy(items, fold).values()].flatMap(same => (same.length === 1 ? same : []))

/** The schema as statements write it: none for what is found without one, and its database where that is another. */
const schemaOf = (database: string, schema: string, home: SnowflakePlace): string | null => {
  if (home.database !== database) return `${database}.${schema}`
  return home.schema === schema ? null : schema
}

/** A name with a point in it could not be told from one with its schema. */
const isPlain = (name: string): boolean => !name.includes('.')

const readPlace = async (
  ask: Ask,
  { database, schema }: SnowflakePlace,
  home: SnowflakePlace,
): Promise<readonly (readonly [string, Table])[]> => {
  const from = `${quoteName(database)}.INFORMATION_SCHEMA`
  const within =
    schema === null ? "TABLE_SCHEMA <> 'INFORMATION_SCHEMA'" : `TABLE_SCHEMA = ${quoteText(schema)}`
  const relations = await ask(
    `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, ROW_COUNT, COMMENT FROM ${from}.TABLES WHERE ${within} ORDER BY 1, 2`,
  )
  const columns = Map.groupBy(
    await ask(
      `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, DATA_TYPE, NUMERIC_PRECISION, NUMERIC_SCALE, IS_NULLABLE, COMMENT
       FROM ${from}.COLUMNS WHERE ${within} ORDER BY 1, 2, ORDINAL_POSITION`,
    ),
    row => at(row.table_schema, row.table_name),
  )
  const views = await ask(
    `SELECT TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION FROM ${from}.VIEWS WHERE ${within}`,
  )
  const definitions = new Map(
    views.map(row => [at(row.table_schema, row.table_name), textOrNull(row.view_definition)]),
  )
  return relations.flatMap((row): readonly (readonly [string, Table])[] => {
    const name = String(row.table_name)
    const place = at(row.table_schema, name)
    const own = columns.get(place)
    if (own === undefined || ![database, String(row.table_schema), name].every(isPlain)) return []
    const written = schemaOf(database, String(row.table_schema), home)
    const definition = queryOf(definitions.get(place) ?? null)
    const table: Table = {
      schema: written,
      ...(written === null && { home: String(row.table_schema) }),
      name,
      type: /view/i.test(String(row.table_type)) ? 'view' : 'table',
      comment: textOrNull(row.comment),
      rowCount: row.row_count === null ? null : Number(row.row_count),
      columns: withoutTwins(own.map(toColumn), column => foldAscii(column.name)),
      primaryKey: [],
      ...(definition !== null && { definition }),
    }
    return [[at(database, row.table_schema, name), table]]
  })
}

const toColumn = (row: Readonly<Record<string, Cell>>): Column => {
  const declared = String(row.data_type)
  const type =
    declared === 'NUMBER' && row.numeric_precision !== null
      ? `NUMBER(${row.numeric_precision},${row.numeric_scale ?? 0})`
      : declared
  return {
    name: String(row.column_name),
    type,
    kind: kindOfType(type),
    nullable: row.is_nullable !== 'NO',
    comment: textOrNull(row.comment),
    profile: null,
  }
}

const textOrNull = (cell: Cell | undefined): string | null =>
  cell === null || cell === undefined || cell === '' ? null : String(cell)

/** Snowflake keeps the statement that made a view; a secure view shows none to others. */
const queryOf = (statement: string | null): string | null =>
  statement === null ? null : (/\bas\s+((?:with|select|\()[\s\S]*?);?\s*$/i.exec(statement)?.[1] ?? null)

/** One column of a declared key. */
interface Key {
  readonly name: string
  /** Where it is, and for a foreign key where it leads. */
  readonly table: string
  readonly column: string
  readonly to: { readonly table: string; readonly column: string } | null
  readonly place: number
}

/** Declared keys, which Snowflake does not enforce. None if the role may not see them. */
const readKeys = async (ask: Ask, { database, schema }: SnowflakePlace): Promise<readonly Key[]> => {
  const within =
    schema === null ? `DATABASE ${quoteName(database)}` : `SCHEMA ${quoteName(database)}.${quoteName(schema)}`
  try {
    const primary = await ask(`SHOW PRIMARY KEYS IN ${within}`)
    const imported = await ask(`SHOW IMPORTED KEYS IN ${within}`)
    return [
      ...primary.map(row => ({
        name: String(row.constraint_name),
        table: at(row.database_name, row.schema_name, row.table_name),
        column: String(row.column_name),
        to: null,
        place: Number(row.key_sequence),
      })),
      ...imported.map(row => ({
        name: String(row.fk_name),
        table: at(row.fk_database_name, row.fk_schema_name, row.fk_table_name),
        column: String(row.fk_column_name),
        to: {
          table: at(row.pk_database_name, row.pk_schema_name, row.pk_table_name),
          column: String(row.pk_column_name),
        },
        place: Number(row.key_sequence),
      })),
    ]
  } catch (error) {
    if (error instanceof SqlError && /^(?:permission|unknown-table|other)$/.test(error.errorClass)) return []
    throw error
  }
}

/** Puts primary keys into their tables, and gives the foreign keys between tables that are known. */
const withKeys = (
  keys: readonly Key[],
  found: ReadonlyMap<string, Table>,
): Pick<Catalog, 'tables' | 'foreignKeys'> => {
  const inOrder = keys.toSorted((a, b) => a.place - b.place)
  const primary = Map.groupBy(
    inOrder.filter(({ to }) => to === null),
    ({ table }) => table,
  )
  const tables = new Map(
    [...found].map(([place, table]) => [
      place,
      { ...table, primaryKey: (primary.get(place) ?? []).map(({ column }) => column) },
    ]),
  )
  const names = nameTables({ tables: [...tables.values()] })
  const nameAt = (place: string): string | undefined => {
    const table = tables.get(place)
    return table && names.get(table)
  }
  const grouped = Map.groupBy(
    inOrder.filter(({ to }) => to !== null),
    ({ name, table, to }) => at(table, name, to?.table),
  )
  const foreignKeys = [...grouped.values()].flatMap((parts): readonly ForeignKey[] => {
    const [first] = parts
    const [from, to] = [nameAt(first?.table ?? ''), nameAt(first?.to?.table ?? '')]
    if (from === undefined || to === undefined) return []
    return [
      {
        from: { table: from, columns: parts.map(({ column }) => column) },
        to: { table: to, columns: parts.map(part => part.to?.column ?? '') },
        source: 'declared',
        inclusion: null,
      },
    ]
  })
  return { tables: [...tables.values()], foreignKeys }
}
