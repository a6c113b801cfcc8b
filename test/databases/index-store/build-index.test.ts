import { expect, it } from 'vitest'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { buildIndex } from '../../../src/databases/index-store/build-index.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'
import type { Guard } from '../../../src/domain/sql.ts'
import { makeDatabase } from '../catalog/make-database.ts'

const guard = makeGuard()

it('reads the values of the tables that are measured again, and takes the others from the old index', async () => {
  await using made = await makeDatabase(`
    create table ports (city text); insert into ports values ('Kiel'), ('Bergen');
    create table ships (name text); insert into ships values ('Alba'), ('Brisa');
    create table gone (word text); insert into gone values ('Anchor');
  `)
  const statements: string[] = []
  const counting: Guard = (sql, dialect) => {
    statements.push(sql)
    return guard(sql, dialect)
  }
  const options = { guard: counting, log: silentLog, timeBudgetMs: 60_000 }
  const introspected = await made.connector.introspect()
  const first = await buildIndex(made.connector, introspected, options)
  expect(first.values.find('Bergen')[0]).toMatchObject({ table: 'ports', column: 'city', score: 1 })

  statements.length = 0
  const measured = new Map(
    first.catalog.tables.filter(({ name }) => name !== 'ships').map(table => [table.name, table]),
  )
  const fewer = { ...introspected, tables: introspected.tables.filter(({ name }) => name !== 'gone') }
  const second = await buildIndex(made.connector, fewer, { ...options, measured, values: first.values })
  expect(statements.filter(sql => sql.includes('ships'))).not.toEqual([])
  expect(statements.filter(sql => sql.includes('ports'))).toEqual([])
  expect(second.values.find('Bergen')).toEqual(first.values.find('Bergen'))
  expect(second.values.find('Brisa')[0]).toMatchObject({ table: 'ships', score: 1 })
  expect(second.values.find('Anchor')).toEqual([])
  expect(second.values.size).toBe(4)
})
