import { QuerentError } from '../../../core/errors.ts'
import type { ChildError } from '../process/wire.ts'
import { cleanDriverMessage } from '../scrub-message.ts'
import { toSqlError } from './error-class.ts'

/** In WAL mode even a reader needs the -shm file beside the database; SQLite makes it when it is not there. */
const walAdvice =
  'If it is in WAL mode, let this user write to its folder, or run PRAGMA journal_mode = delete on it once.'

/** What to do, by SQLite's primary result code. */
const advice: ReadonlyMap<number | null, string> = new Map([
  [5, 'Another program holds it locked: try again when that one is done.'],
  [8, walAdvice],
  [11, 'It is damaged: run PRAGMA integrity_check on it, or take a backup.'],
  [14, `Check that this user may read it. ${walAdvice}`],
  [26, 'It is not a SQLite database, or it is encrypted.'],
])

/** A file that is there but that SQLite cannot open, in words that say what to do. */
export const openError = (file: string, error: ChildError): QuerentError => {
  const primary = error.resultCode === null ? null : error.resultCode & 0xff
  return new QuerentError(
    'database-unreachable',
    `SQLite cannot open ${file}: ${cleanDriverMessage(error.message)}. ${advice.get(primary) ?? 'Check that this user may read it.'}`,
    { cause: toSqlError(error) },
  )
}
