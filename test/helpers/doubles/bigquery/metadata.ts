import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'
import { type Field, fieldOf } from './encode.ts'
import { ServiceError } from './errors.ts'

const listOf = (value: DuckDBValue | undefined): readonly string[] =>
  ((value as unknown as { items?: readonly DuckDBValue[] } | null)?.items ?? []).map(String)

/** Lists and descriptions of tables, from the catalog of DuckDB. */
export const makeMetadata = (connection: DuckDBConnection, project: string) => {
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRows()

  const referenceOf = (tableId: string) => ({ projectId: project, datasetId: 'harbor', tableId })

  const describe = async (name: string): Promise<unknown> => {
    const [kind] = await rows(
      `SELECT 'TABLE', estimated_size, NULL, comment FROM duckdb_tables() WHERE table_name = '${name}'
       UNION ALL SELECT 'VIEW', NULL, sql, comment FROM duckdb_views() WHERE view_name = '${name}'`,
    )
    if (kind === undefined)
      throw new ServiceError(404, 'notFound', `Not found: Table ${project}:harbor.${name}`)
    const [type, size, query, comment] = kind
    const required = new Map(
      (await rows(`SELECT column_name, is_nullable FROM duckdb_columns() WHERE table_name = '${name}'`)).map(
        ([column, nullable]) => [String(column), nullable === false] as const,
      ),
    )
    const empty = await connection.runAndReadAll(`SELECT * FROM harbor."${name}" LIMIT 0`)
    const types = empty.columnTypes()
    const fields: readonly Field[] = empty.columnNames().map((column, at) => {
      const field = fieldOf(column, types[at]!)
      return required.get(column) === true ? { ...field, mode: 'REQUIRED' } : field
    })
    const constraints = await rows(
      `SELECT constraint_type, constraint_column_names, referenced_table, referenced_column_names
       FROM duckdb_constraints() WHERE table_name = '${name}'`,
    )
    const primary = constraints.find(([kind]) => kind === 'PRIMARY KEY')
    const foreign = constraints.filter(([kind]) => kind === 'FOREIGN KEY')
    return {
      tableReference: referenceOf(name),
      type,
      schema: { fields },
      ...(comment !== null && { description: String(comment) }),
      ...(type === 'TABLE'
        ? { numRows: String(size) }
        : { view: { query: String(query), useLegacySql: false } }),
      tableConstraints: {
        ...(primary && { primaryKey: { columns: listOf(primary[1]) } }),
        foreignKeys: foreign.map(([, columns, table, referenced]) => ({
          referencedTable: referenceOf(String(table)),
          columnReferences: listOf(columns).map((column, at) => ({
            referencingColumn: column,
            referencedColumn: listOf(referenced)[at],
          })),
        })),
      },
    }
  }

  return async (path: string, query: URLSearchParams): Promise<unknown> => {
    if (path === '/datasets')
      return { datasets: [{ datasetReference: { projectId: project, datasetId: 'harbor' } }] }
    if (path === '/datasets/harbor/tables') {
      const names = await rows(
        `SELECT table_name FROM information_schema.tables WHERE table_schema = 'harbor' ORDER BY 1`,
      )
      // Two a page, so that pages have to be turned.
      const from = Number(query.get('pageToken') ?? 0)
      return {
        tables: names.slice(from, from + 2).map(([name]) => ({ tableReference: referenceOf(String(name)) })),
        ...(from + 2 < names.length && { nextPageToken: String(from + 2) }),
      }
    }
    const table = /^\/datasets\/harbor\/tables\/(\w+)$/.exec(path)?.[1]
    if (table === undefined) throw new ServiceError(404, 'notFound', `The double knows no GET ${path}.`)
    return describe(table)
  }
}
