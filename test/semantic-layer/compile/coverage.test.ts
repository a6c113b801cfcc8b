import { describe, expect, it } from 'vitest'
import type { MetricQuery } from '../../../src/domain/metrics/metric-query.ts'
import { provenQueries as queries } from './proof/generate-queries.ts'
import { answerOf } from './proof/reference-answer.ts'

/** The kinds of everything in a value that has one, with what tells some of them apart. */
const kindsIn = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(kindsIn)
  if (typeof value !== 'object' || value === null) return []
  const { kind, negated, aggregation, grain, part, lag } = value as Readonly<Record<string, unknown>>
  const own = typeof kind === 'string' ? [kind] : []
  return [
    ...own,
    ...(negated === true ? own.map(one => `not ${one}`) : []),
    ...[aggregation, grain, part, lag].filter(one => typeof one === 'string'),
    ...Object.values(value).flatMap(kindsIn),
  ]
}

const kindsAt = (field: keyof MetricQuery): ReadonlySet<string> =>
  new Set(queries.flatMap(query => kindsIn(query[field])))

describe('the queries that are proven', () => {
  it.each<[field: keyof MetricQuery, kinds: string]>([
    ['metrics', 'named made ratio sum count_distinct avg min max median percentile'],
    ['groupBy', 'dimension grain part model cohort day week month quarter year weekday hour month-of-year'],
    ['filters', 'values compare compare-dimensions match missing period segment related measured any'],
    ['filters', 'not values,not match,not missing,not period,not segment,not related'],
    ['compare', 'period series previous year'],
    ['share', 'total group'],
    ['running', 'total to-date moving-average mean'],
    ['order', 'metric change dimension key'],
    ['having', 'named'],
    ['limitPer', 'dimension'],
  ])('have every kind of %s: %s', (field, kinds) => {
    const found = kindsAt(field)
    const wanted = kinds.split(kinds.includes(',') ? ',' : ' ')
    expect(wanted.filter(kind => !found.has(kind))).toEqual([])
  })

  it('mostly have answers', () => {
    const empty = queries.filter(query => answerOf(query).rows.length === 0)
    expect(empty.length / queries.length).toBeLessThan(0.15)
  })
})
