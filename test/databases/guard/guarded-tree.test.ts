import { describe, expect, it } from 'vitest'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { treeOfGuarded } from '../../../src/databases/guard/guarded-tree.ts'
import { makeLimitRows } from '../../../src/databases/guard/limit-rows.ts'
import type { Guard, GuardedSql } from '../../../src/domain/sql.ts'
import { forgeGuardedSql } from '../../helpers/forge-guarded-sql.ts'

const plain = makeGuard()

const guarded = (sql: string, guard: Guard = plain): GuardedSql => {
  const verdict = guard(sql, 'sqlite')
  if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
  return verdict.guarded
}

describe('the tree of a guarded statement', () => {
  it('is the one that the guard judged, every time', () => {
    const statement = guarded('SELECT a FROM t')
    const tree = treeOfGuarded(statement)
    expect(tree?.sql).toBe('SELECT a FROM t')
    expect(treeOfGuarded(statement)).toBe(tree)
    expect(JSON.stringify(statement)).toBe('{"sql":"SELECT a FROM t","dialect":"sqlite"}')
  })

  it('is made where a statement did not come from the guard', () => {
    expect(treeOfGuarded(forgeGuardedSql('SELECT 1', 'sqlite'))?.statements).toHaveLength(1)
    expect(treeOfGuarded(forgeGuardedSql('SELECT (', 'sqlite'))).toBeNull()
  })

  it('a statement is limited once for its estimate and its run', () => {
    let judged = 0
    const counting: Guard = (sql, dialect) => {
      judged += 1
      return plain(sql, dialect)
    }
    const limitRows = makeLimitRows(counting)
    const statement = guarded('SELECT a FROM t', counting)
    const limited = limitRows(statement, 11)
    expect(limited.sql).toBe('SELECT a FROM t\nLIMIT 11')
    expect(limitRows(statement, 11)).toBe(limited)
    expect(judged).toBe(2)
    expect(limitRows(statement, 5).sql).toBe('SELECT a FROM t\nLIMIT 5')
  })
})
