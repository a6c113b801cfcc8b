import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { makeScopedGuard } from '../../../src/databases/guard/scope/apply-scope.ts'
import { scopedDatabase } from '../../../src/databases/guard/scope/scoped-database.ts'
import type { Dialect } from '../../../src/domain/sql.ts'
import { fullScope, scopedCatalog } from './scope-catalog.ts'
import { watchReads } from './watch-reads.ts'

interface Line {
  readonly id: string
  readonly dialect: Dialect
  readonly scope: Parameters<typeof fullScope>[0]
  readonly sql: string
  readonly verdict: 'allow' | 'refuse'
}

const lines = readFileSync(new URL('../../../fixtures/guard/scoped.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as Line)

const plain = makeGuard()

const guardOf = ({ dialect, scope }: Line) =>
  makeScopedGuard(plain, { dialect, find: scopedDatabase(scopedCatalog(dialect), fullScope(scope)).find })

describe('the corpus of scopes', () => {
  test('covers every dialect that can be run, both ways, with ids of its own', () => {
    for (const dialect of ['postgres', 'sqlite', 'mysql', 'duckdb'] as const)
      for (const verdict of ['allow', 'refuse'] as const)
        expect(
          lines.filter(line => line.dialect === dialect && line.verdict === verdict).length,
        ).toBeGreaterThan(20)
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length)
  })

  test.each(lines)('$id: $verdict $sql', line => {
    const verdict = guardOf(line)(line.sql, line.dialect)
    expect(verdict.verdict, verdict.verdict === 'refuse' ? verdict.reason : '').toBe(line.verdict)
  })

  test('of what is allowed, SQLite reads nothing that is hidden', () => {
    const readsOf = watchReads()
    // Where only the number of rows counts SQLite asks for every column all the same.
    const allowed = lines.filter(
      ({ dialect, verdict, sql }) =>
        dialect === 'sqlite' && verdict === 'allow' && !sql.includes('EXISTS (SELECT *'),
    )
    let checked = 0
    for (const { sql, scope } of allowed) {
      const named = (scope.tables?.include ?? []).some(pattern => pattern === 'customer_contacts')
      if (named) continue
      const hidden = [
        ...(scope.columns?.exclude ?? []),
        ...(scope.tables?.exclude ?? []).map(table => `${table}.`),
      ]
      expect(readsOf(sql).filter(read => hidden.some(name => read.startsWith(name)))).toEqual([])
      checked += 1
    }
    expect(checked).toBeGreaterThan(20)
  })
})
