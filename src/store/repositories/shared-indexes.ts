import { randomUUID } from 'node:crypto'
import type { SharedIndexStore } from '../../domain/database.ts'
import type { InTransaction, Tx } from '../../domain/operations/jobs.ts'
import type { Within } from '../transactions.ts'
import type { Repositories } from './repositories.ts'

/** Bytes sent at a time. */
const PART_BYTES = 1024 * 1024

/** An index unchanged for this long belongs to a database that is no longer used. */
const RETENTION_DAYS = 90

/** How often a builder renews its lock, and after how long without that it counts as dead. */
interface BuildLeaseTimes {
  readonly touchMs: number
  readonly staleMs: number
}

/**
 * Shared indexes in the store's Postgres. The build lock is a row that is renewed, not a session lock: it survives a
 * connection pooler, and a lost machine does not hold it until TCP times out.
 */
export const makeSharedIndexes = (
  {
    repositories: { sharedIndexes: rows },
    inTransaction,
  }: {
    readonly repositories: Pick<Repositories, 'sharedIndexes'>
    readonly inTransaction: InTransaction
  },
  { touchMs, staleMs }: BuildLeaseTimes = { touchMs: 15_000, staleMs: 60_000 },
): SharedIndexStore => ({
  savedAt: async key => (await rows.find(key))?.savedAt ?? null,

  read: async key => {
    const head = await rows.find(key)
    if (head === null) return null
    const { version, parts } = head
    const bodies: Buffer[] = []
    for (let part = 0; part < parts; part++) {
      const body = await rows.findPart({ key, version, part })
      if (body === null) return null
      bodies.push(body)
    }
    return Buffer.concat(bodies)
  },

  write: (key, { savedAt, bytes }) =>
    inTransaction(async tx => {
      const version = randomUUID()
      const parts = Math.ceil(bytes.length / PART_BYTES)
      if (!(await rows.replace(key, { version, savedAt, parts }, tx))) return
      for (let part = 0; part < parts; part++) {
        const body = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)
        await rows.insertPart({ key, version, part, body }, tx)
      }
      await rows.purgeOlder(RETENTION_DAYS, tx)
    }),

  lockBuild: async key => {
    const holder = randomUUID()
    if (!(await rows.claimTurn(key, holder, staleMs))) return null
    const touching = setInterval(() => {
      // While the store is unavailable, nobody else can take it either.
      rows.touchTurn(key, holder).catch(() => {})
    }, touchMs)
    touching.unref()
    return async () => {
      clearInterval(touching)
      await rows.releaseTurn(key, holder)
    }
  },
})

const INDEXES = 'querent.shared_indexes'

const PARTS = 'querent.shared_index_parts'

const BUILD_LEASES = 'querent.index_turns'

/** How far a machine's clock may be ahead of the store's; an index from further ahead has a wrong time. */
const CLOCK_SKEW = "interval '1 minute'"

/** An index's record besides its bytes. `version` distinguishes its parts from those of the previous one. */
interface SharedIndexHead {
  readonly version: string
  readonly savedAt: Date
  readonly parts: number
}

/** Queries on shared indexes and build locks. */
export const makeSharedIndexRows = (within: Within) => ({
  find: async (key: string, tx?: Tx): Promise<SharedIndexHead | null> => {
    const row = await within(tx)(INDEXES).where({ key }).first('version', 'saved_at', 'parts')
    return row === undefined ? null : { version: row.version, savedAt: row.saved_at, parts: row.parts }
  },

  /** One part, from 0; null if another version has replaced it. */
  findPart: async (
    { key, version, part }: { readonly key: string; readonly version: string; readonly part: number },
    tx?: Tx,
  ): Promise<Buffer | null> =>
    (await within(tx)(PARTS).where({ key, version, part }).first('body'))?.body ?? null,

  /**
   * Replaces an older version and its parts. False if a later one is stored. A version ahead of the store's clock is
   * not stored, and a stored one does not block others; otherwise nothing could replace it until that day.
   */
  replace: async (key: string, { version, savedAt, parts }: SharedIndexHead, tx: Tx): Promise<boolean> => {
    const { rowCount } = await within(tx).raw(
      `insert into ${INDEXES} as kept (key, version, saved_at, parts)
       select key, version, saved_at, parts
       from (values (?, ?::uuid, ?::timestamptz, ?::integer)) as given (key, version, saved_at, parts)
       where saved_at <= now() + ${CLOCK_SKEW}
       on conflict (key) do update set version = excluded.version, saved_at = excluded.saved_at, parts = excluded.parts
       where kept.saved_at <= excluded.saved_at or kept.saved_at > now() + ${CLOCK_SKEW}`,
      [key, version, savedAt, parts],
    )
    if (rowCount !== 1) return false
    await within(tx)(PARTS).where({ key }).delete()
    return true
  },

  insertPart: async (
    row: { readonly key: string; readonly version: string; readonly part: number; readonly body: Buffer },
    tx: Tx,
  ): Promise<void> => {
    await within(tx)(PARTS).insert(row)
  },

  /** Deletes indexes unchanged for this many days of the store's clock, except those being built. */
  purgeOlder: async (days: number, tx?: Tx): Promise<void> => {
    await within(tx).raw(
      `delete from ${INDEXES} where key in (
         select key from ${INDEXES} where saved_at < now() - ? * interval '1 day' for update skip locked
       )`,
      [days],
    )
  },

  /** Takes the build lock; false if another holder renewed it within `staleMs`. */
  claimTurn: async (key: string, holder: string, staleMs: number): Promise<boolean> => {
    const { rowCount } = await within().raw(
      `insert into ${BUILD_LEASES} as turn (key, holder, touched_at) values (?, ?, now())
       on conflict (key) do update set holder = excluded.holder, touched_at = excluded.touched_at
       where turn.touched_at <= now() - ? * interval '1 millisecond'`,
      [key, holder, staleMs],
    )
    return rowCount === 1
  },

  touchTurn: async (key: string, holder: string): Promise<void> => {
    await within()(BUILD_LEASES).where({ key, holder }).update({ touched_at: within().fn.now() })
  },

  releaseTurn: async (key: string, holder: string): Promise<void> => {
    await within()(BUILD_LEASES).where({ key, holder }).delete()
  },
})
