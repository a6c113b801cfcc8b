import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { QuerentError } from '../core/errors.ts'

/** The variables of a `.env` file, and the line that each stands on. */
export interface DotEnv {
  readonly values: Readonly<Record<string, string>>
  readonly lineOf: (name: string) => number
}

const emptyDotEnv: DotEnv = { values: {}, lineOf: () => 1 }

/** Reads `.env` in a folder; a file that is not there is the same as an empty one. */
export const readDotEnv = (folder: string): DotEnv => {
  const text = readIfThere(join(folder, '.env'))
  if (text === null) return emptyDotEnv
  const lines = text.split('\n')
  return {
    values: parseEnv(text) as Record<string, string>,
    lineOf: name => {
      // The last one counts, as it does for parseEnv.
      const at = lines.findLastIndex(line => new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(line))
      return Math.max(at, 0) + 1
    },
  }
}

const readIfThere = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new QuerentError('bad-configuration', `Cannot read ${path}; correct its rights, or remove it.`, {
      cause: error,
    })
  }
}
