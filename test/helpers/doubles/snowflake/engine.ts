import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { type EncodedColumn, encodeColumn, encodeValue } from './encode.ts'
import { type Failure, failureOf } from './failures.ts'
import { translate } from './translate.ts'

/** What a statement came to. */
export type Outcome =
  | {
      readonly state: 'done'
      readonly columns: readonly EncodedColumn[]
      readonly rows: readonly (string | null)[][]
    }
  | { readonly state: 'failed'; readonly failure: Failure }

/** A statement that runs. */
export interface Running {
  readonly outcome: Promise<Outcome>
  /** Ends it. The outcome is a failure then. */
  readonly stop: () => void
}

/** A database of Snowflake's that DuckDB keeps in memory. */
export interface Engine {
  /** Runs Snowflake's SQL. At most `maxRows` rows are kept. */
  readonly run: (statement: string, maxRows: number) => Promise<Running>
  /** Runs DuckDB's SQL, to make tables. */
  readonly admin: (sql: string) => Promise<void>
  readonly close: () => void
}

const type = (of: string): string => `CASE
  WHEN ${of} LIKE 'DECIMAL%' OR ${of} IN ('INTEGER', 'BIGINT', 'HUGEINT') THEN 'NUMBER'
  WHEN ${of} = 'VARCHAR' THEN 'TEXT' WHEN ${of} = 'TIMESTAMP' THEN 'TIMESTAMP_NTZ'
  WHEN ${of} = 'TIMESTAMP WITH TIME ZONE' THEN 'TIMESTAMP_LTZ' WHEN ${of} = 'DOUBLE' THEN 'FLOAT'
  WHEN ${of} = 'JSON' THEN 'VARIANT' ELSE ${of} END`

const isWhole = "data_type IN ('INTEGER', 'BIGINT', 'HUGEINT')"

/** Snowflake's catalogs over DuckDB's, and functions of Snowflake that DuckDB calls otherwise. */
const own = [
  'CREATE SCHEMA memory."SNOW"',
  `CREATE VIEW memory."SNOW"."TABLES" AS
    SELECT database_name AS "TABLE_CATALOG", schema_name AS "TABLE_SCHEMA", table_name AS "TABLE_NAME",
      'BASE TABLE' AS "TABLE_TYPE", estimated_size AS "ROW_COUNT", comment AS "COMMENT" FROM duckdb_tables()
    UNION ALL SELECT database_name, schema_name, view_name, 'VIEW', NULL, comment FROM duckdb_views() WHERE NOT internal`,
  `CREATE VIEW memory."SNOW"."COLUMNS" AS
    SELECT database_name AS "TABLE_CATALOG", schema_name AS "TABLE_SCHEMA", table_name AS "TABLE_NAME",
      column_name AS "COLUMN_NAME", ${type('data_type')} AS "DATA_TYPE",
      CASE WHEN ${isWhole} THEN 38 WHEN data_type LIKE 'DECIMAL%' THEN numeric_precision END AS "NUMERIC_PRECISION",
      CASE WHEN ${isWhole} THEN 0 WHEN data_type LIKE 'DECIMAL%' THEN numeric_scale END AS "NUMERIC_SCALE",
      CASE WHEN is_nullable THEN 'YES' ELSE 'NO' END AS "IS_NULLABLE", comment AS "COMMENT",
      column_index AS "ORDINAL_POSITION" FROM duckdb_columns()`,
  `CREATE VIEW memory."SNOW"."VIEWS" AS
    SELECT database_name AS "TABLE_CATALOG", schema_name AS "TABLE_SCHEMA", view_name AS "TABLE_NAME",
      sql AS "VIEW_DEFINITION" FROM duckdb_views() WHERE NOT internal`,
  `CREATE VIEW memory."SNOW"."PRIMARY_KEYS" AS
    SELECT database_name, schema_name, table_name, unnest(constraint_column_names) AS column_name,
      generate_subscripts(constraint_column_names, 1) AS key_sequence, constraint_name
    FROM duckdb_constraints() WHERE constraint_type = 'PRIMARY KEY'`,
  `CREATE VIEW memory."SNOW"."IMPORTED_KEYS" AS
    SELECT database_name AS pk_database_name, schema_name AS pk_schema_name, referenced_table AS pk_table_name,
      unnest(referenced_column_names) AS pk_column_name, database_name AS fk_database_name,
      schema_name AS fk_schema_name, table_name AS fk_table_name, unnest(constraint_column_names) AS fk_column_name,
      generate_subscripts(constraint_column_names, 1) AS key_sequence, constraint_name AS fk_name
    FROM duckdb_constraints() WHERE constraint_type = 'FOREIGN KEY'`,
  'CREATE MACRO memory.main.PARSE_JSON(x) AS CAST(x AS JSON)',
  'CREATE MACRO memory.main.TO_BINARY(x) AS unhex(x)',
]

/** The tables that a plan of DuckDB scans. */
const scansIn = (node: unknown): readonly string[] => {
  if (Array.isArray(node)) return node.flatMap(scansIn)
  if (typeof node !== 'object' || node === null) return []
  const { extra_info: info, children } = node as { extra_info?: { Table?: string }; children?: unknown }
  return [...(info?.Table === undefined ? [] : [info.Table]), ...scansIn(children ?? [])]
}

/** A plan as EXPLAIN USING JSON writes it: one column, with the partitions of each table that is read. */
const planOf = (duckdbPlan: string, database: string): Outcome => {
  const scans = scansIn(JSON.parse(duckdbPlan)).map((table, index) => ({
    id: index + 1,
    operation: 'TableScan',
    objects: [`${database}.PUBLIC.${table.split('.').at(-1)?.replaceAll('"', '')}`],
    partitionsTotal: 1,
    partitionsAssigned: 1,
    bytesAssigned: 1024,
  }))
  const plan = {
    GlobalStats: {
      partitionsTotal: scans.length,
      partitionsAssigned: scans.length,
      bytesAssigned: 1024 * scans.length,
    },
    Operations: [[{ id: 0, operation: 'Result' }, ...scans]],
  }
  const column = { name: 'content', type: 'text', nullable: true, precision: null, scale: null, length: null }
  return { state: 'done', columns: [column], rows: [[JSON.stringify(plan)]] }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const collect = async (
  connection: DuckDBConnection,
  { statement, maxRows, database }: { statement: string; maxRows: number; database: string },
  isStopped: () => boolean,
): Promise<Outcome> => {
  const { sql, kind } = translate(statement)
  const result = await connection.stream(sql)
  const types = result.columnTypes()
  const columns =
    kind === 'plan' ? [] : result.columnNames().map((name, at) => encodeColumn(name, types[at]!))
  const rows: (string | null)[][] = []
  while (rows.length < maxRows && !isStopped()) {
    const chunk = await result.fetchChunk()
    if (chunk === null || chunk.rowCount === 0) break
    for (const row of chunk.getRows().slice(0, maxRows - rows.length)) rows.push(row.map(encodeValue))
  }
  return kind === 'plan' ? planOf(rows[0]?.[1] ?? '[]', database) : { state: 'done', columns, rows }
}

/** Opens a database with a schema called PUBLIC. */
export const openEngine = async (database: string): Promise<Engine> => {
  const instance = await DuckDBInstance.create(':memory:')
  const admin = await instance.connect()
  await admin.run(`ATTACH ':memory:' AS "${database}"`)
  await admin.run(`CREATE SCHEMA "${database}"."PUBLIC"`)
  for (const sql of own) await admin.run(sql)
  await admin.run(`USE "${database}"."PUBLIC"`)
  return {
    run: async (statement, maxRows) => {
      const connection = await instance.connect()
      await connection.run(`SET search_path = '"${database}"."PUBLIC",memory.main'`)
      let isStopped = false
      let interrupting: NodeJS.Timeout | undefined
      const outcome = collect(connection, { statement, maxRows, database }, () => isStopped)
        .catch((error: unknown): Outcome => ({ state: 'failed', failure: failureOf(wordsOf(error)) }))
        .finally(() => {
          clearInterval(interrupting)
          connection.disconnectSync()
        })
      return {
        outcome,
        stop: () => {
          if (isStopped) return
          isStopped = true
          connection.interrupt()
          // An interrupt is lost on a statement that has not begun to run.
          interrupting = setInterval(() => connection.interrupt(), 20)
        },
      }
    },
    admin: async sql => {
      await admin.run(sql)
    },
    close: () => {
      admin.disconnectSync()
      instance.closeSync()
    },
  }
}
