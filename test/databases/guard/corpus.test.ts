import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import type { ParseDialect } from '../../../src/domain/sql.ts'

interface Line {
  readonly dialect: ParseDialect
  readonly sql: string
  readonly reason?: string
}

const readLines = (name: string): readonly Line[] =>
  readFileSync(new URL(`../../../fixtures/guard/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Line)

const guard = makeGuard()

const hostile = readLines('hostile')

const harmless = readLines('harmless')

describe('the corpus of the guard', () => {
  test('covers every dialect that can be run, both ways', () => {
    for (const lines of [hostile, harmless])
      expect([...new Set(lines.map(line => line.dialect))]).toEqual(
        expect.arrayContaining(['postgres', 'sqlite', 'mysql', 'duckdb']),
      )
    expect(hostile.length).toBeGreaterThanOrEqual(150)
    expect(harmless.length).toBeGreaterThanOrEqual(80)
  })

  test.each(hostile)('refuses on $dialect: $sql', ({ dialect, sql, reason }) => {
    const verdict = guard(sql, dialect)
    expect(verdict.verdict).toBe('refuse')
    expect('reason' in verdict ? verdict.reason : '').toContain(reason)
  })

  test.each(harmless)('allows on $dialect: $sql', ({ dialect, sql }) => {
    expect(guard(sql, dialect)).toEqual({ verdict: 'allow', guarded: { sql, dialect } })
  })
})
