import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ResultTable } from '../../src/domain/result.ts'
import type { StoreOptions } from '../../src/store/store.ts'
import { postgresServers } from '../helpers/services/postgres-servers.ts'
import { makeQuestion } from './setup/make-question.ts'
import { openTestStore } from './setup/open-test-store.ts'

const table: ResultTable = {
  columns: [
    { name: 'id', kind: 'integer' },
    { name: 'id', kind: 'number' },
    { name: 'what', kind: 'text' },
    { name: 'raw', kind: 'blob' },
    { name: 'yes', kind: 'boolean' },
  ],
  rows: [
    [9_007_199_254_740_993n, '12345678901234567890.12', 'plain', new Uint8Array([0, 255, 1]), true],
    [-5n, 0.1, 'nul \0, half \ud83d, ☃', new Uint8Array(), false],
    [3, -0, '{"i":"7"}', null, null],
    [null, Number.NaN, '', new Uint8Array([10]), null],
    [0, Number.NEGATIVE_INFINITY, '2026-05-01T00:00:00.123456+02:00', null, true],
  ],
  truncated: 'rows',
  milliseconds: 12.5,
}

describe.each(postgresServers('saved results'))('saved results on the %s server', on => {
  const openWithQuestion = async (options: Partial<StoreOptions> = {}) => {
    const opened = await openTestStore({ on, ...options })
    const question = makeQuestion()
    await opened.store.repositories.questions.insert(question, null)
    return { opened, store: opened.store, questionId: question.id }
  }

  it('come back with every cell as it was', async () => {
    const { opened, store, questionId } = await openWithQuestion()
    await using _ = opened
    const loaded = await store.loadResult(await store.saveResult(questionId, table))
    expect(loaded).toEqual(table)
    // `toEqual` takes them for the same.
    expect(Object.is(loaded?.rows[2]?.[1], -0)).toBe(true)
    expect(loaded?.rows[0]?.[3]).toBeInstanceOf(Uint8Array)
  })

  it('may be empty', async () => {
    const { opened, store, questionId } = await openWithQuestion()
    await using _ = opened
    const empty: ResultTable = { columns: table.columns, rows: [], truncated: null, milliseconds: 0 }
    expect(await store.loadResult(await store.saveResult(questionId, empty))).toEqual(empty)
  })

  it('show their first fifty rows as plain JSON, beside the hash that equal results share', async () => {
    const { opened, store, questionId } = await openWithQuestion()
    await using _ = opened
    const rows = Array.from({ length: 60 }, (_, i) => [i, BigInt(i)])
    const columns = table.columns.slice(0, 2)
    const long: ResultTable = { columns, rows, truncated: null, milliseconds: 1 }
    const ids = [
      await store.saveResult(questionId, long),
      await store.saveResult(questionId, { ...long, rows: [...rows].reverse() }),
    ]
    const found = await store.inTransaction(tx =>
      store.executeIn(
        tx,
        `select jsonb_array_length(head) as head, head -> 1 as second, row_count, body_row_count,
                count(*) over (partition by canonical_hash)::int as equal
         from querent.saved_results where id = any($1) order by head -> 0 -> 0`,
        [ids],
      ),
    )
    const facts = { head: 50, row_count: 60, body_row_count: 60, equal: 2 }
    expect(found.rows).toEqual([
      { ...facts, second: [1, { i: '1' }] },
      { ...facts, second: [58, { i: '58' }] },
    ])
  })

  it('keep as many rows as the cap allows, and say that bytes cut them', async () => {
    const limits = { maxBodyBytes: 20_000, keepMs: 1000 * 60 }
    const { opened, store, questionId } = await openWithQuestion({ resultLimits: limits })
    await using _ = opened
    const rows = Array.from({ length: 500 }, (_, i) => [i, randomBytes(100).toString('hex')])
    const wide: ResultTable = { columns: table.columns.slice(0, 2), rows, truncated: null, milliseconds: 1 }
    const loaded = await store.loadResult(await store.saveResult(questionId, wide))
    expect(loaded?.truncated).toBe('bytes')
    const kept = loaded?.rows.length ?? 0
    expect(kept).toBeGreaterThan(50)
    expect(loaded?.rows).toEqual(rows.slice(0, kept))
    const size = await store.inTransaction(tx =>
      store.executeIn(tx, 'select octet_length(body) as bytes, row_count from querent.saved_results'),
    )
    expect(size.rows[0]?.bytes).toBeLessThanOrEqual(20_000)
    expect(size.rows[0]?.row_count).toBe(500)
  })

  it('are gone when they have expired, and purged for good', async () => {
    let now = new Date('2026-06-01T00:00:00Z')
    const limits = { maxBodyBytes: 1_000_000, keepMs: 60_000 }
    const { opened, store, questionId } = await openWithQuestion({ now: () => now, resultLimits: limits })
    await using _ = opened
    const id = await store.saveResult(questionId, table)
    now = new Date('2026-06-01T00:00:59Z')
    const later = await store.saveResult(questionId, table)
    now = new Date('2026-06-01T00:01:00Z')
    expect(await store.loadResult(id)).toBeNull()
    expect(await store.loadResult(later)).not.toBeNull()
    expect(await store.repositories.savedResults.purgeExpired(now)).toBe(1)
    expect(await store.repositories.savedResults.purgeExpired(now)).toBe(0)
  })

  it('are nowhere under an id that was never given', async () => {
    const { opened, store } = await openWithQuestion()
    await using _ = opened
    expect(await store.loadResult('00000000-0000-4000-8000-000000000000')).toBeNull()
    expect(await store.loadResult('not an id')).toBeNull()
  })
})
