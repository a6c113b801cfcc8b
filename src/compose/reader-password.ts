import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The password of the role that reads the sample company: made once, kept beside the server for its owner alone.
 * Two processes that start at once agree, because only one of them can create the file.
 */
export const readerPassword = async (folder: string): Promise<string> => {
  const file = join(folder, 'reader-password')
  const made = randomBytes(24).toString('base64url')
  try {
    await writeFile(file, made, { mode: 0o600, flag: 'wx' })
    return made
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return (await readFile(file, 'utf8')).trim()
  }
}
