import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type Child, forkChild } from '../../../src/databases/connectors/child/fork.ts'
import { type ChildPool, makeChildPool, runInChild } from '../../../src/databases/connectors/child/pool.ts'
import { brokenBy, openError, toSqlError } from '../../../src/databases/connectors/duckdb/errors.ts'
import type { ChildTask } from '../../../src/databases/connectors/duckdb/source.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { makeDuckdbFile } from '../../helpers/duckdb-file.ts'
import { runOn } from '../../helpers/run-on.ts'
import { failure, openDuckdbFolder } from './duckdb-folder.ts'

const { folder, open } = openDuckdbFolder()

const file = join(folder, 'pets.duckdb')

await makeDuckdbFile(file, 'create table pets as select range as id from range(7)')

/** Fails inside DuckDB 1.5, which then answers nothing more until the file is opened again. */
const breaking = "SELECT date_part(p, now()) FROM (VALUES ('year'), ('julian')) t(p)"

const count = 'SELECT count(*) FROM pets'

const limits = { timeoutMs: 20_000, maxRows: 10, maxBytes: 10_000 }

describe('a statement that breaks DuckDB from within', () => {
  it('is one that the guard allows', () => {
    expect(makeGuard()(breaking, 'duckdb').verdict).toBe('allow')
  })

  it('fails alone: the next one runs, each time', async () => {
    const connector = await open(file)
    for (let time = 0; time < 3; time += 1) {
      expect(await failure(runOn(connector, breaking))).toMatchObject({ driverCode: 'INTERNAL' })
      expect((await runOn(connector, count)).rows).toEqual([[7]])
    }
    expect((await connector.introspect()).tables.map(({ name }) => name)).toEqual(['pets'])
  }, 60_000)

  it('does no harm to statements beside it, at work or waiting', async () => {
    const connector = await open(file)
    const settled = await Promise.allSettled([
      runOn(connector, 'SELECT count(*) FROM range(30000000) r JOIN pets ON pets.id = r.range % 7'),
      ...[breaking, count, count, breaking, count, count].map(sql => runOn(connector, sql)),
    ])
    const rows = settled.map(one => (one.status === 'fulfilled' ? one.value.rows : 'failed'))
    expect(rows).toEqual([[[30_000_000]], 'failed', [[7]], [[7]], 'failed', [[7]], [[7]]])
  }, 60_000)

  it('says why, without the calls inside DuckDB or paths of this machine', async () => {
    const { message } = await failure(runOn(await open(file), breaking))
    expect(message).toContain('Unsupported ICU BIGINT extractor')
    expect(message).not.toMatch(/Stack Trace|\/|0x/)
  })
})

describe('a child that an earlier statement has broken', () => {
  const pools: ChildPool[] = []
  afterEach(async () => {
    await Promise.all(pools.splice(0).map(pool => pool.close()))
  })

  /** A pool of one real child, with another opinion on which errors broke it. */
  const makePool = (judge: typeof brokenBy) => {
    const forked: Child[] = []
    const task: ChildTask = { path: file, threads: 1, memoryBytes: 1024 ** 3, timeZone: 'UTC' }
    const pool = makeChildPool({
      size: 1,
      fork: async signal => {
        const child = await forkChild(
          {
            path: join(import.meta.dirname, '../../../src/databases/connectors/duckdb/child.ts'),
            told: JSON.stringify(task),
            env: {},
            cannotOpen: error => openError(file, error),
            toSqlError,
            brokenBy: judge,
          },
          signal,
        )
        forked.push(child)
        return child
      },
    })
    pools.push(pool)
    return { pool, forked }
  }

  it('is replaced, and the statement runs in the new one', async () => {
    const { pool, forked } = makePool(error =>
      brokenBy(error) === 'this-statement' ? null : brokenBy(error),
    )
    await failure(runInChild(pool, breaking, limits))
    expect(forked.map(child => child.isAlive())).toEqual([true])
    expect((await runInChild(pool, count, limits)).rows).toEqual([[7]])
    expect(forked.map(child => child.isAlive())).toEqual([false, true])
  }, 30_000)

  it('costs a statement one more try and no third', async () => {
    const { pool, forked } = makePool(() => 'an-earlier-one')
    expect(await failure(runInChild(pool, 'SELECT x FROM pets', limits))).toMatchObject({
      errorClass: 'unknown-column',
    })
    expect(forked).toHaveLength(2)
  }, 30_000)
})

it('an error over a file names the file, without its folder', () => {
  const said = (message: string): string => toSqlError({ resultCode: null, message }).message
  expect(said('IO Error: Cannot open file "/srv/my data/orders.json": No such file or directory')).toBe(
    'Cannot open file "orders.json": No such file or directory',
  )
  expect(said('IO Error: Could not read from file /srv/data/orders.csv at once')).toBe(
    'Could not read from file orders.csv at once',
  )
  expect(said('Binder Error: half 1/2 of 10/20/30')).toBe('half 1/2 of 10/20/30')
})
