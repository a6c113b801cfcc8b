import type { Catalog, Column, ForeignKey, Table } from '../../../domain/catalog.ts'
import { SqlError } from '../../../domain/errors.ts'
import type { Cell } from '../../../domain/result.ts'
import { fingerprintCatalog, viewDefinition } from '../catalog.ts'
import { redshift } from './dialect.ts'
import { kindOfName } from './values.ts'

/** Reads the rows of a statement of our own, in a transaction of its own: an error would end one that they share. */
export type Ask = (sql: string) => Promise<readonly (readonly Cell[])[]>

type Rows = readonly (readonly Cell[])[]

const isOwnSchema = (name: string): boolean =>
  /^pg_|^(?:information_schema|catalog_history|sys)$|^(?:querent|pgboss)(?:_|$)/.test(name)

/** The tables behind materialized views. */
const isHidden = (name: string): boolean => /^mv_tbl__.*__\d+$/.test(name)

const keyOf = (schema: Cell | undefined, name: Cell | undefined): string => JSON.stringify([schema, name])

/** `{1,2}`, as the server writes an array. */
const elements = (text: Cell | undefined): readonly string[] =>
  String(text ?? '')
    .replace(/^\{|\}$/g, '')
    .split(',')
    .map(part => part.replace(/^"(.*)"$/, '$1'))
    .filter(part => part !== '')

/** What a role may not see, or a version does not have, costs nothing else. */
const askIfAllowed = async (ask: Ask, sql: string): Promise<Rows> => {
  try {
    return await ask(sql)
  } catch (error) {
    if (!(error instanceof SqlError) || ['connection', 'cancelled', 'timeout'].includes(error.errorClass))
      throw error
    return []
  }
}

/** Reads the tables and views of the database, external ones and late-binding views included. */
export const introspect = async (ask: Ask): Promise<Catalog> => {
  const [[path] = []] = await ask('select current_schemas(false)')
  const searched = elements(path)
  const relations = (
    await ask('select table_schema, table_name, table_type, remarks from svv_tables order by 1, 2')
  ).filter(([schema, name]) => !isOwnSchema(String(schema)) && !isHidden(String(name)))
  const columns = Map.groupBy(
    await ask(
      `select table_schema, table_name, column_name, data_type, is_nullable, character_maximum_length,
         numeric_precision, numeric_scale, remarks
       from svv_columns order by table_schema, table_name, ordinal_position`,
    ),
    ([schema, table]) => keyOf(schema, table),
  )
  const counts = await readCounts(ask)
  const definitions = await readDefinitions(ask)
  const keys = await readKeys(ask)

  const homeOf = (name: string): string | undefined =>
    searched.find(schema => relations.some(row => row[0] === schema && row[1] === name))
  const nameInKey = (schema: string, name: string): string =>
    homeOf(name) === schema ? name : `${schema}.${name}`

  const toTable = ([schema, name, type, remarks]: readonly Cell[]): readonly Table[] => {
    const own = columns.get(keyOf(schema, name))
    if (own === undefined) return []
    const isHome = homeOf(String(name)) === schema
    const definition = definitions.get(keyOf(schema, name))
    return [
      {
        schema: isHome ? null : String(schema),
        ...(isHome && schema !== 'public' && { home: String(schema) }),
        name: String(name),
        type: /view/i.test(String(type)) ? 'view' : 'table',
        comment: textOrNull(remarks),
        rowCount: counts.get(keyOf(schema, name)) ?? null,
        columns: own.map(toColumn),
        primaryKey: keys.find(key => key.kind === 'p' && key.from === keyOf(schema, name))?.columns ?? [],
        ...(definition !== undefined && { definition }),
      },
    ]
  }

  const tables = relations.flatMap(toTable)
  const known = new Set(relations.map(([schema, name]) => keyOf(schema, name)))
  const named = (key: string): string => nameInKey(...(JSON.parse(key) as [string, string]))
  const foreignKeys = keys
    .filter(key => key.kind === 'f' && known.has(key.from) && known.has(key.to))
    .map(
      (key): ForeignKey => ({
        from: { table: named(key.from), columns: key.columns },
        to: { table: named(key.to), columns: key.targets },
        source: 'declared',
        inclusion: null,
      }),
    )
  const catalog = { dialect: 'redshift', tables, foreignKeys } as const
  return { ...catalog, fingerprint: fingerprintCatalog(catalog) }
}

const textOrNull = (cell: Cell | undefined): string | null =>
  cell === null || cell === undefined || cell === '' ? null : String(cell)

const toColumn = ([, , name, type, nullable, length, precision, scale, remarks]: readonly Cell[]): Column => {
  const base = String(type)
  const size =
    /^char/.test(base) && Number(length) > 0
      ? `(${length})`
      : /^(?:numeric|decimal)$/.test(base) && Number(precision) > 0
        ? `(${precision},${scale ?? 0})`
        : ''
  return {
    name: String(name),
    type: `${base}${size}`,
    kind: kindOfName(base),
    // External columns say true or false.
    nullable: !/^(?:no|false)$/i.test(String(nullable)),
    comment: textOrNull(remarks),
    profile: null,
  }
}

/** Rows by the cluster's own count, which only some roles may see, and of external tables as their owner declared them. */
const readCounts = async (ask: Ask): Promise<ReadonlyMap<string, number>> => {
  const counted = await askIfAllowed(ask, 'select "schema", "table", tbl_rows from svv_table_info')
  const outside = await askIfAllowed(ask, 'select schemaname, tablename, parameters from svv_external_tables')
  return new Map([
    ...counted.map(([schema, table, rows]) => [keyOf(schema, table), Math.round(Number(rows))] as const),
    ...outside.flatMap(([schema, table, parameters]) => {
      const rows = /"numRows"\s*:\s*"?(\d+)/.exec(String(parameters))?.[1]
      return rows === undefined ? [] : [[keyOf(schema, table), Number(rows)] as const]
    }),
  ])
}

const readDefinitions = async (ask: Ask): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (await askIfAllowed(ask, 'select schemaname, viewname, definition from pg_views')).flatMap(
      ([schema, name, text]) => {
        if (typeof text !== 'string' || isOwnSchema(String(schema))) return []
        // A late-binding view and a materialized one are kept as the whole statement.
        const query = /^\s*create\b/i.test(text) ? viewDefinition(text, redshift.lexical) : text
        return query === null ? [] : [[keyOf(schema, name), query] as const]
      },
    ),
  )

interface Key {
  readonly kind: 'p' | 'f'
  readonly from: string
  readonly columns: readonly string[]
  readonly to: string
  readonly targets: readonly string[]
}

/** Keys that were declared. The server uses them to plan, but does not enforce them. */
const readKeys = async (ask: Ask): Promise<readonly Key[]> => {
  const keys = await askIfAllowed(
    ask,
    `select k.contype, k.conrelid, k.conkey, k.confrelid, k.confkey, n.nspname, c.relname
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
     where k.contype in ('p', 'f') order by n.nspname, c.relname, k.conname`,
  )
  if (keys.length === 0) return []
  const attributes = await askIfAllowed(
    ask,
    `select a.attrelid, a.attnum, a.attname, n.nspname, c.relname
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where a.attnum > 0 and c.oid in (select conrelid from pg_constraint union select confrelid from pg_constraint)`,
  )
  const names = new Map(attributes.map(([table, at, name]) => [`${table}.${at}`, String(name)]))
  const tables = new Map(attributes.map(([table, , , schema, name]) => [table, keyOf(schema, name)]))
  const namesAt = (table: Cell | undefined, places: Cell | undefined): readonly string[] =>
    elements(places).map(place => names.get(`${table}.${place}`) ?? '')
  return keys
    .map(([kind, table, places, target, targets]) => ({
      kind: kind === 'p' ? ('p' as const) : ('f' as const),
      from: tables.get(table ?? null) ?? '',
      columns: namesAt(table, places),
      to: tables.get(target ?? null) ?? '',
      targets: namesAt(target, targets),
    }))
    .filter(key => ![...key.columns, ...key.targets].includes(''))
}
