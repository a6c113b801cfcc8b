import { describe, expect, it } from 'vitest'
import type { SimilarVerifiedQuery } from '../../src/domain/verified-query.ts'
import { makeVerifiedSimilarity } from '../../src/ranking/evidence.ts'
import { sqlSkeleton } from '../../src/sql/analyze/sql-skeleton.ts'

const near = (
  sql: string,
  likeness = 1,
  given: Partial<SimilarVerifiedQuery['query']> = {},
): SimilarVerifiedQuery => ({
  likeness,
  query: {
    id: 'v',
    database: 'yard',
    question: 'q',
    maskedQuestion: 'q',
    sql,
    skeleton: sqlSkeleton(sql, 'postgres'),
    slots: [],
    touches: null,
    fingerprint: 'f',
    status: 'accepted',
    savedBy: null,
    savedAt: new Date(0),
    decidedBy: null,
    decidedAt: null,
    ...given,
  },
})

const verified = "select count(*) from boats join ports using (port_id) where ports.country = 'Norway'"

const measure = (sql: string, ...of: readonly SimilarVerifiedQuery[]) =>
  makeVerifiedSimilarity(of, 'postgres')(sql)

describe('likeness to verified SQL', () => {
  it('is that of the questions where the SQL is the same but for its literals', () => {
    const candidate = verified.replace('Norway', 'Chile')
    expect(measure(candidate, near(verified))).toBe(1)
    expect(measure(candidate, near(verified, 0.6))).toBeCloseTo(0.6)
  })

  it('falls with other tables, and with another shape', () => {
    const otherTables = "select count(*) from crews join towns using (town_id) where towns.country = 'Norway'"
    const otherShape = 'select boats.name, ports.name from boats cross join ports order by 1 limit 3'
    const neither = 'select max(salary) from crews group by rank having count(*) > 3'
    const [tables, shape, none] = [otherTables, otherShape, neither].map(sql => measure(sql, near(verified)))
    expect(tables).toBe(0.5)
    expect(shape).toBeGreaterThan(0.5)
    expect(shape).toBeLessThan(0.9)
    expect(none).toBeLessThan(0.3)
  })

  it('goes by the nearest, not by how many there are', () => {
    const far = near('select 1', 0.9)
    expect(measure(verified, far, near(verified, 0.8), far, far)).toBeCloseTo(0.8)
  })

  it('says nothing where nothing near is verified, or the SQL cannot be parsed', () => {
    expect(measure(verified)).toBe(0)
    expect(measure(verified, near(verified, 0.3))).toBe(0)
    expect(measure('select from where', near(verified))).toBe(0)
  })

  it('reads tables of what was kept where it was, and goes by tables alone where the shape is not known', () => {
    const touches = [{ schema: null, name: 'Crews', whole: false, columns: [], definition: null }]
    expect(measure('select 1 from crews', near('select 1 from boats', 1, { touches }))).toBe(1)
    expect(measure(verified, near(verified, 1, { skeleton: null }))).toBe(0.5)
  })
})
