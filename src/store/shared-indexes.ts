import { randomUUID } from 'node:crypto'
import type { SharedIndexStore } from '../core/shared-indexes.ts'
import type { InTransaction } from '../core/tx.ts'
import type { Repositories } from './repositories/make-repositories.ts'

/** What is sent at a time. */
const PART_BYTES = 1024 * 1024

/** An index that nobody has worked on for so long is of a database that is no longer asked. */
const RETENTION_DAYS = 90

/** How often who builds says so, and after how long without it is taken for dead. */
export interface BuildLeaseTimes {
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
