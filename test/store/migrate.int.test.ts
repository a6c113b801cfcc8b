import { randomUUID } from 'node:crypto'
import type knex from 'knex'
import { afterAll, describe, expect, it } from 'vitest'
import { migrate, migrations, newerMigrations, pendingMigrations } from '../../src/store/migrate.ts'
import { openKnex } from '../../src/store/store.ts'
import { postgresServers } from '../helpers/services/postgres-servers.ts'
import { createTestDatabase } from '../helpers/test-database.ts'

const names = migrations.map(migration => migration.name)

describe.each(postgresServers('migrations'))('migrations on the %s server', on => {
  it('go up from nothing, once', async () => {
    await using database = await createTestDatabase({ on })
    const store = openKnex(database.url)
    expect(await pendingMigrations(store)).toEqual(names)
    expect(await migrate(store)).toEqual(names)
    expect(await migrate(store)).toEqual([])
    expect(await pendingMigrations(store)).toEqual([])
    await store.destroy()
  })
})

describe('migrations', () => {
  const pools: knex.Knex[] = []
  afterAll(() => Promise.all(pools.map(pool => pool.destroy())))
  const open = (url: string) => {
    const pool = openKnex(url)
    pools.push(pool)
    return pool
  }

  it('run once when several processes start together', async () => {
    await using database = await createTestDatabase()
    const starters = [open(database.url), open(database.url), open(database.url)]
    const applied = await Promise.all(starters.map(migrate))
    expect(applied.flat()).toEqual(names)
    await Promise.all(starters.map(pool => pool.destroy()))
  })

  it('go on after a process died while it held the lock of knex', async () => {
    await using database = await createTestDatabase({ migrated: true })
    const store = open(database.url)
    await store('querent.migrations_lock').update({ is_locked: 1 })
    expect(await migrate(store)).toEqual([])
    await store.destroy()
  })

  it('of a newer version are refused by name, before anything changes', async () => {
    await using database = await createTestDatabase({ migrated: true })
    const store = open(database.url)
    const last = migrations.at(-1)!
    await last.down(store)
    await store('querent.migrations').where({ name: last.name }).delete()
    const migration_time = new Date()
    for (const name of ['2099-01-01-later', '2099-01-02-latest'])
      await store('querent.migrations').insert({ name, batch: 9, migration_time })
    await expect(migrate(store)).rejects.toMatchObject({
      code: 'store-unavailable',
      message: expect.stringMatching(/newer version .* 2099-01-01-later, 2099-01-02-latest; start the newer/),
    })
    expect(await newerMigrations(store)).toEqual(['2099-01-01-later', '2099-01-02-latest'])
    expect(await pendingMigrations(store)).toEqual([last.name])
    await store.destroy()
  })

  it('of the audit and of budgets keep what was there before them, and what comes of a replica of before', async () => {
    await using database = await createTestDatabase({ migrated: true })
    const store = open(database.url)
    const added = names.slice(names.indexOf('2026-11-22-audit-of-shells'))
    for (const { down, name } of migrations.filter(({ name }) => added.includes(name)).toReversed()) {
      await down(store)
      await store('querent.migrations').where({ name }).delete()
    }
    const at = new Date('2026-11-01T10:00:00Z')
    const statement = { ...{ at, origin: 'question', database: 'shop', dialect: 'sqlite' }, kind: 'run' }
    const before = { id: randomUUID(), ...statement, sql: 'select 1', verdict: 'ran' }
    const usage = { day: '2026-11-01', scope: 'person', name: 'ada', rows: 7, milliseconds: 1.5 }
    const asked = {
      id: randomUUID(),
      key: 'C1:1',
      time_zone: 'UTC',
      text: 'how many?',
      database: 'shop',
      status: 'queued',
      asked_at: at,
    }
    await store('querent.audit_log').insert(before)
    await store('querent.budget_usage').insert(usage)
    await store('querent.questions').insert(asked)
    expect(await migrate(store)).toEqual(added)
    await store('querent.audit_log').insert({ ...before, id: randomUUID() })
    expect(await store('querent.audit_log').select('sql', 'kind', 'command')).toEqual(
      [1, 2].map(() => ({ sql: 'select 1', kind: 'run', command: null })),
    )
    expect(await store('querent.budget_usage').select('name', 'rows')).toEqual([{ name: 'ada', rows: '7' }])
    expect(await store('querent.questions').select('text', 'run_by')).toEqual([
      { text: 'how many?', run_by: null },
    ])
    await store.destroy()
  })

  it('leave nothing behind when they are taken back', async () => {
    await using database = await createTestDatabase({ migrated: true })
    const store = open(database.url)
    for (const migration of [...migrations].reverse()) await migration.down(store)
    const left = await store('information_schema.tables')
      .where({ table_schema: 'querent' })
      .pluck('table_name')
    expect(left.sort()).toEqual(['migrations', 'migrations_lock'])
    await store.destroy()
  })

  it('have names of their own, by the day on which they landed', () => {
    expect(new Set(names).size).toBe(names.length)
    // Within a day the list alone says the order: several land on one, and none is renamed afterwards.
    const days = names.map(name => name.slice(0, '2026-11-20'.length))
    expect(days).toEqual(days.toSorted())
  })
})
