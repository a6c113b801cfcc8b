import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, vi } from 'vitest'
import { makeResources } from '../../src/bootstrap/resources.ts'
import { shareIndexChanges } from '../../src/bootstrap/shared-services.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import type { Notifications } from '../../src/domain/operations/jobs.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'

/** A board that hands every notice on at once. */
const makeBoard = () => {
  const told: Notifications['index-changed'][] = []
  const hearers = new Set<(notice: never) => void>()
  return {
    told,
    hearers,
    publish: async (_: string, notice: object) => {
      told.push(notice as Notifications['index-changed'])
      for (const hear of hearers) hear(notice as never)
    },
    subscribe: (_: string, hear: (notice: never) => void) => {
      hearers.add(hear)
      return () => void hearers.delete(hear)
    },
  }
}

it('shares a profile between processes without profiling twice', async () => {
  const shop = makeSqliteFile('create table orders (order_id integer primary key)')
  const folder = dirname(shop.file)
  writeFileSync(join(folder, 'querent.yml'), `databases: {shop: {path: ${shop.file}}}`)
  const config = loadConfig({ cwd: folder, env: { QUERENT_HOME: join(folder, 'home') } })
  const board = makeBoard()
  const [here, there] = [0, 1].map(() => makeResources(config, { log: silentLog, asOf: '2026-03-02' }))
  if (!here || !there) throw new Error('two processes are needed')
  const stops = [here, there].map(resources => shareIndexChanges(resources, board))
  try {
    await Promise.all([here, there].map(({ openDatabase }) => openDatabase('shop')))
    const file = new DatabaseSync(shop.file)
    file.exec('create table returns (return_id integer primary key)')
    file.close()
    await here.indexDatabase('shop')
    await vi.waitFor(async () => {
      const { tables } = (await there.openDatabase('shop')).catalog
      expect(tables.map(({ name }) => name)).toEqual(['orders', 'returns'])
    }, 10_000)
    const { fingerprint } = (await here.openDatabase('shop')).catalog
    expect(board.told).toEqual([{ database: 'shop', fingerprint }])
    for (const stop of stops) stop()
    expect(board.hearers.size).toBe(0)
  } finally {
    await here.release()
    await there.release()
    shop.remove()
  }
})
