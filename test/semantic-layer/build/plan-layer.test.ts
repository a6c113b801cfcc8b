import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '../../../src/databases/open-database.ts'
import { SqlError } from '../../../src/domain/errors.ts'
import { buildPlannedLayer } from '../../../src/semantic-layer/build/plan-layer.ts'
import { layerFile, openShop, problemsOf, term } from '../shop.ts'

let shop: OpenDatabase

beforeAll(async () => {
  shop = await openShop()
})

afterAll(() => shop.close())

const options = { today: '2026-11-20', timeZone: 'UTC' }

const file = layerFile(`semantic_models:
  - name: order
    dimensions:
      - { name: half, type: number, expr: total_cents / halve(2) }
      - { name: day_name, expr: "substr(placed_at, 1, 10)" }
    metrics:
      - { name: good, agg: sum, expr: total_cents * 2 }
      - { name: bad, agg: sum, expr: total_cents + totl_cents }
      - { name: worse, agg: count, filter: "status = = 'paid'" }
      - { name: sly, agg: count, filter: "status = 'paid') or (1 = 1" }
      - { name: gone, agg: sum, expr: "load_extension('x')" }
metrics:
  - { name: twice, type: derived, expr: bad * 2 }
segments:
  - { name: recent, model: customer, has: { model: order, where: "status <> 'cancelled'", within_days: 30 } }
  - { name: odd, model: customer, where: nme = 'Ada' }
`)

describe('a planned layer', () => {
  it('leaves out what does not run, and says why with the line', async () => {
    const planned = await buildPlannedLayer(
      { files: [file], terms: [term('odd share', 'sum(orders.total_cents) / sum(orders.id + missing)')] },
      shop.database,
      options,
    )
    const { layer, notes } = planned
    expect(problemsOf(planned)).toEqual([
      expect.stringMatching(/^4: the dimension order\.half does not run: .*halve/),
      '8: the metric bad does not run: no such column: totl_cents; did you mean total_cents?',
      expect.stringMatching(/^9: the metric worse does not run: /),
      "10: filter: the brackets of “status = 'paid') or (1 = 1” do not match",
      expect.stringMatching(/^11: the metric gone does not run: .*load_extension/),
      '13: twice needs the metric bad, which has a problem of its own',
      expect.stringMatching(/^16: the segment odd does not run: no such column: nme/),
    ])
    expect(layer.metrics.flatMap(({ name, status }) => (status === 'accepted' ? [name] : []))).toEqual([
      'good',
    ])
    expect(layer.segments[0]?.name).toBe('recent')
    expect(layer.models.find(({ name }) => name === 'order')?.dimensions.map(({ name }) => name)).toContain(
      'day_name',
    )
    expect(notes.map(({ message }) => message)).toEqual([
      'odd_share needs the metric odd_share_part_2, which has a problem of its own',
      'the metric odd_share_part_2 does not run: no such column: missing',
    ])
  })

  it('plans totals over the last periods by period, since they have no figure without', async () => {
    const windows = layerFile(`semantic_models:
  - name: order
    metrics:
      - { name: takings, agg: sum, expr: total_cents }
      - { name: typical, agg: median, expr: total_cents }
metrics:
  - { name: week, type: cumulative, metric: takings, window: 7 days }
  - { name: quarter, type: cumulative, metric: takings, window: 3 months }
  - { name: double_week, type: derived, expr: week * 2 }
  - { name: year_to_date, type: cumulative, metric: takings, grain_to_date: year }
  - { name: mixed, type: derived, expr: week + quarter }
  - { name: rolling_median, type: cumulative, metric: typical, window: 7 days }
`)
    const planned = await buildPlannedLayer({ files: [windows], terms: [] }, shop.database, options)
    expect(problemsOf(planned)).toEqual([
      '11: the metric mixed does not run: a total over 3 months in periods of a day',
      '12: the metric rolling_median does not run: a running total of typical, which does not add up',
    ])
    expect(planned.layer.metrics.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['week', 'quarter', 'double_week', 'year_to_date']),
    )
  })

  it('keeps everything if the database is too busy to plan', async () => {
    const { problems, layer } = await buildPlannedLayer(
      { files: [file], terms: [] },
      {
        ...shop.database,
        guard: sql => ({ verdict: 'allow', guarded: { sql, dialect: 'sqlite' } as never }),
        estimate: async () => {
          throw new SqlError('timeout', 'took too long')
        },
      },
      options,
    )
    expect(problems).toHaveLength(1)
    expect(layer.metrics.some(({ name }) => name === 'bad')).toBe(true)
  })
})
