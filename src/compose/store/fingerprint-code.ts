import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The parts of this project that answers come of: code, prompts and trained models. */
const answeringFolders = ['graphs', 'prompts', 'src'].map(folder =>
  join(import.meta.dirname, '../../..', folder),
)

/**
 * One word for the version of Querent that runs: every file of it. A number somewhere would be as good as whoever raises
 * it, and a prompt is changed without one. Rejects where a file cannot be read.
 */
export const fingerprintCode = async (folders: readonly string[] = answeringFolders): Promise<string> => {
  const hash = createHash('sha256')
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
    for (const path of paths.sort()) {
      const text = await readFile(path)
      // With its name and its length, so that what moves from one file into the next is seen.
      hash.update(JSON.stringify([path.slice(folder.length), text.length])).update(text)
    }
  }
  return hash.digest('base64url')
}
