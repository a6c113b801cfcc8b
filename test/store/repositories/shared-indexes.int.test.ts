import { fork } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SharedIndexStore } from '../../../src/domain/database.ts'
import { makeSharedIndexes } from '../../../src/store/repositories/shared-indexes.ts'
import { postgresServers } from '../../helpers/services/postgres-servers.ts'
import { until } from '../../helpers/wait.ts'
import { openTestStore } from '../setup/open-test-store.ts'

const DAY = 24 * 60 * 60 * 1000

/** Behind the clock of the store, which says what is old and what cannot be. */
const LAST_WEEK = Date.now() - 7 * DAY

const at = (days: number): Date => new Date(LAST_WEEK + days * DAY)

describe.each(postgresServers('shared indexes'))('shared indexes on the %s server', on => {
  let opened: Awaited<ReturnType<typeof openTestStore>>
  let indexes: SharedIndexStore
  beforeAll(async () => {
    opened = await openTestStore({ on })
    indexes = makeSharedIndexes(opened.store)
  })
  afterAll(() => opened[Symbol.asyncDispose]())

  it('return what was stored last, in any size, by key', async () => {
    const [key, other] = [randomUUID(), randomUUID()]
    const [large, small] = [randomBytes(2.5 * 1024 * 1024), randomBytes(7)]
    expect(await indexes.savedAt(key)).toBeNull()
    expect(await indexes.read(key)).toBeNull()
    await indexes.write(key, { savedAt: at(0), bytes: large })
    await indexes.write(other, { savedAt: at(5), bytes: small })
    expect(await indexes.savedAt(key)).toEqual(at(0))
    expect((await indexes.read(key))?.equals(large)).toBe(true)
    await indexes.write(key, { savedAt: at(1), bytes: small })
    expect((await indexes.read(key))?.equals(small)).toBe(true)
    expect(await indexes.savedAt(other)).toEqual(at(5))
  })

  it('keep the later of two, in whichever order they come', async () => {
    const key = randomUUID()
    await indexes.write(key, { savedAt: at(2), bytes: Buffer.from('later') })
    await indexes.write(key, { savedAt: at(1), bytes: Buffer.from('earlier') })
    expect(String(await indexes.read(key))).toBe('later')
    expect(await indexes.savedAt(key)).toEqual(at(2))
  })

  it('are dropped when nobody has worked on them for a quarter of a year', async () => {
    const [old, recent] = [randomUUID(), randomUUID()]
    await indexes.write(old, { savedAt: at(-200), bytes: Buffer.from('old') })
    await indexes.write(recent, { savedAt: at(-80), bytes: Buffer.from('recent') })
    await indexes.write(randomUUID(), { savedAt: at(0), bytes: Buffer.from('new') })
    expect(await indexes.savedAt(old)).toBeNull()
    expect(await indexes.savedAt(recent)).toEqual(at(-80))
  })

  it('keep nothing of a machine whose clock is ahead, and drop nothing for it', async () => {
    const [key, other] = [randomUUID(), randomUUID()]
    await indexes.write(key, { savedAt: at(0), bytes: Buffer.from('before') })
    await indexes.write(key, { savedAt: at(400), bytes: Buffer.from('ahead') })
    await indexes.write(other, { savedAt: at(400), bytes: Buffer.from('ahead') })
    expect(await indexes.savedAt(other)).toBeNull()
    expect(String(await indexes.read(key))).toBe('before')
    await indexes.write(key, { savedAt: at(1), bytes: Buffer.from('after') })
    expect(String(await indexes.read(key))).toBe('after')
  })

  it('take the place of one that is ahead, where the clock of the store was put back', async () => {
    const key = randomUUID()
    await indexes.write(key, { savedAt: at(0), bytes: Buffer.from('before') })
    await opened.store.inTransaction(async tx => {
      const sql = 'update querent.shared_indexes set saved_at = $2 where key = $1'
      await opened.store.executeIn(tx, sql, [key, at(400)])
    })
    await indexes.write(key, { savedAt: at(1), bytes: Buffer.from('after') })
    expect(String(await indexes.read(key))).toBe('after')
  })

  it('are not waited for where two that nobody worked on for long are written together', async () => {
    const { sharedIndexes: rows } = opened.store.repositories
    const keys = [randomUUID(), randomUUID()]
    const age = async (): Promise<void> =>
      opened.store.inTransaction(async tx => {
        const sql = 'update querent.shared_indexes set saved_at = $2 where key = any($1)'
        await opened.store.executeIn(tx, sql, [keys, at(-200)])
      })
    for (const key of keys) await indexes.write(key, { savedAt: at(0), bytes: Buffer.from('old') })
    await age()
    const replaced = keys.map(() => Promise.withResolvers<void>())
    const both = Promise.all(replaced.map(({ promise }) => promise))
    const write = (key: string, index: number): Promise<void> =>
      opened.store.inTransaction(async tx => {
        await rows.replace(key, { version: randomUUID(), savedAt: at(1), parts: 0 }, tx)
        replaced[index]?.resolve()
        await both
        await rows.purgeOlder(90, tx)
      })
    await Promise.all(keys.map(write))
    for (const key of keys) expect(await indexes.savedAt(key)).toEqual(at(1))
  })

  it('let one process at a time build one', async () => {
    const key = randomUUID()
    const turns = await Promise.all([1, 2, 3, 4].map(() => indexes.lockBuild(key)))
    const [turn, ...more] = turns.filter(one => one !== null)
    expect(more).toEqual([])
    expect(await indexes.lockBuild(randomUUID())).not.toBeNull()
    await turn?.()
    expect(await indexes.lockBuild(key)).not.toBeNull()
  })

  it('keep the lock of a live process, and take it from a killed one', {
    timeout: 90_000,
  }, async () => {
    const key = randomUUID()
    const times = { touchMs: 200, staleMs: 3_000 }
    const impatient = makeSharedIndexes(opened.store, times)
    const given = [opened.url, key, String(times.touchMs), String(times.staleMs)]
    const child = fork(join(import.meta.dirname, '../setup/build-lock-holder.ts'), given, {
      stdio: 'inherit',
    })
    try {
      expect((await once(child, 'message'))[0]).toBe('taken')
      const touchedFor = async (): Promise<number> =>
        opened.store.inTransaction(async tx => {
          const sql = `select extract(epoch from touched_at)::float8 * 1000 as at from querent.index_turns where key = $1`
          return Number((await opened.store.executeIn(tx, sql, [key])).rows[0]?.at)
        })
      const first = await touchedFor()
      // Longer than a dead one would keep it.
      await until(async () => ((await touchedFor()) - first > times.staleMs ? true : null))
      expect(await impatient.lockBuild(key)).toBeNull()
      child.kill('SIGKILL')
      await once(child, 'exit')
      const turn = await until(() => impatient.lockBuild(key))
      expect(await indexes.lockBuild(key)).toBeNull()
      await turn()
    } finally {
      child.kill('SIGKILL')
    }
  })
})
