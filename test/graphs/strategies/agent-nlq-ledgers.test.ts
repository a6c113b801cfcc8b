import { describe, expect, it } from 'vitest'
import {
  type Attempt,
  bestCandidate,
  describeProgress,
  isConfirmation,
} from '../../../graphs/strategies/agent-nlq/progress-ledger.ts'
import { describeTaskLedger, schemaOfLedger } from '../../../graphs/strategies/agent-nlq/task-ledger.ts'
import type { SqlErrorClass } from '../../../src/domain/errors.ts'
import { harborCatalog } from '../../databases/catalog/harbor-catalog.ts'

const attempt = (
  id: string | null,
  errorClass: SqlErrorClass | null,
  more: Partial<Attempt> = {},
): Attempt => ({
  by: 'fast',
  candidateId: id,
  problem: errorClass === null ? null : { errorClass, message: `about ${id}` },
  repeats: null,
  ...more,
})

const statements = new Map(['a', 'b', 'c'].map(id => [id, `SELECT ${id}`]))

describe('the progress ledger', () => {
  const attempts = [attempt('a', 'syntax'), attempt('b', 'timeout'), attempt('c', 'empty-result')]

  it('has the first and the latest attempt in full, and those between as one line', () => {
    const text = describeProgress(attempts, statements, { pruned: true })
    expect(text).toMatch(
      /SELECT a[\s\S]*\n\nAttempt 2 by the fast loop: timeout \(about b\)\n\n[\s\S]*SELECT c$/,
    )
    expect(text).not.toContain('SELECT b')
  })

  it('stays short, however long messages and statements are', () => {
    const long = attempt('a', 'other', { problem: { errorClass: 'other', message: 'x'.repeat(10_000) } })
    const text = describeProgress(Array(8).fill(long), new Map([['a', 'y'.repeat(90_000)]]), { pruned: true })
    expect(text.length).toBeLessThan(16_000)
  })

  it('has a word on what to change for every class of failure that a statement can cure', () => {
    const classes: readonly SqlErrorClass[] = ['function', 'aggregation', 'ambiguous-column', 'wrong-shape']
    for (const one of classes)
      expect(describeProgress([attempt('a', one)], statements, { pruned: true })).toMatch(
        /What to change: \w/,
      )
  })
})

describe('the best attempt', () => {
  it.each<[string, readonly Attempt[], string | null]>([
    ['the last without a problem', [attempt('a', 'wrong-shape'), attempt('b', null)], 'b'],
    [
      'the last that ran',
      [attempt('a', 'wrong-shape'), attempt('b', 'empty-result'), attempt('c', 'syntax')],
      'b',
    ],
    ['none if none ran', [attempt('a', 'syntax'), attempt(null, null)], null],
  ])('is %s', (_, attempts, best) => {
    expect(bestCandidate(attempts)).toBe(best)
  })

  it('is confirmed by repeating it only if it ran', () => {
    expect(isConfirmation(attempt('a', 'wrong-shape', { repeats: 1 }))).toBe(true)
    expect(isConfirmation(attempt('a', 'syntax', { repeats: 1 }))).toBe(false)
    expect(isConfirmation(attempt('a', 'empty-result'))).toBe(false)
  })
})

describe('the task ledger', () => {
  it('leaves out parts of the plan that are empty', () => {
    const text = describeTaskLedger({
      subquestions: [{ question: 'How many?', needs: [] }],
      ...{
        tables: ['boats'],
        joins: [],
        filters: [],
        groupBy: [],
        metrics: ['COUNT'],
        rules: [],
        missing: '',
      },
    })
    expect(text).toBe('Sub-questions:\n1. How many?\nTables:\n- boats\nMetrics:\n- COUNT')
  })

  it('opens the tables that it names, however they are written, and all if it names none', () => {
    const [first, second] = harborCatalog.tables
    const whole = { tables: harborCatalog.tables.map(({ name }) => ({ table: name, keep: 'all' as const })) }
    const opened = schemaOfLedger([`"${first!.name.toUpperCase()}"`, 'nowhere'], harborCatalog, whole)
    expect(opened.tables).toEqual([{ table: first!.name, keep: 'all' }])
    const qualified = `${second!.schema}.${second!.name}`
    expect(schemaOfLedger([qualified], harborCatalog, whole).tables[0]?.table).toBe(second!.name)
    expect(schemaOfLedger(['nowhere'], harborCatalog, whole)).toBe(whole)
  })
})
