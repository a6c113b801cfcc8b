import { readFile, rm } from 'node:fs/promises'
import { deserialize, serialize } from 'node:v8'
import { z } from 'zod'
import type { Table } from '../../domain/catalog.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import { writePackedIndex } from './index-file.ts'
import type { IndexVersion } from './index-version.ts'

/** What a first indexing has measured so far, so that one that was killed goes on and does not begin again. */
export interface UnfinishedIndex {
  /** The tables that an earlier process measured, by name, and when it began. */
  readonly found: { readonly tables: ReadonlyMap<string, Table>; readonly began: Date }
  /** Adds a measured table. It is written soon. */
  readonly add: (name: string, table: Table) => void
  /** Removes the file, once the index is stored. */
  readonly remove: () => Promise<void>
}

/** Increased whenever the form or meaning of what is written changes. */
const formatVersion = 1

/** After this, tables have changed too much to be measured in parts. */
const longestMs = 60 * 60_000

const envelope = z.object({
  version: z.literal(formatVersion),
  stamp: z.string(),
  began: z.date(),
  tables: z.custom<ReadonlyMap<string, Table>>(value => value instanceof Map),
})

/**
 * Opens the file of an unfinished index beside the index itself. What is there counts only for the same tables and
 * columns, and not for long. Without a path nothing is kept.
 */
export const openUnfinishedIndex = async (options: {
  readonly path: string | null
  readonly stamp: IndexVersion
  readonly now: () => Date
  readonly log: Log
  /** Each time everything so far is written, so not after every table. */
  readonly writtenEveryMs?: number
}): Promise<UnfinishedIndex> => {
  const { now, log, writtenEveryMs = 3_000 } = options
  if (options.path === null)
    return { found: { tables: new Map(), began: now() }, add: () => {}, remove: async () => {} }
  const path = `${options.path}.part`
  const stamp = JSON.stringify(options.stamp)
  const found = (await read(path, stamp, now())) ?? { tables: new Map<string, Table>(), began: now() }
  const tables = new Map(found.tables)
  let writtenAt = performance.now()
  let writing: Promise<void> | null = null

  const write = async (): Promise<void> => {
    try {
      await writePackedIndex(path, serialize({ version: formatVersion, stamp, began: found.began, tables }))
    } catch (error) {
      log.warn({ error }, 'What was measured so far could not be kept. After a restart it is measured again.')
    }
  }

  return {
    found,
    add: (name, table) => {
      tables.set(name, table)
      if (writing !== null || performance.now() - writtenAt < writtenEveryMs) return
      writing = write().finally(() => {
        writtenAt = performance.now()
        writing = null
      })
    },
    remove: async () => {
      await writing
      // Where nothing could be written, nothing can be removed.
      await rm(path, { force: true }).catch(() => {})
    },
  }
}

const read = async (path: string, stamp: string, now: Date): Promise<UnfinishedIndex['found'] | null> => {
  try {
    const parsed = envelope.safeParse(deserialize(await readFile(path)))
    if (!parsed.success || parsed.data.stamp !== stamp) return null
    return now.getTime() - parsed.data.began.getTime() > longestMs ? null : parsed.data
  } catch {
    return null
  }
}
