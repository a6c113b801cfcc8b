import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'

/** Every row of every table of a database, as text: what somebody finds who has a copy of it. */
export const dumpStore = async (url: string): Promise<string> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: tables } = await client.query(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    const parts: string[] = []
    for (const { name } of tables) {
      const { rows } = await client.query(`select to_jsonb(t)::text as row, t::text as plain from ${name} t`)
      parts.push(...rows.map(({ row, plain }) => `${name} ${row} ${plain}`))
      // Bytes are hexadecimal in both; packed ones are looked into by the tests of what packs them.
      parts.push(...rows.map(({ plain }) => readBytes(plain)))
    }
    return parts.join('\n')
  } finally {
    await client.end()
  }
}

const readBytes = (row: string): string =>
  [...row.matchAll(/\\x([0-9a-f]+)/g)]
    .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('utf8'))
    .join(' ')

/** The text of all files under a folder, but of those with these names. */
export const readFolder = (folder: string, without: readonly string[] = []): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => !without.some(name => path.endsWith(name)))
    .map(path => join(folder, path))
    .filter(path => statSync(path).isFile())
    .map(path => readFileSync(path, 'latin1'))
    .join('\n')
