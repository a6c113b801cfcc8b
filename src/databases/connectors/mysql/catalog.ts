import type { Connection } from 'mysql2'
import type { Catalog, Column, ForeignKey, Table } from '../../../domain/catalog.ts'
import { sqlTokens } from '../../../sql/parse/sql-tokens.ts'
import { fingerprintCatalog } from '../catalog.ts'
import { runInternalQuery, type ServerFacts } from './server.ts'
import { declaredKind } from './values.ts'

/** Some servers store table names in lower case, but show them in keys as they were written. */
const fold = (name: string): string => name.toLowerCase()

const comment = (text: string): string | null => (text === '' ? null : text)

/** Zero can also mean that the rows were never counted. */
const rowCount = ({ type, estimate }: RelationRow): number | null =>
  type === 'VIEW' || estimate === null || estimate <= 0 ? null : estimate

const toColumn = (row: ColumnRow, isJson: boolean): Column => ({
  name: row.name,
  type: row.type,
  kind: isJson ? 'json' : declaredKind(row.type),
  nullable: row.nullable,
  comment: comment(row.comment),
  profile: null,
  ...(row.generatedFrom !== null && { generatedFrom: row.generatedFrom }),
})

/** Names in the table's spelling; null if one of the columns cannot be read. */
const spelled = (table: Table, names: readonly (string | null)[]): readonly string[] | null => {
  const found = names.map(name => table.columns.find(column => fold(column.name) === fold(name ?? ''))?.name)
  return found.every(name => name !== undefined) ? found : null
}

const toForeignKey = (parts: readonly KeyRow[], tables: readonly Table[]): ForeignKey | null => {
  const [first] = parts
  const find = (name: string): Table | undefined =>
    tables.find(table => table.name === name) ?? tables.find(table => fold(table.name) === fold(name))
  const from = first && find(first.relation)
  const to = first && find(first.target ?? '')
  if (from === undefined || to === undefined) return null
  const fromColumns = spelled(
    from,
    parts.map(part => part.column),
  )
  const toColumns = spelled(
    to,
    parts.map(part => part.targetColumn),
  )
  if (fromColumns === null || toColumns === null) return null
  return {
    from: { table: from.name, columns: fromColumns },
    to: { table: to.name, columns: toColumns },
    source: 'declared',
    inclusion: null,
  }
}

/** Reads what the role can SELECT in the one database that the address names. */
export const introspect = async (connection: Connection, facts: ServerFacts): Promise<Catalog> => {
  // One connection answers one query at a time anyway.
  const relations = await readRelations(connection)
  const columns = Map.groupBy(await readColumns(connection), row => row.relation)
  const keys = await readKeys(connection)
  const checks = facts.flavour === 'mariadb' ? await readJsonChecks(connection) : []
  const json = new Set(checks.map(([table, column]) => JSON.stringify([fold(table), fold(column)])))

  const toTable = (relation: RelationRow): Table => ({
    schema: null,
    home: relation.database,
    name: relation.name,
    type: relation.type === 'VIEW' ? 'view' : 'table',
    comment: comment(relation.comment),
    rowCount: rowCount(relation),
    columns: (columns.get(relation.name) ?? []).map(row =>
      toColumn(row, json.has(JSON.stringify([fold(row.relation), fold(row.name)]))),
    ),
    ...(relation.definition !== null && { definition: relation.definition }),
    primaryKey: keys.filter(key => key.isPrimary && key.relation === relation.name).map(key => key.column),
  })

  const tables = relations.filter(relation => columns.has(relation.name)).map(toTable)
  const foreign = Map.groupBy(
    keys.filter(key => key.target !== null),
    key => JSON.stringify([key.relation, key.key]),
  )
  const functions = await readFunctions(connection)
  const catalog = {
    dialect: 'mysql',
    tables,
    foreignKeys: [...foreign.values()].map(parts => toForeignKey(parts, tables)).filter(key => key !== null),
    ...(functions.length > 0 && { functions }),
  } as const
  return { ...catalog, fingerprint: fingerprintCatalog(catalog) }
}

/** A table or view. `estimate` is the engine's row count, which can be 40% off; null for a view. */
interface RelationRow {
  readonly name: string
  readonly type: string
  readonly comment: string
  readonly estimate: number | null
  /** A view's query with plain table names; null for tables, and for views whose query cannot be read. */
  readonly definition: string | null
  readonly database: string
}

interface ColumnRow {
  readonly relation: string
  readonly name: string
  /** In full: `decimal(10,2)`, `int(10) unsigned`, `enum('a','b')`. */
  readonly type: string
  readonly nullable: boolean
  readonly comment: string
  /** The expression of a generated column, or of a default that names other columns. */
  readonly generatedFrom: string | null
}

/** One column of a key. The columns of a key have the same key name and table, and come in order. */
interface KeyRow {
  readonly key: string
  readonly relation: string
  readonly column: string
  /** Null for a primary key, and for one that refers to another database. */
  readonly target: string | null
  readonly targetColumn: string | null
  readonly isPrimary: boolean
}

/** MariaDB lists sequences, which can be read like tables but are not. */
const readRelations = async (connection: Connection): Promise<readonly RelationRow[]> =>
  (
    await runInternalQuery<[string, string, string, number | string | null, string | null, string]>(
      connection,
      `select t.table_name, t.table_type, t.table_comment, t.table_rows, v.view_definition, t.table_schema
       from information_schema.tables t
         left join information_schema.views v on v.table_schema = t.table_schema and v.table_name = t.table_name
       where t.table_schema = database() and t.table_type in ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')
       order by t.table_name`,
    )
  ).map(([name, type, comment, estimate, query, database]) => ({
    name,
    type,
    comment: type === 'VIEW' ? '' : comment,
    estimate: estimate === null ? null : Number(estimate),
    definition: query === null ? null : unqualifyViewQuery(query, database),
    database,
  }))

/** Columns that the role can SELECT. A column can also be listed because of another privilege. */
const readColumns = async (connection: Connection): Promise<readonly ColumnRow[]> =>
  (
    await runInternalQuery<[string, string, string, string, string, string | null, string | null]>(
      connection,
      `select table_name, column_name, column_type, is_nullable, column_comment, generation_expression, column_default
       from information_schema.columns
       where table_schema = database() and find_in_set('select', lower(privileges)) > 0
       order by table_name, ordinal_position`,
    )
  ).map(([relation, name, type, nullable, comment, expression, whenLeftOut]) => ({
    relation,
    name,
    type,
    nullable: nullable === 'YES',
    comment,
    generatedFrom: expression || copiedByDefault(whenLeftOut),
  }))

/** A default that names other columns copies their values; the server puts names, and nothing else, in backquotes. */
const copiedByDefault = (expression: string | null): string | null =>
  expression?.includes('`') ? expression : null

/** Stored functions that the role can see, which are those that it can call. */
const readFunctions = async (connection: Connection): Promise<readonly string[]> =>
  (
    await runInternalQuery<[string]>(
      connection,
      `select routine_name from information_schema.routines
       where routine_schema = database() and routine_type = 'FUNCTION' order by routine_name`,
    )
  ).map(([name]) => name)

const readKeys = async (connection: Connection): Promise<readonly KeyRow[]> =>
  (
    await runInternalQuery<[string, string, string, string | null, string | null, string | null]>(
      connection,
      `select constraint_name, table_name, column_name, referenced_table_name, referenced_column_name,
         referenced_table_schema
       from information_schema.key_column_usage
       where table_schema = database()
         and (constraint_name = 'PRIMARY' or referenced_table_schema = database())
       order by table_name, constraint_name, ordinal_position`,
    )
  ).map(([key, relation, column, target, targetColumn]) => ({
    key,
    relation,
    column,
    target,
    targetColumn,
    isPrimary: key === 'PRIMARY' && target === null,
  }))

/**
 * MariaDB's JSON is LONGTEXT with a check: these are the `table` and `column` of each. MySQL has a JSON type, and
 * its view of checks names no table.
 */
const readJsonChecks = async (connection: Connection): Promise<readonly (readonly [string, string])[]> =>
  await runInternalQuery<[string, string]>(
    connection,
    `select table_name, constraint_name from information_schema.check_constraints
     where constraint_schema = database() and lower(check_clause) = concat('json_valid(\`', lower(constraint_name), '\`)')`,
  )

/**
 * A view's query with plain names for the tables of its own database, as in the catalog; the server writes
 * `shop`.`orders`.`id` throughout. Null if the role cannot see it (SHOW VIEW is a privilege of its own), if it
 * cannot be parsed, if it calls a stored function, or if an alias has the name of the database.
 */
export const unqualifyViewQuery = (query: string, database: string): string | null => {
  const cut = sqlTokens(query, 'mysql')
  if (query === '' || !cut.ok) return null
  const { tokens } = cut
  let plain = ''
  let at = 0
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'quoted' || token.value !== database) continue
    if (tokens[index - 1]?.text === '.') continue
    const dot = tokens[index + 1]
    if (dot?.text !== '.') return null
    // A stored function, which without its schema could be taken for a built-in one.
    if (tokens[index + 3]?.text === '(') return null
    plain += query.slice(at, token.start)
    at = dot.end
  }
  return plain + query.slice(at)
}
