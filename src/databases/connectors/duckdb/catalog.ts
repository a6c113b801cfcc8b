import { type DuckDBConnection, DuckDBListValue, type DuckDBValue } from '@duckdb/node-api'
import type { Catalog, Column, ForeignKey, Table } from '../../../domain/catalog.ts'
import { fingerprintCatalog, viewDefinition } from '../catalog.ts'
import { lexical } from './lexical.ts'
import type { OpenedSource } from './open.ts'
import { type DataSource, quoteText } from './source.ts'
import { declaredKind } from './values.ts'

/** Counting the rows of a CSV or JSON file reads all of it, which is quick enough up to this size. */
const countableFileBytes = 128 * 1024 * 1024

/** The schema whose tables need no schema in front of them. */
const plainSchema = 'main'

interface Relation {
  readonly schema: string
  readonly name: string
  readonly comment: string | null
  /** Of views, the statement that made them. */
  readonly statement: string | null
  /** True for a table with generated columns. */
  readonly generates: boolean
}

interface ListedColumn extends Column {
  readonly relation: string
  /** Its default, or the expression of a generated column: DuckDB lists both in one place. */
  readonly expression: string | null
}

interface Constraint {
  readonly schema: string
  readonly table: string
  readonly isPrimary: boolean
  readonly columns: readonly string[]
  readonly target: string | null
  readonly targetColumns: readonly string[]
}

type Ask = (sql: string) => Promise<readonly (readonly DuckDBValue[])[]>

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

const keyOf = (schema: string, name: string): string => JSON.stringify([schema, name])

const textOrNull = (value: DuckDBValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null

const texts = (value: DuckDBValue | undefined): readonly string[] =>
  value instanceof DuckDBListValue ? value.items.map(String) : []

const readRelations = async (ask: Ask, database: string): Promise<Relation[]> =>
  (
    await ask(
      `select schema_name, table_name, comment, null, contains(sql, 'GENERATED ALWAYS AS') from duckdb_tables()
       where database_name = ${quoteText(database)} and not internal
       union all select schema_name, view_name, comment, sql, false from duckdb_views()
       where database_name = ${quoteText(database)} and not internal order by 1, 2`,
    )
  ).map(([schema, name, comment, statement, generates]) => ({
    schema: String(schema),
    name: String(name),
    comment: textOrNull(comment),
    statement: textOrNull(statement),
    generates: generates === true,
  }))

const readColumns = async (ask: Ask, database: string): Promise<readonly ListedColumn[]> =>
  (
    await ask(
      `select schema_name, table_name, column_name, data_type, is_nullable, comment, column_default
       from duckdb_columns()
       where database_name = ${quoteText(database)} and not internal order by column_index`,
    )
  ).map(([schema, relation, name, type, nullable, comment, expression]) => ({
    relation: keyOf(String(schema), String(relation)),
    name: String(name),
    // The name that people and other databases use.
    type: type === 'VARCHAR' ? 'TEXT' : String(type),
    kind: declaredKind(String(type)),
    nullable: nullable === true,
    comment: textOrNull(comment),
    profile: null,
    expression: textOrNull(expression),
  }))

/** Macros, which are all that can be made of functions; those of another schema are only found with it. */
const readFunctions = async (ask: Ask): Promise<readonly string[]> =>
  (
    await ask(
      'select distinct schema_name, function_name from duckdb_functions() where not internal order by all',
    )
  ).map(([schema, name]) => (schema === plainSchema ? String(name) : `${schema}.${name}`))

/** Types with names of their own. Labels of an ENUM can be values of a table. */
const readTypes = async (ask: Ask): Promise<readonly string[]> =>
  (await ask('select distinct type_name from duckdb_types() where not internal order by all')).map(([name]) =>
    String(name),
  )

const readConstraints = async (ask: Ask, database: string): Promise<readonly Constraint[]> =>
  (
    await ask(
      `select schema_name, table_name, constraint_type, constraint_column_names, referenced_table,
         referenced_column_names
       from duckdb_constraints()
       where database_name = ${quoteText(database)} and constraint_type in ('PRIMARY KEY', 'FOREIGN KEY')
       order by table_name, constraint_index`,
    )
  ).map(([schema, table, type, columns, target, targetColumns]) => ({
    schema: String(schema),
    table: String(table),
    isPrimary: type === 'PRIMARY KEY',
    columns: texts(columns),
    target: textOrNull(target),
    targetColumns: texts(targetColumns),
  }))

/** Null if counting fails, for instance for a view that cannot be read. */
const countRows = async (ask: Ask, { schema, name }: Relation): Promise<number | null> => {
  try {
    return Number((await ask(`select count(*) from ${quote(schema)}.${quote(name)}`))[0]?.[0])
  } catch {
    return null
  }
}

/** Tables of a database file and Parquet files know their row count. Counting a user's own view can take long. */
const isCountable = (source: DataSource, relation: Relation): boolean => {
  if (source.kind === 'database') return relation.statement === null
  const file = source.files.find(({ table }) => table === relation.name)
  return file !== undefined && (file.format === 'parquet' || file.bytes <= countableFileBytes)
}

/** A key refers to a table of its own schema: DuckDB has no others. Null if one of the two cannot be read. */
const toForeignKey = (
  { schema, table, columns, target, targetColumns }: Constraint,
  nameOf: (schema: string, table: string) => string | undefined,
): ForeignKey | null => {
  const from = nameOf(schema, table)
  const to = target === null ? undefined : nameOf(schema, target)
  if (from === undefined || to === undefined) return null
  return {
    from: { table: from, columns },
    to: { table: to, columns: targetColumns },
    source: 'declared',
    inclusion: null,
  }
}

/** The schema whose tables need no schema comes first, so that plain names are theirs (`nameTables`). */
const plainFirst = (a: Relation, b: Relation): number =>
  Number(b.schema === plainSchema) - Number(a.schema === plainSchema)

/** Reads the catalog of what a child has opened. A data file counts as a table, although DuckDB has a view for it. */
export const introspect = async (
  { connection, database }: OpenedSource,
  source: DataSource,
): Promise<Catalog> => {
  const ask = makeAsk(connection)
  const [relations, columns, constraints, functions, types] = [
    await readRelations(ask, database),
    await readColumns(ask, database),
    await readConstraints(ask, database),
    await readFunctions(ask),
    await readTypes(ask),
  ]
  relations.sort(plainFirst)
  const columnsOf = Map.groupBy(columns, ({ relation }) => relation)
  const tables: Table[] = []
  const nameInKey = new Map<string, string>()
  const taken = new Set<string>()
  for (const relation of relations) {
    const { schema, name, statement } = relation
    const own = columnsOf.get(keyOf(schema, name)) ?? []
    if (own.length === 0) continue
    nameInKey.set(keyOf(schema, name), taken.has(name) ? `${schema}.${name}` : name)
    taken.add(name)
    const isView = source.kind === 'database' && statement !== null
    const definition = isView ? viewDefinition(statement, lexical) : null
    tables.push({
      schema: schema === plainSchema ? null : schema,
      name,
      type: isView ? 'view' : 'table',
      comment: relation.comment,
      rowCount: isCountable(source, relation) ? await countRows(ask, relation) : null,
      columns: own.map(({ relation: _, expression, ...column }) =>
        relation.generates && expression !== null ? { ...column, generatedFrom: expression } : column,
      ),
      primaryKey:
        constraints.find(one => one.isPrimary && one.schema === schema && one.table === name)?.columns ?? [],
      ...(definition !== null && { definition }),
    })
  }
  const catalog = {
    dialect: 'duckdb',
    tables,
    foreignKeys: constraints
      .filter(({ isPrimary }) => !isPrimary)
      .map(key => toForeignKey(key, (schema, table) => nameInKey.get(keyOf(schema, table))))
      .filter(key => key !== null),
    ...(functions.length > 0 && { functions }),
    ...(types.length > 0 && { types }),
  } as const
  return { ...catalog, fingerprint: fingerprintCatalog(catalog) }
}

const makeAsk =
  (connection: DuckDBConnection): Ask =>
  async sql =>
    (await connection.runAndReadAll(sql)).getRows()
