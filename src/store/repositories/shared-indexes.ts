import { randomUUID } from 'node:crypto'
import type { SharedIndexStore } from '../../domain/database.ts'
import type { InTransaction, Tx } from '../../domain/operations/transaction.ts'
import type { Within } from '../transactions.ts'
import type { Repositories } from './repositories.ts'

/** What is sent at a time. */
const PART_BYTES = 1024 * 1024

/** An index that nobody has worked on for so long is of a database that is no longer asked. */
const RETENTION_DAYS = 90

/** How often who builds says so, and after how long without it is taken for dead. */
interface BuildLeaseTimes {
  readonly touchMs: number
  readonly staleMs: number
}

/**
 * Makes shared indexes over our own Postgres. A turn is a row that is touched, and not a lock of the session: it outlives
 * a pooler in between, and a machine that vanished without a word does not keep it for as long as TCP hopes.
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
      // While the store is away nobody else can take it either.
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

/** By so much the clock of a machine may be ahead of the store's; what is further ahead was stamped by a wrong one. */
const CLOCK_SKEW = "interval '1 minute'"

/** What is kept of an index beside its bytes. `version` tells its parts from those of the one before it. */
interface SharedIndexHead {
  readonly version: string
  readonly savedAt: Date
  readonly parts: number
}

/** Makes the queries over shared indexes and over who builds one. */
export const makeSharedIndexRows = (within: Within) => ({
  find: async (key: string, tx?: Tx): Promise<SharedIndexHead | null> => {
    const row = await within(tx)(INDEXES).where({ key }).first('version', 'saved_at', 'parts')
    return row === undefined ? null : { version: row.version, savedAt: row.saved_at, parts: row.parts }
  },

  /** One part, from 0; null once another version has taken its place. */
  findPart: async (
    { key, version, part }: { readonly key: string; readonly version: string; readonly part: number },
    tx?: Tx,
  ): Promise<Buffer | null> =>
    (await within(tx)(PARTS).where({ key, version, part }).first('body'))?.body ?? null,

  /**
   * Puts this version in the place of an older one, whose parts go. False where a later one is there. One that is ahead of
   * the store's clock is not kept, and keeps no other out: until that day nobody could take its place.
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

  /** Deletes indexes that nobody has worked on for so many days of the store's clock, but for those that somebody does now. */
  purgeOlder: async (days: number, tx?: Tx): Promise<void> => {
    await within(tx).raw(
      `delete from ${INDEXES} where key in (
         select key from ${INDEXES} where saved_at < now() - ? * interval '1 day' for update skip locked
       )`,
      [days],
    )
  },

  /** Takes the turn to build; false while another holder has touched it within `staleMs`. */
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
