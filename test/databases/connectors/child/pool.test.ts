import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { type Child, forkChild } from '../../../../src/databases/connectors/child/fork.ts'
import { type ChildPool, makeChildPool } from '../../../../src/databases/connectors/child/pool.ts'
import { openError, toSqlError } from '../../../../src/databases/connectors/sqlite/errors.ts'
import type { SqlError } from '../../../../src/domain/errors.ts'

const folder = mkdtempSync(join(tmpdir(), 'querent-children-'))

const file = join(folder, 'numbers.sqlite')

const database = new DatabaseSync(file)

database.exec('create table numbers (n integer); insert into numbers values (1), (2), (3)')

database.close()

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const program = join(import.meta.dirname, '../../../../src/databases/connectors/sqlite/child.ts')

/** A program that never says that it has opened anything. It leaves its number beside it. */
const sleeper = join(folder, 'sleeper.mjs')

const sleeperFile = join(folder, 'sleeper.pid')

writeFileSync(
  sleeper,
  `import { writeFileSync } from 'node:fs'
   writeFileSync(${JSON.stringify(sleeperFile)}, String(process.pid))
   setInterval(() => {}, 1000)`,
)

const sleeperPid = async (): Promise<number> => {
  const text = await vi.waitFor(
    () => {
      const text = readFileSync(sleeperFile, 'utf8')
      expect(text).toMatch(/^\d+$/)
      return text
    },
    { timeout: 10_000 },
  )
  rmSync(sleeperFile)
  return Number(text)
}

let pools: ChildPool[] = []

afterEach(async () => {
  await Promise.all(pools.map(pool => pool.close()))
  pools = []
})

const makePool = (path = program, size = 1): { readonly pool: ChildPool; readonly forked: Child[] } => {
  const forked: Child[] = []
  const pool = makeChildPool({
    size,
    fork: async signal => {
      const child = await forkChild(
        { path, told: file, env: {}, toSqlError, cannotOpen: error => openError(file, error) },
        signal,
      )
      forked.push(child)
      return child
    },
  })
  pools.push(pool)
  return { pool, forked }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const sql = 'select n from numbers'

const ask = (child: Child, options: { signal?: AbortSignal; onRows?: () => void } = {}) =>
  child.request({ type: 'run', sql, maxRows: 10, maxBytes: 1000 }, { timeoutMs: 10_000, ...options })

describe('a pool of database processes', () => {
  it('never hands out one that is being ended, however near its answer was', async () => {
    const { pool } = makePool()
    for (let round = 0; round < 12; round++) {
      const cancelling = new AbortController()
      // The rows are here, and what ends them is on its way or waits in the pipe already.
      const cut = pool.use(child =>
        ask(child, { signal: cancelling.signal, onRows: () => cancelling.abort() }),
      )
      await expect(cut).rejects.toMatchObject({ errorClass: 'cancelled' } satisfies Partial<SqlError>)
      expect(await pool.use(child => ask(child))).toMatchObject({ type: 'done' })
    }
  })

  it('ends one that has not opened yet when the statement is cancelled, and when the pool is closed', async () => {
    const { pool, forked } = makePool(sleeper)
    const cancelling = new AbortController()
    const waiting = pool.use(child => ask(child), cancelling.signal)
    const pid = await sleeperPid()
    cancelling.abort()
    await expect(waiting).rejects.toMatchObject({ errorClass: 'cancelled' } satisfies Partial<SqlError>)
    expect(isRunning(pid)).toBe(false)

    const other = pool.use(child => ask(child))
    other.catch(() => {})
    const next = await sleeperPid()
    await pool.close()
    expect(isRunning(next)).toBe(false)
    await expect(other).rejects.toMatchObject({ errorClass: 'connection' } satisfies Partial<SqlError>)
    expect(forked).toEqual([])
  })

  it('ends those that are free when it retires, and the others when they are given back', async () => {
    const { pool, forked } = makePool(program, 2)
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const working = pool.use(async child => {
      begin()
      await held
      return ask(child)
    })
    await begun
    await pool.use(child => ask(child))
    expect(pool.isUnused()).toBe(false)
    await pool.retire()
    expect(forked.map(({ pid }) => isRunning(pid)).sort()).toEqual([false, true])
    letGo()
    expect(await working).toMatchObject({ type: 'done' })
    expect(pool.isUnused()).toBe(true)
    await vi.waitFor(() => expect(forked.some(({ pid }) => isRunning(pid))).toBe(false))
  })
})
