import { describe, expect, it } from 'vitest'
import type { StatementPartKind } from '../../../src/domain/candidate.ts'
import type { ParseDialect } from '../../../src/domain/sql.ts'
import { statementParts } from '../../../src/ranking/features/observe-candidate.ts'
import { sqlLiterals, sqlReferences } from '../../../src/sql/analyze/sql-scopes.ts'
import { sqlShape } from '../../../src/sql/analyze/sql-shape.ts'
import { sqlSkeleton } from '../../../src/sql/analyze/sql-skeleton.ts'

const partsOf = (sql: string, dialect: ParseDialect) =>
  statementParts({
    shape: sqlShape(sql, dialect),
    references: sqlReferences(sql, dialect),
    literals: sqlLiterals(sql, dialect) ?? [],
    skeleton: sqlSkeleton(sql, dialect),
  })

const kinds: readonly StatementPartKind[] = ['table', 'column', 'clause', 'literal', 'skeleton']

/** Kinds in which two statements are not the same. */
const apart = (a: string, b: string, dialect: ParseDialect): readonly StatementPartKind[] => {
  const [left, right] = [partsOf(a, dialect), partsOf(b, dialect)]
  return kinds.filter(kind => JSON.stringify(left[kind]) !== JSON.stringify(right[kind]))
}

const plain = "select p.name from plant p join grower g on g.grower_id = p.grower_id where g.city = 'Lund'"

describe.each(['sqlite', 'postgres'] as const)('the parts of a statement, %s', dialect => {
  it('are the same however it is spelled', () => {
    expect(apart(plain, plain.toUpperCase().replace('LUND', 'Lund'), dialect)).toEqual([])
    expect(
      apart(
        plain,
        "select x.name from plant as x inner join grower as y on y.grower_id = x.grower_id where y.city = 'Lund'",
        dialect,
      ).filter(kind => kind !== 'skeleton'),
    ).toEqual([])
    expect(apart('select name, price from plant', 'select price, name from plant', dialect)).not.toContain(
      'clause',
    )
  })

  it('tell apart what is read, compared with and built otherwise', () => {
    expect(apart(plain, plain.replace('Lund', 'Umea'), dialect)).toEqual(['literal'])
    expect(apart(plain, plain.replace('g.city', 'g.grower_name'), dialect)).toContain('column')
    expect(apart('select name from plant', 'select name from weather', dialect)).toContain('table')
    expect(apart(plain, plain.replace('select', 'select distinct'), dialect)).toContain('clause')
  })

  it('are hashes, each once and in order', () => {
    const parts = partsOf(plain, dialect)
    for (const kind of kinds) {
      expect(parts[kind].length).toBeGreaterThan(0)
      expect(parts[kind]).toEqual([...new Set(parts[kind])].sort())
      for (const hash of parts[kind]) expect(hash).toMatch(/^[0-9a-f]{10}$/)
    }
    expect(parts.table).toHaveLength(2)
    expect(parts.literal).toHaveLength(1)
  })

  it('are none of a text that nobody can read', () => {
    expect(partsOf('select name, from where', dialect)).toMatchObject({ table: [], column: [], clause: [] })
  })
})
