import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '../../../src/databases/open-database.ts'
import type { LayerDecision, ProposalKey } from '../../../src/domain/metrics/layer-decision.ts'
import { buildPlannedLayer } from '../../../src/semantic-layer/build/plan-layer.ts'
import {
  makeDecideProposal,
  makeFindProposal,
  proposalsOf,
} from '../../../src/semantic-layer/review/decide-proposal.ts'
import { layerFile, openShop } from '../shop.ts'

let shop: OpenDatabase
let decisions: LayerDecision[] = []
let file = ''

beforeAll(async () => {
  shop = await openShop()
})

afterAll(() => shop.close())

beforeEach(() => {
  decisions = []
  file = ''
})

const build = () =>
  buildPlannedLayer({ files: file === '' ? [] : [layerFile(file)], terms: [], decisions }, shop.database, {
    today: '2026-11-20',
    timeZone: 'UTC',
  })

const readLayer = async () => ({ layer: (await build()).layer, dialect: 'sqlite' as const })

const invalidated: string[] = []

const decideProposal = makeDecideProposal({
  readLayer,
  insert: async decision => {
    decisions = [...decisions.filter(({ name }) => name !== decision.name), decision]
  },
  invalidate: database => void invalidated.push(database),
  newId: () => crypto.randomUUID(),
  now: () => new Date('2026-11-20T12:00:00Z'),
})

const key = (name: string, kind: ProposalKey['kind'] = 'metric') => ({ database: 'shop', kind, name })

const accept = (of: ProposalKey, words?: { label: string; synonyms: readonly string[] }) =>
  decideProposal({ ...of, decision: { status: 'accepted', ...(words && { words }) }, by: 'U1' })

const proposed = async () => proposalsOf((await build()).layer, 'shop')

const metric = async (name: string) => (await build()).layer.metrics.find(one => one.name === name)

const segment = async (name: string) => (await build()).layer.segments.find(one => one.name === name)

describe('a proposal', () => {
  it('is shown in plain words, and counts of rows come last', async () => {
    const shown = await proposed()
    expect(shown[0]).toEqual({
      ...key('revenue'),
      label: 'Revenue',
      synonyms: expect.arrayContaining(['sales', 'turnover']),
      meaning: 'sum of total of orders',
    })
    expect(Object.fromEntries(shown.map(({ name, meaning }) => [name, meaning]))).toMatchObject({
      order_line_amount: 'sum of quantity × product price of order lines',
      average_order_value: 'Revenue divided by Orders',
      open_customer: 'customers where closed is empty',
      unpaid_order: 'orders where status is not paid or cancelled',
    })
    expect(shown.slice(-5).map(({ meaning }) => meaning)).toEqual(
      Array.from({ length: 5 }, () => expect.stringMatching(/^number of /)),
    )
  })

  it('that is accepted keeps its definition, is no proposal any more, and says who decided', async () => {
    const before = await metric('revenue')
    expect(await accept(key('revenue'))).toEqual({ status: 'decided', label: 'Revenue' })
    expect(invalidated.at(-1)).toBe('shop')
    expect(decisions).toEqual([
      expect.objectContaining({
        ...key('revenue'),
        status: 'accepted',
        decidedBy: 'U1',
        tables: { order: 'orders' },
      }),
    ])
    expect(await metric('revenue')).toEqual({ ...before, status: 'accepted' })
    expect((await proposed()).map(({ name }) => name)).not.toContain('revenue')
    expect(await accept(key('revenue'))).toEqual({ status: 'gone' })
    expect(await makeFindProposal({ readLayer })(key('revenue'))).toBeNull()
  })

  it('gets other words, but no label that something else has', async () => {
    expect(await accept(key('order_shipping_eur'), { label: 'revenues', synonyms: [] })).toEqual({
      status: 'taken',
      label: 'revenues',
    })
    expect(decisions).toEqual([])
    await accept(key('order_shipping_eur'), { label: 'Shipping fees', synonyms: ['postage'] })
    expect(await metric('order_shipping_eur')).toMatchObject({
      label: 'Shipping fees',
      synonyms: ['postage'],
      status: 'accepted',
      unit: { kind: 'currency', code: 'EUR', scale: 1 },
    })
    await accept(key('unpaid_order', 'segment'), { label: 'Overdue order', synonyms: [] })
    expect(await segment('unpaid_order')).toMatchObject({ label: 'Overdue order', status: 'accepted' })
  })

  it('that is rejected is not proposed again, and what another decision says later counts', async () => {
    expect(await decideProposal({ ...key('revenue'), decision: { status: 'rejected' }, by: null })).toEqual({
      status: 'decided',
      label: 'Revenue',
    })
    expect(await metric('revenue')).toBeUndefined()
    await decideProposal({ ...key('open_customer', 'segment'), decision: { status: 'rejected' }, by: null })
    expect(await segment('open_customer')).toBeUndefined()
    expect(await accept(key('revenue'))).toEqual({ status: 'gone' })
  })

  it('that all were accepted leaves nothing to decide, and means the same', async () => {
    const before = (await build()).layer
    for (const one of await proposed()) await accept(one)
    const built = await build()
    expect(await proposed()).toEqual([])
    expect([built.problems, built.notes]).toEqual([[], []])
    const byName = <Item extends { name: string }>(items: readonly Item[]) =>
      items.map(one => ({ ...one, status: 'accepted' })).toSorted((a, b) => (a.name < b.name ? -1 : 1))
    expect(byName(built.layer.metrics)).toEqual(byName(before.metrics))
    expect(byName(built.layer.segments)).toEqual(byName(before.segments))
  })
})

describe('a decision', () => {
  it('gives way to a file without a problem, also one that rejects', async () => {
    await accept(key('revenue'), { label: 'Takings', synonyms: ['sales'] })
    file = 'semantic_models: [{ name: order, metrics: [{ name: revenue, agg: sum, expr: shipping_eur }] }]'
    const built = await build()
    expect([built.problems, built.notes]).toEqual([[], []])
    expect(built.layer.metrics.filter(({ name }) => name === 'revenue')).toEqual([
      expect.objectContaining({ label: 'Revenue', expression: { kind: 'column', column: 'shipping_eur' } }),
    ])
    decisions = []
    await decideProposal({ ...key('order_count'), decision: { status: 'rejected' }, by: 'U1' })
    file = 'semantic_models: [{ name: order, metrics: [{ name: order_count, agg: count }] }]'
    expect(await metric('order_count')).toMatchObject({ status: 'accepted' })
  })

  it('goes with its table when a file gives the model another name', async () => {
    await accept(key('revenue'))
    await accept(key('shipped_order', 'segment'))
    file = 'semantic_models: [{ name: purchase, table: orders }]'
    const built = await build()
    expect([built.problems, built.notes]).toEqual([[], []])
    expect(await metric('revenue')).toMatchObject({ model: 'purchase', status: 'accepted' })
    expect(await segment('shipped_order')).toMatchObject({ model: 'purchase', status: 'accepted' })
  })

  it('about a column that is gone is left out with a note, and the rest works', async () => {
    await accept(key('revenue'))
    const [made] = decisions
    decisions = [{ ...made!, definition: made!.definition.replace('total_cents', 'amount_cents') }]
    const built = await build()
    expect(built.problems).toEqual([])
    expect(built.notes).toEqual([
      {
        at: { file: 'App Home, metric revenue', line: expect.any(Number) },
        message: expect.stringContaining('the table orders has no column amount_cents'),
      },
    ])
    expect(await metric('revenue')).toMatchObject({ status: 'proposed' })
  })
})
