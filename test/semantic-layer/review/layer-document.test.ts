import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '../../../src/databases/open-database.ts'
import type { LayerExpression, SemanticLayer } from '../../../src/domain/metrics/semantic-layer.ts'
import { buildLayer } from '../../../src/semantic-layer/build/build-layer.ts'
import { definitionOf } from '../../../src/semantic-layer/build/merge-metrics.ts'
import { layerFileText } from '../../../src/semantic-layer/files/write-layer-file.ts'
import { proposeLayer } from '../../../src/semantic-layer/propose/propose-layer.ts'
import {
  describeMetric,
  describeModel,
  describeSegment,
} from '../../../src/semantic-layer/review/describe-item.ts'
import {
  listProposals,
  type ReviewDecision,
  type ReviewItem,
  writeDecision,
} from '../../../src/semantic-layer/review/layer-document.ts'
import { layerFile, openShop } from '../shop.ts'

let shop: OpenDatabase

beforeAll(async () => {
  shop = await openShop()
})

afterAll(() => shop.close())

const layer = () => proposeLayer(shop.database.catalog)

const write = (text: string | null, decision: ReviewDecision): string =>
  writeDecision(text, decision, {
    database: 'shop',
    layer: layer(),
    dialect: 'sqlite',
    file: 'semantic/shop.yml',
  })

const accept = (
  of: ReviewItem,
  words: { label?: string; synonyms?: readonly string[] } = {},
): ReviewDecision => ({
  kind: 'accept',
  of,
  label: of.item.label,
  synonyms: of.item.synonyms,
  ...words,
})

const named = (kind: ReviewItem['kind'], name: string): ReviewItem =>
  listProposals(layer()).find(one => one.kind === kind && one.item.name === name)!

const acceptNext = (text: string | null, item: ReviewItem): string => write(text, accept(item))

const writeLayer = (of: SemanticLayer): string =>
  layerFileText(of, { database: 'shop', catalog: shop.database.catalog, comment: ' All of it.' })

/** With the names of tables and columns in capitals, as Snowflake has them. */
const inCapitals = ({ models, metrics, segments }: SemanticLayer): SemanticLayer => {
  const upper = <Of extends LayerExpression | null>(of: Of): Of =>
    of?.kind === 'column' ? { ...of, column: of.column.toUpperCase() } : of
  return {
    segments,
    metrics: metrics.map(metric =>
      metric.kind === 'simple' ? { ...metric, expression: upper(metric.expression) } : metric,
    ),
    models: models.map(model => ({
      ...model,
      table: { schema: 'PROD', name: model.table.name.toUpperCase() },
      primaryKey: model.primaryKey.map(column => column.toUpperCase()),
      dimensions: model.dimensions.map(one => ({ ...one, expression: upper(one.expression) })),
      joins: model.joins.map(join => ({
        ...join,
        columns: join.columns.map(({ from, to }) => ({ from: from.toUpperCase(), to: to.toUpperCase() })),
      })),
    })),
  }
}

describe('a reviewed proposal', () => {
  it('is written with its words, below what the file has already', () => {
    const before = `# Ours.
database: shop
semantic_models:
  - name: order # what people buy
    table: orders
    metrics:
      # counted at the till
      - { name: orders, agg: count }
`
    const text = write(before, accept(named('metric', 'revenue'), { label: 'Turnover', synonyms: ['sales'] }))
    expect(text).toBe(
      `${before}      - { name: revenue, label: Turnover, synonyms: [ sales ], agg: sum, expr: total_cents, unit: { currency: unknown, scale: 0.01 }, better: up }\n`,
    )
  })

  it('is not proposed again after it was rejected', () => {
    const rejected = write(write(null, { kind: 'reject', of: named('metric', 'revenue') }), {
      kind: 'reject',
      of: named('model', 'audit_log'),
    })
    expect(rejected).toBe('database: shop\nrejected: [ revenue ]\nexclude: [ audit_log ]\n')
  })

  it.each([
    ['decision by decision', () => listProposals(layer()).reduce(acceptNext, null)],
    ['at once', () => writeLayer(layer())],
    ['at once, as a tool writes it that has all names in capitals', () => writeLayer(inCapitals(layer()))],
  ] as const)(
    'says the same when everything is accepted %s, and nothing is proposed anymore',
    (_, writeAll) => {
      const file = layerFile(writeAll() ?? '')
      const built = buildLayer({ files: [file], terms: [] }, shop.database.catalog)
      expect(built.problems).toEqual([])
      expect(listProposals(built.layer)).toEqual([])
      const plain = (metrics: ReturnType<typeof layer>['metrics']) =>
        Object.fromEntries(
          metrics.map(metric => [
            metric.name,
            [metric.label, metric.synonyms, metric.unit, definitionOf(metric)],
          ]),
        )
      expect(plain(built.layer.metrics)).toEqual(plain(layer().metrics))
      const segments = (list: ReturnType<typeof layer>['segments']) =>
        list.map(({ name, label, synonyms, conditions }) => ({ name, label, synonyms, conditions }))
      expect(segments(built.layer.segments)).toEqual(segments(layer().segments))
      const models = (list: ReturnType<typeof layer>['models']) =>
        list.map(({ status: _, ...model }) => model)
      expect(models(built.layer.models)).toEqual(models(layer().models))
    },
  )

  it('cannot be added to a file that is not YAML', () => {
    expect(() => write('a: [', accept(named('metric', 'revenue')))).toThrow(
      'Cannot add to semantic/shop.yml, because it is not valid YAML. Correct it first.',
    )
  })
})

describe('what something means, in words', () => {
  it('is said of metrics, segments and models', () => {
    const { layer: built } = buildLayer(
      {
        files: [
          layerFile(`
semantic_models:
  - name: order
    metrics:
      - { name: net, label: Net revenue, agg: sum, expr: total_cents, filter: "status <> 'cancelled'" }
      - { name: orders, agg: count }
      - { name: buyers, agg: count_distinct, expr: customer_id, agg_time_dimension: shipped_at }
      - { name: wait, agg: avg, duration: { from: placed_at, until: shipped_at, unit: hour } }
metrics:
  - { name: per_order, type: ratio, numerator: net, denominator: orders }
  - { name: rest, type: derived, expr: net - 2 * orders }
  - { name: running, type: cumulative, metric: net, grain_to_date: year }
segments:
  - { name: active, model: customer, where: closed_at IS NULL, has: { model: order, within_days: 30 }, has_not: { model: order, where: status = 'cancelled' } }
`),
        ],
        terms: [],
      },
      shop.database.catalog,
    )
    expect(built.metrics.slice(0, 7).map(metric => describeMetric(metric, built))).toEqual([
      'sum of total of orders where status is not cancelled',
      'number of orders',
      'number of different customer id of orders, by shipped',
      'average hours from placed to shipped of orders',
      'Net revenue divided by Orders',
      'Net revenue - 2 * Orders',
      'Net revenue, added up since the start of the year',
    ])
    expect(describeSegment(built.segments[0]!, built)).toBe(
      'customers where closed is empty and with orders of the last 30 days and without orders where status is cancelled',
    )
    const order = built.models.find(({ name }) => name === 'order')!
    expect(describeModel(order)).toBe('a row of orders; dated by placed; named by number')
  })
})
