import { DatabaseSync } from 'node:sqlite'
import { authorize } from './authorize.ts'

/** A single text or blob may have this many bytes; a row as well. */
const longestValue = 64 * 1024 * 1024
/** How long a read waits for a writer's lock. */
const busyMilliseconds = 2000

/**
 * Opens a file for reading, from inside a child. Double-quoted text counts as a string where no column bears the
 * name, as SQLite itself has it by default: a good part of the SQL that people write relies on it.
 */
export const openReadOnly = (file: string, options: { readonly guarded: boolean }): DatabaseSync => {
  const database = new DatabaseSync(file, {
    readOnly: true,
    allowExtension: false,
    enableDoubleQuotedStringLiterals: true,
    enableForeignKeyConstraints: false,
    defensive: true,
    timeout: busyMilliseconds,
    limits: { length: longestValue, attach: 0 },
  })
  // Functions with side effects cannot be called from the file's own views, and this reads the header:
  // opening alone succeeds on any file at all.
  database.exec('pragma trusted_schema = off; pragma query_only = on; pragma schema_version')
  if (options.guarded) database.setAuthorizer(authorize)
  return database
}
