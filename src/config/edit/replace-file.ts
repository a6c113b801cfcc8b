import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { QuerentError } from '../../core/errors.ts'

/** The text of a file; null where there is none. Throws `QuerentError('bad-configuration')` where it may not be read. */
export const readFileIfThere = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new QuerentError('bad-configuration', `Cannot read ${path}; correct its rights, or remove it.`, {
      cause: error,
    })
  }
}

/**
 * Puts a file in the place of another, whole or not at all, with these rights (`0o600`: for its owner alone). Throws
 * `QuerentError('bad-configuration')` where it may not be written; what was there is there still.
 */
export const replaceFile = async (path: string, text: string, mode: number): Promise<void> => {
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, text, { mode, flag: 'wx' })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw new QuerentError(
      'bad-configuration',
      `Cannot write ${path} (${(error as NodeJS.ErrnoException).code}); correct the rights of its folder, and try again.`,
      { cause: error },
    )
  }
}
