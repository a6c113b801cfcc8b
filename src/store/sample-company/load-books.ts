import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Client, escapeIdentifier } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { encodeCopy } from './encode-copy.ts'
import { renderReaderGrants } from './reader-role.ts'
import { renderKeysAndComments, renderTables } from './render-ddl.ts'
import type { SampleRows, SampleSchema } from './sample-data.ts'

/** `done` of `total` tables are loaded; `table` is the last of them. */
export interface SampleProgress {
  readonly table: string
  readonly done: number
  readonly total: number
}

interface Books {
  readonly schema: SampleSchema
  readonly rows: Iterable<SampleRows>
  readonly readerRole: string
  readonly onProgress?: ((progress: SampleProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

const draft = 'building'

/**
 * Fills the database of `client` with new books in one transaction, which ends by giving their schema the name
 * `public`. Readers see the old books or the new ones and are never disconnected: a statement under way finishes on
 * the tables it began with. The old schema is left under the name returned, out of the reader's reach.
 */
export const loadTables = async (client: Client, books: Books): Promise<string> => {
  const { schema, rows, readerRole, onProgress, signal } = books
  const outgoing = `${outgoingPrefix}${Date.now().toString(36)}`
  await client.query('begin')
  try {
    await client.query(`create schema ${draft}; set local search_path to ${draft}`)
    await client.query(renderTables(schema).join(';\n'))
    let done = 0
    for (const { table, rows: tableRows } of rows) {
      // FREEZE: also transactions that began earlier see the rows, and no vacuum has to visit them again.
      const copy = client.query(copyFrom(`copy ${escapeIdentifier(table)} from stdin with (freeze)`))
      await pipeline(Readable.from(encodeCopy(tableRows)), copy, signal ? { signal } : {})
      onProgress?.({ table, done: ++done, total: schema.tables.length })
    }
    await client.query(renderKeysAndComments(schema).join(';\n'))
    await client.query(renderReaderGrants(readerRole, draft).join(';\n'))
    await client.query(schema.tables.map(({ name }) => `analyze ${escapeIdentifier(name)}`).join('; '))
    signal?.throwIfAborted()
    await client.query(
      `alter schema public rename to ${outgoing};
       revoke all on schema ${outgoing} from public, ${escapeIdentifier(readerRole)};
       alter schema ${draft} rename to public`,
    )
    await client.query('commit')
  } catch (error) {
    // Nothing of it stays. A connection that is gone has rolled back by itself.
    await client.query('rollback').catch(() => {})
    throw error
  }
  return outgoing
}

const outgoingPrefix = 'outgoing_'

/**
 * Drops the books that were replaced, those of an earlier build too if a reader held on to them then. Returns the
 * schemas that are still in use, to be dropped after the next build.
 */
export const dropOutgoing = async (client: Client): Promise<readonly string[]> => {
  await client.query(`set lock_timeout = '2s'`)
  const { rows } = await client.query<{ nspname: string }>(
    `select nspname from pg_namespace where starts_with(nspname, $1)`,
    [outgoingPrefix],
  )
  const inUse: string[] = []
  for (const { nspname } of rows) {
    await client.query(`drop schema ${escapeIdentifier(nspname)} cascade`).catch(error => {
      if ((error as { code?: string }).code !== lockNotAvailable) throw error
      inUse.push(nspname)
    })
  }
  return inUse
}

const lockNotAvailable = '55P03'
