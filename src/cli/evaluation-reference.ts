import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { QuerentError } from '../core/errors.ts'

/** `DIR/<db_id>.sqlite`, or BIRD's `DIR/<db_id>/<db_id>.sqlite`, or a server's URL with the id in it. */
export const evaluationDatabaseReference = (databases: string, dbId: string, folder: string): string => {
  if (/^[a-z]+:\/\//i.test(databases)) {
    if (!databases.includes('{db_id}')) {
      throw new QuerentError('bad-arguments', '--databases needs {db_id} in its URL: postgres://HOST/{db_id}')
    }
    return databases.replaceAll('{db_id}', encodeURIComponent(dbId))
  }
  const base = resolve(folder, databases)
  const files = [join(base, `${dbId}.sqlite`), join(base, dbId, `${dbId}.sqlite`)]
  const found = files.find(file => existsSync(file))
  if (!found)
    throw new QuerentError(
      'bad-arguments',
      `no database for ${dbId}: neither ${files.join(' nor ')} is there`,
    )
  return `sqlite:${found}`
}
