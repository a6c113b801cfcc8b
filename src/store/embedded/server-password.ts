import { randomBytes, randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { QuerentError } from '../../core/errors.ts'

/**
 * The superuser's password, random and kept in a file that its owner alone reads, beside the data that it opens.
 * Made when there is no data yet; throws `store-unavailable` when there is data but the password is gone.
 */
export const readServerPassword = async (root: string, hasData: boolean): Promise<string> => {
  const file = join(root, 'password')
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
    if (hasData) {
      throw new QuerentError(
        'store-unavailable',
        `${file} is missing, and without it the data in ${root} cannot be opened; put it back, or remove ${root} to begin anew`,
        { cause },
      )
    }
  }
  const password = randomBytes(24).toString('base64url')
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, `${password}\n`, { mode: 0o600 })
  await rename(draft, file)
  return password
}
