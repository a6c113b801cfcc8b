import { open, stat } from 'node:fs/promises'
import { extname, resolve } from 'node:path'

const duckdbEndings = new Set(['.duckdb', '.ddb', '.csv', '.tsv', '.parquet', '.json', '.jsonl', '.ndjson'])

/**
 * What somebody typed for a database as an address with a scheme: `~/shop.sqlite` becomes `sqlite:/home/ada/shop.sqlite`,
 * a folder or a file of data `duckdb:...`. A file that is not there is taken for what its name says; what has a scheme
 * already stays as it is.
 */
export const toAddress = async (
  typed: string,
  { baseFolder, home }: { readonly baseFolder: string; readonly home: string },
): Promise<string> => {
  if (/^[a-z][a-z0-9+.-]+:/i.test(typed)) return typed
  const path = resolve(baseFolder, typed.replace(/^~(?=\/|$)/, home))
  return `${await schemeOf(path)}:${path}`
}

const schemeOf = async (path: string): Promise<'sqlite' | 'duckdb'> => {
  try {
    if ((await stat(path)).isDirectory()) return 'duckdb'
    const handle = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(15), 0, 15, 0)
      if (buffer.toString('latin1', 0, bytesRead) === 'SQLite format 3') return 'sqlite'
    } finally {
      await handle.close()
    }
  } catch {
    // Opening it says what is wrong with it.
  }
  return duckdbEndings.has(extname(path).toLowerCase()) ? 'duckdb' : 'sqlite'
}
