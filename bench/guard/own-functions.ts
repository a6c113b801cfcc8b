import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'

/**
 * The functions that an embedded server of our version has, in lower case. A suite also tests functions of later
 * versions and of its own test builds. Null for a server that is not asked.
 */
export const ownFunctions = async (name: string): Promise<ReadonlySet<string> | null> => {
  if (name === 'duckdb') {
    const database = await DuckDBInstance.create(':memory:')
    const connection = await database.connect()
    const read = await connection.runAndReadAll(
      'SELECT DISTINCT lower(function_name) FROM duckdb_functions()',
    )
    const names = new Set(read.getRows().map(([one]) => String(one)))
    connection.closeSync()
    database.closeSync()
    return names
  }
  if (name === 'sqlite') {
    const database = new DatabaseSync(':memory:')
    const rows = database.prepare('SELECT DISTINCT lower(name) AS name FROM pragma_function_list').all()
    database.close()
    return new Set(rows.map(row => String(row.name)))
  }
  return null
}
