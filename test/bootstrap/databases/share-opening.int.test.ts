import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { makeResources } from '../../../src/bootstrap/resources.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'
import { makeFolder } from '../../config/make-folder.ts'

const makeShop = (file: string): void => {
  const database = new DatabaseSync(file)
  for (const table of ['orders', 'refunds', 'stores'])
    database.exec(`create table ${table} (id integer primary key, city text);
      insert into ${table} values (1, 'Hull')`)
  database.close()
}

/** A real SQLite database, and what is done in the middle of indexing it, once. */
const openShop = (meanwhile: () => void = () => {}) => {
  const folder = makeFolder({ 'querent.yml': 'databases: {shop: {path: shop.sqlite}}' })
  const file = join(folder, 'shop.sqlite')
  makeShop(file)
  let once: (() => void) | null = meanwhile
  const resources = makeResources(loadConfig({ cwd: folder, env: { QUERENT_HOME: join(folder, 'home') } }), {
    ...{ log: silentLog, asOf: '2026-03-02' },
    onProgress: () => {
      const work = once
      once = null
      work?.()
    },
  })
  return { ...resources, file, [Symbol.asyncDispose]: () => resources.release() }
}

const tablesOf = async (database: Promise<{ readonly catalog: { readonly tables: readonly unknown[] } }>) =>
  (await database).catalog.tables.length

describe('a question about a database that is being opened', () => {
  it('gets it although the background stops', async () => {
    const background = new AbortController()
    await using shop = openShop(() => background.abort(new Error('the bot is stopping')))
    const ahead = shop.openAhead('shop', { signal: background.signal })
    const question = shop.openDatabase('shop', { signal: new AbortController().signal })
    await expect(ahead).rejects.toThrow('the bot is stopping')
    expect(await tablesOf(question)).toBe(3)
  })

  it('can be stopped, and the background goes on', async () => {
    const stop = new AbortController()
    await using shop = openShop(() => stop.abort(new Error('stopped by who asked')))
    const question = shop.openDatabase('shop', { signal: stop.signal })
    const ahead = shop.openAhead('shop', { signal: new AbortController().signal })
    await expect(question).rejects.toThrow('stopped by who asked')
    expect(await ahead).toMatchObject({ tables: 3, isNew: true })
  })

  it('can be stopped alone, and the next one opens it again', async () => {
    const stop = new AbortController()
    const next: { opened?: Promise<unknown> } = {}
    await using shop = openShop(() => {
      stop.abort(new Error('stopped by who asked'))
      // Before the first opening has ended.
      next.opened = shop.openDatabase('shop')
    })
    await expect(shop.openDatabase('shop', { signal: stop.signal })).rejects.toThrow()
    const opened = await next.opened
    expect(opened).toMatchObject({ catalog: { tables: { length: 3 } } })
    expect(await shop.openDatabase('shop')).toBe(opened)
  })

  it('tries again where the background could not open it', async () => {
    await using shop = openShop()
    rmSync(shop.file)
    await expect(shop.openAhead('shop')).rejects.toMatchObject({ code: 'unknown-database' })
    makeShop(shop.file)
    expect(await tablesOf(shop.openDatabase('shop'))).toBe(3)
  })
})
