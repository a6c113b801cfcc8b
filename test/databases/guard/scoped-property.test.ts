import { expect, test } from 'vitest'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { makeScopedGuard } from '../../../src/databases/guard/scope/apply-scope.ts'
import { scopedDatabase } from '../../../src/databases/guard/scope/scoped-database.ts'
import { makeDice, randomStatement } from './random-statement.ts'
import { fullScope, scopedCatalog } from './scope-catalog.ts'
import { watchReads } from './watch-reads.ts'

const statements = 5_000

test('of 5,000 random statements it allows none of which SQLite reads what is hidden', () => {
  const readsOf = watchReads()
  const scope = fullScope({
    tables: { exclude: ['salaries'] },
    columns: { exclude: ['customers.email', 'people.name'] },
  })
  const guard = makeScopedGuard(makeGuard(), {
    dialect: 'sqlite',
    find: scopedDatabase(scopedCatalog('sqlite'), scope).find,
  })
  const hidden = /^(?:customers\.email|people\.name|salaries\.)/
  let allowed = 0
  let refused = 0
  for (let seed = 0; seed < statements; seed += 1) {
    const sql = randomStatement(makeDice(seed), { lateral: false, rows: false })
    let reads: readonly string[]
    try {
      reads = readsOf(sql)
    } catch {
      continue
    }
    const isHidden = reads.some(read => hidden.test(read))
    const { verdict } = guard(sql, 'sqlite')
    if (verdict === 'allow') allowed += 1
    if (verdict === 'refuse' && isHidden) refused += 1
    expect(verdict === 'allow' && isHidden, sql).toBe(false)
  }
  // Both kinds have to be met for this to say anything.
  expect(allowed).toBeGreaterThan(200)
  expect(refused).toBeGreaterThan(200)
})
