import process from 'node:process'
import { serve } from '../process/serve.ts'
import { introspect } from './introspect.ts'
import { openReadOnly } from './open-file.ts'
import { readRows } from './run-statement.ts'
import { toChildError } from './to-child-error.ts'

/**
 * The program that a SQLite connector forks: one file, one statement at a time, killed when one takes too long.
 * Arguments: the file, and the parent's pid.
 */
const [file = '', parentPid = ''] = process.argv.slice(2)

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
