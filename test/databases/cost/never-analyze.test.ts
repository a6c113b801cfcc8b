import { describe, expect, it } from 'vitest'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import type { Dialect } from '../../../src/domain/sql.ts'

/** Plans are asked for by EXPLAIN in front of what the guard let through: none of that may make it one that executes. */
const words: readonly (readonly [Dialect, string])[] = [
  ['postgres', 'analyze select 1'],
  ['postgres', '(analyze) select 1'],
  ['postgres', '(analyze true, verbose) select 1'],
  ['postgres', '/* plan */ analyze verbose select 1'],
  ['mysql', 'analyze select 1'],
  ['mysql', 'analyze format=tree select 1'],
  ['mysql', '/*! analyze */ select 1'],
  ['mysql', '/*M! analyze */ select 1'],
  ['mysql', 'for connection 5'],
  ['duckdb', 'analyze select 1'],
  ['sqlite', 'analyze'],
]

describe('what is put after EXPLAIN', () => {
  it.each(words)('is in %s never “%s”', (dialect, sql) => {
    expect(makeGuard()(sql, dialect)).toMatchObject({ verdict: 'refuse' })
  })

  it.each(['postgres', 'mysql', 'duckdb', 'sqlite'] as const)('is in %s a query', dialect => {
    expect(makeGuard()('select 1', dialect)).toMatchObject({ verdict: 'allow' })
  })
})
