import type { Stats } from 'node:fs'
import { QuerentError } from '../../domain/errors.ts'

/**
 * Throws `QuerentError('unknown-database')` for what only looks like a file: opening a pipe waits for somebody who writes
 * to it, and a device may never end. Folders pass.
 */
export const refuseSpecialFile = (path: string, status: Stats): void => {
  if (status.isFile() || status.isDirectory()) return
  const kind = status.isFIFO() ? 'a pipe' : status.isSocket() ? 'a socket' : 'a device'
  throw new QuerentError(
    'unknown-database',
    `${path} is ${kind}, which cannot be read as a database. Write its data to a file, and give the path of that.`,
  )
}
