import { createHash } from 'node:crypto'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { serve } from '../child/serve.ts'
import { introspect } from './catalog.ts'
import { toChildError } from './errors.ts'
import { readRows } from './read-rows.ts'
import { makeRtreeTables } from './rtree-tables.ts'
import { authorize } from './safeguards.ts'

/**
 * The program that a SQLite connector forks: one file, one statement at a time. It is killed if a statement takes
 * too long. Arguments: the file, and the parent's pid.
 */
const [file = '', parentPid = ''] = process.argv.slice(2)

/** The most bytes of a single text, blob or row. */
const longestValue = 64 * 1024 * 1024

/** How long a read waits for a writer's lock. */
const busyMilliseconds = 2000

/**
 * Opens a file for reading, inside a child. Double-quoted text counts as a string if no column has the name, as by
 * default in SQLite: much of the SQL that people write relies on it.
 */
const openReadOnly = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file, {
    readOnly: true,
    allowExtension: false,
    enableDoubleQuotedStringLiterals: true,
    enableForeignKeyConstraints: false,
    defensive: true,
    timeout: busyMilliseconds,
    limits: { length: longestValue, attach: 0 },
  })
  // Functions with side effects cannot be called from the file's own views. Setting this also reads the header:
  // opening alone succeeds on any file.
  database.exec('pragma trusted_schema = off; pragma query_only = on; pragma schema_version')
  // What masks call; the guard lets nobody else call it.
  database.function('querent_hash', { deterministic: true }, hashOf)
  return database
}

const hashOf = (value: unknown, inner: unknown, outer: unknown): string | null => {
  if (value === null) return null
  const hashed = (key: unknown, bytes: Uint8Array | string) =>
    createHash('sha256').update(String(key), 'hex').update(bytes)
  const bytes = value instanceof Uint8Array ? value : String(value)
  return hashed(outer, hashed(inner, bytes).digest()).digest('hex').slice(0, 16)
}

await serve({
  open: () => {
    const database = openReadOnly(file)
    const guardAgain = makeRtreeTables(database, () => database.setAuthorizer(authorize))
    guardAgain()
    return {
      run: (request, sendRows) => {
        guardAgain()
        return readRows(database, request, sendRows)
      },
      introspect: () => {
        // A separate connection: the one that runs statements cannot read PRAGMAs.
        const unguarded = openReadOnly(file)
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
  // Node's SQLite is built without limits of its own on memory.
  maxResidentBytes: 768 * 1024 * 1024,
})
