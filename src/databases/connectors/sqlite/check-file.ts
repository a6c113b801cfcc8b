import { open, stat } from 'node:fs/promises'
import { QuerentError } from '../../../core/errors.ts'

/** The first 16 bytes of every SQLite 3 file that is not empty (https://www.sqlite.org/fileformat.html). */
const signature = 'SQLite format 3\u0000'

const readStart = async (file: string): Promise<string> => {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'

/**
 * Says early and in words what SQLite would only say as "unable to open database file". Rejects with
 * `QuerentError`: `unknown-database` when there is no such database, `database-unreachable` when it may not be read.
 */
export const checkDatabaseFile = async (file: string): Promise<void> => {
  let start: string
  try {
    const status = await stat(file)
    if (status.isDirectory())
      throw new QuerentError(
        'unknown-database',
        `${file} is a folder. Give the path of one SQLite file in it.`,
      )
    start = await readStart(file)
  } catch (error) {
    if (error instanceof QuerentError) throw error
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new QuerentError(
        'unknown-database',
        `There is no file ${file}. Check the path; a relative one starts at the folder the command was typed in, and in querent.yml at that file.`,
        { cause: error },
      )
    throw new QuerentError(
      'database-unreachable',
      `${file} cannot be read (${code}). Check that the user this runs as may read it.`,
      { cause: error },
    )
  }
  if (start === '')
    throw new QuerentError('unknown-database', `${file} is empty: there is no database in it yet.`)
  if (start !== signature)
    throw new QuerentError(
      'unknown-database',
      `${file} is not a SQLite database (it does not begin with "SQLite format 3"). If it is encrypted, decrypt it first.`,
    )
}
