import { join } from 'node:path'
import { Client } from 'pg'
import { expect, it, vi } from 'vitest'
import { makeResources } from '../../../src/bootstrap/resources.ts'
import { openSharedBackends, shareIndexChanges } from '../../../src/bootstrap/shared-services.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'
import { makeFolder } from '../../config/make-folder.ts'
import { createTestDatabase } from '../../helpers/test-database.ts'

it('has replicas that share no folder take over what one of them has measured', async () => {
  const [own, shop] = [await createTestDatabase(), await createTestDatabase()]
  const client = new Client({ connectionString: shop.url })
  await client.connect()
  await client.query(
    `create table orders (id integer primary key, city text); insert into orders values (1, 'Hull')`,
  )
  const folder = makeFolder({ 'querent.yml': `databases: {shop: {url: "${shop.url}"}}` })
  const configOf = (home: string) =>
    loadConfig({ cwd: folder, env: { QUERENT_HOME: join(folder, home), DATABASE_URL: own.url } })
  const started: ReturnType<typeof makeResources>[] = []
  /** As a server starts: store, database, notices. */
  const start = async (home: string) => {
    const config = configOf(home)
    const resources = makeResources(config, { log: silentLog, asOf: '2026-03-02' })
    started.push(resources)
    const { url } = await resources.ownStore()
    await resources.openDatabase('shop')
    const { notices } = openSharedBackends({ config, url, releasers: resources.releasers, log: silentLog })
    if ('ready' in notices) await notices.ready
    const stop = shareIndexChanges(resources, notices)
    resources.releasers.push(async () => stop())
    return resources
  }
  try {
    const here = await start('here')
    const there = await start('there')
    // The second one has measured nothing when it starts.
    expect((await there.reportOnDatabase('shop')).isNew).toBe(false)
    await client.query(
      `create table returns (id integer primary key, city text); insert into returns values (1, 'Bergen')`,
    )
    await here.indexDatabase('shop')
    await vi.waitFor(
      async () => {
        const { catalog, findValues } = await there.openDatabase('shop')
        expect(catalog.tables.map(({ name }) => name)).toEqual(['orders', 'returns'])
        expect(findValues('bergen')[0]).toMatchObject({ value: 'Bergen' })
      },
      { timeout: 30_000 },
    )
    const [mine, theirs] = [await here.reportOnDatabase('shop'), await there.reportOnDatabase('shop')]
    expect(mine.isNew).toBe(true)
    expect(theirs).toMatchObject({ isNew: false, measuredAt: mine.measuredAt, values: mine.values })
  } finally {
    for (const resources of started) await resources.release()
    await client.end()
    await shop.drop()
    await own.drop()
  }
})
