import type { Tx } from '../../core/tx.ts'
import type { Within } from '../transactions.ts'

const INDEXES = 'querent.shared_indexes'
const PARTS = 'querent.shared_index_parts'
const BUILD_LEASES = 'querent.index_turns'

/** By so much the clock of a machine may be ahead of the store's; what is further ahead was stamped by a wrong one. */
const CLOCK_SKEW = "interval '1 minute'"

/** What is kept of an index beside its bytes. `version` tells its parts from those of the one before it. */
export interface SharedIndexHead {
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
