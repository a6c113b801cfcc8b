import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { serve } from '../child/serve.ts'
import { introspect } from './catalog.ts'
import { toChildError } from './errors.ts'
import { readRows } from './read-rows.ts'
import { authorize } from './safeguards.ts'

/**
 * The program that a SQLite connector forks: one file, one statement at a time, killed when one takes too long.
 * Arguments: the file, and the parent's pid.
 */
const [file = '', parentPid = ''] = process.argv.slice(2)

/** A single text or blob may have this many bytes; a row as well. */
const longestValue = 64 * 1024 * 1024

/** How long a read waits for a writer's lock. */
const busyMilliseconds = 2000

/**
 * Opens a file for reading, from inside a child. Double-quoted text counts as a string where no column bears the
 * name, as SQLite itself has it by default: a good part of the SQL that people write relies on it.
 */
const openReadOnly = (file: string, options: { readonly guarded: boolean }): DatabaseSync => {
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

await serve({
  open: () => {
    const database = openReadOnly(file, { guarded: true })
    return {
      run: (request, sendRows) => readRows(database, request, sendRows),
      introspect: () => {
        // A connection of its own: the one that runs statements may not read PRAGMAs.
        const unguarded = openReadOnly(file, { guarded: false })
        try {
          return introspect(unguarded, file)
        } finally {
          unguarded.close()
        }
      },
    }
  },
  toChildError,
  parentPid: Number(parentPid),
  maxResidentBytes: 1024 * 1024 * 1024,
})
