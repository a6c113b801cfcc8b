import { constants, DatabaseSync } from 'node:sqlite'
import { scopedSchema } from './scope-catalog.ts'

/**
 * What SQLite reads of the scoped schema when it prepares a statement, as `table.column`. Throws where SQLite cannot
 * prepare it.
 */
export const watchReads = (): ((sql: string) => readonly string[]) => {
  const database = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: true })
  for (const statement of scopedSchema) database.exec(statement)
  let reads: string[] = []
  database.setAuthorizer((code, table, column) => {
    if (code === constants.SQLITE_READ) reads.push(`${table}.${column}`)
    return constants.SQLITE_OK
  })
  return sql => {
    reads = []
    database.prepare(sql)
    return reads
  }
}
