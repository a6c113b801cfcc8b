import { randomBytes, randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The password of the role that reads the sample company: made once, kept beside the server for its owner alone. It is
 * written whole before it gets its name, so that of two processes that start at once one wins and both agree.
 */
export const loadReaderPassword = async (folder: string): Promise<string> => {
  const file = join(folder, 'reader-password')
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, randomBytes(24).toString('base64url'), { mode: 0o600 })
  try {
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
  return (await readFile(file, 'utf8')).trim()
}
