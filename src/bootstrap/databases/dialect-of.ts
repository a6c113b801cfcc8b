import type { Config } from '../../config/config.ts'
import { parseDatabaseReference } from '../../databases/database-reference.ts'
import { parseDatabaseRef } from '../../domain/database.ts'
import type { Dialect } from '../../domain/sql.ts'

/** Finds the dialect of a database by its address, without opening it; null for one that has none. */
export const makeDialectOf =
  ({ databases, workingFolder }: Pick<Config, 'databases' | 'workingFolder'>) =>
  (ref: string): Dialect | null => {
    const { database } = parseDatabaseRef(ref)
    const url = Object.hasOwn(databases, database) ? databases[database]?.url.reveal() : undefined
    try {
      return parseDatabaseReference(url ?? database, { baseFolder: workingFolder }).dialect
    } catch {
      return null
    }
  }
