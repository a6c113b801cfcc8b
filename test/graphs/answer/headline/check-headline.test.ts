import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkHeadline } from '../../../../graphs/answer/headline/check-headline.ts'
import { composeHeadline } from '../../../../graphs/answer/headline/compose-headline.ts'
import type {
  AnswerSubject,
  ColumnMeaning,
  FigureKind,
} from '../../../../src/domain/metrics/answer-meaning.ts'
import { withMeaning } from '../../../../src/domain/metrics/answer-meaning.ts'
import type { Unit } from '../../../../src/domain/metrics/semantic-layer.ts'
import type { Cell } from '../../../../src/domain/result.ts'
import { formatFigure } from '../../../../src/lib/format-figure.ts'
import '../../../helpers/fixed-seed.ts'

const TODAY = '2026-11-20'

const euros: Unit = { kind: 'currency', code: 'EUR', scale: 0.01 }

const figure = (label: string, unit: Unit = { kind: 'count' }, of: FigureKind = 'value'): ColumnMeaning => ({
  label,
  unit,
  role: { kind: 'figure', of, goodDirection: null, isAdditive: of === 'value' },
})

const region: ColumnMeaning = { label: 'Region', unit: null, role: { kind: 'category', isOrdered: false } }

const month: ColumnMeaning = { label: 'Month', unit: null, role: { kind: 'period', grain: 'month' } }

const october = { from: '2026-10-01', until: '2026-11-01', phrase: 'last month', verb: null }

const emptySubject: AnswerSubject = {
  ...{ columns: [], rowsOf: null, groupsOf: null, countsOf: null, period: null, conditions: [] },
  ...{ isComplete: true, order: null, limit: null, limitsGroups: false, compare: null },
  ...{ isYesNo: false, extent: null },
}

/** A described result, as a function that checks headlines about it. */
const about = (
  columns: readonly ColumnMeaning[],
  rows: readonly (readonly Cell[])[],
  given: Partial<AnswerSubject> & { readonly question?: string } = {},
) => {
  const { question = 'How was it last month?', ...more } = given
  const subject = { ...emptySubject, period: october, ...more, columns }
  const table = withMeaning(
    {
      columns: columns.map(({ label }) => ({ name: label, kind: 'unknown' })),
      ...{ rows, truncated: null, milliseconds: 1 },
    },
    columns,
  )
  if (table === null) throw new Error('the columns differ')
  const composed = composeHeadline(subject, table, TODAY) ?? ''
  return {
    composed,
    passes: (phrased: string): boolean =>
      checkHeadline(phrased, { question, composed, table, subject }) === phrased,
  }
}

const orders = about(
  [region, figure('Orders')],
  [
    ['East', 412],
    ['West', 389],
    ['North', 330],
    ['South', 297],
  ],
)

const revenue = about([figure('Revenue', euros)], [[33_914_759]])

const series = about(
  [month, figure('Revenue', euros)],
  [
    ['2026-01-01', 20_000_000],
    ['2026-05-01', 38_812_345],
    ['2026-10-01', 29_400_000],
    ['2026-11-01', 9_000_000],
  ],
  { period: null },
)

describe('a right headline passes', () => {
  it.each([
    orders.composed,
    'East led with 412 of 1,428 orders in October (29%)',
    'In October 2026, East had the most orders: 412, or 28.9% of 1,428',
    'East leads October with 412 orders, ahead of West with 389',
    'With 412 of 1,428 orders, East had the most',
  ])('%s', phrased => {
    expect(orders.passes(phrased)).toBe(true)
  })

  it.each([
    revenue.composed,
    'October 2026 revenue came to €339,147.59',
    'Revenue in October: €339k',
    'Revenue in October 2026 was €0.34 million',
    'Revenue was 339,148 euros in October 2026',
  ])('%s', phrased => {
    expect(revenue.passes(phrased)).toBe(true)
  })

  it.each([
    series.composed,
    'Revenue grew 47% from January to October 2026, with a peak of €388k in May; November is not over yet',
    'Revenue is up, growing 47% from Jan 2026 to Oct 2026; the peak was May at €388,123.45, and November so far has €90k',
  ])('%s', phrased => {
    expect(series.passes(phrased)).toBe(true)
  })

  it('with a figure that shrank', () => {
    const shrank = about(
      [region, figure('Revenue', euros), figure('Revenue growth', { kind: 'percent', scale: 100 }, 'growth')],
      [
        ['East', 50_000, -0.21],
        ['West', 60_000, 0.05],
      ],
      { order: { label: 'Growth', direction: 'asc', column: 2, isChange: true } as never },
    )
    expect(shrank.composed).toMatch(/East fell the most/)
    expect(shrank.passes('East fell the most in October 2026: revenue down 21%')).toBe(true)
    expect(shrank.passes('East grew 21% in October 2026')).toBe(false)
    expect(shrank.passes('East fell 21% and West fell 5%')).toBe(false)
  })
})

describe('a wrong headline does not pass', () => {
  it.each([
    ['a figure of another row', 'East led with 389 of 1,428 orders in October'],
    ['the figure of a leader with another', 'West led with 412 orders in October'],
    ['another leader beside the right figure', 'West led with 412 orders from East in October'],
    ['the total given to a row', 'East had the most orders in October: 1,428'],
    ['the number of rows given to a row', 'East had the most orders in October: 4'],
    ['a wrong share', 'East had the most orders: 412 of 1,428 (31%)'],
    ['a wrong rounding', 'East had the most orders: 0.5k'],
    ['one digit', 'East led with about 400 orders'],
    ['another unit', 'East led with €412'],
    ['a percentage of what is a number', 'East led with 412%'],
    ['another month', 'East led in September with 412 orders'],
    ['another year', 'East led in October 2025 with 412 orders'],
    ['a name that nobody said', 'Central led with 412 orders in October'],
    ['a quoted name that nobody said', 'East led “the big shop” with 412 orders'],
    ['the other end', 'East had the fewest orders in October: 412'],
    ['a change that nobody computed', 'Orders in East grew to 412 in October'],
    ['a number in words', 'East led with four hundred orders'],
    ['a multiple', 'East had twice the orders of South'],
    ['a bound', 'East had more than 412 orders in October'],
    ['a reason', 'East led with 412 orders because of its stores'],
    ['a denial', 'East did not lead with 412 orders'],
    ['an average', 'East had an average of 412 orders'],
    ['digits of another script', 'East led with ٤١٢ orders'],
    ['a number with letters', 'East led with 412x orders'],
    ['a count that looks like a year', 'East led with 2026 orders'],
    ['two lines', 'East led with 412 orders\nin October'],
    ['a link', 'East led with 412 orders, see https://example.com/a'],
    ['a mention', 'East led with 412 orders, <@U1>'],
    ['markup', '*East* led with 412 orders'],
    ['too many words', `East led with 412 orders${' in October'.repeat(20)}`],
    ['nothing', ' '],
  ])('because of %s', (_, phrased) => {
    expect(orders.passes(phrased)).toBe(false)
  })

  it.each([
    ['the wrong direction', 'Revenue fell 47% from January to October 2026; November is not over yet'],
    ['a peak elsewhere', 'Revenue grew 47%, with a peak of €388k in October; November is not over yet'],
    ['nothing said of a running month', 'Revenue grew 47% from January to October 2026, peak in May, €388k'],
  ])('because of %s', (_, phrased) => {
    expect(series.passes(phrased)).toBe(false)
  })

  it('because it says that there is something where nothing is', () => {
    const nothing = about([figure('Orders')], [[0]])
    expect(nothing.composed).toBe('No orders last month.')
    expect(nothing.passes('There were no orders last month.')).toBe(true)
    expect(nothing.passes('There were orders last month.')).toBe(false)
  })

  it('because it takes two columns for one another', () => {
    const both = about([figure('Orders'), figure('Customers')], [[412, 98]])
    expect(both.passes('412 orders by 98 customers in October 2026')).toBe(true)
    expect(both.passes('98 orders by 412 customers in October 2026')).toBe(false)
  })
})

/** Distinct counts by region, the highest first. */
const counts = fc
  .uniqueArray(fc.integer({ min: 100, max: 99_999 }), { minLength: 2, maxLength: 5 })
  .map(values => values.toSorted((a, b) => b - a))

const regionNames = ['East', 'West', 'North', 'South', 'Center']

const n = (value: number): string => value.toLocaleString('en-US')

const percent = (part: number, whole: number): string =>
  formatFigure(part / whole, { kind: 'percent', scale: 100 })

/** Right headlines about counts by region, as parts so that one figure can be replaced. */
const forms = (values: readonly number[]): readonly (readonly string[])[] => {
  const [first = 0] = values
  const total = values.reduce((sum, value) => sum + value, 0)
  return [
    ['East had the most orders: ', n(first), ''],
    ['East led with ', n(first), ' orders in October 2026'],
    ['East led October with ', n(first), ` of ${n(total)} orders`],
    [`East had the most orders: ${n(first)} of `, n(total), ''],
    [`East had the most orders: ${n(first)} of ${n(total)} (`, percent(first, total), ')'],
    [`East leads with ${n(first)} orders, West has `, n(values[1] ?? 0), ''],
  ]
}

describe('for any result', () => {
  it('right figures pass', () => {
    fc.assert(
      fc.property(counts, values => {
        const rows = values.map((value, i) => [regionNames[i] ?? '', value])
        const { passes, composed } = about([region, figure('Orders')], rows)
        expect(passes(composed)).toBe(true)
        for (const parts of forms(values))
          expect([parts.join(''), passes(parts.join(''))]).toEqual([parts.join(''), true])
      }),
    )
  })

  it('no other figure passes in the place of a right one', () => {
    const other = fc.oneof(
      fc.integer({ min: 0, max: 500_000 }).map(n),
      fc.integer({ min: 0, max: 500_000 }).map(String),
      fc.double({ min: 0, max: 500, noNaN: true }).map(value => `${value.toFixed(1)}k`),
      fc.integer({ min: 0, max: 300 }).map(value => `${value}%`),
      fc.double({ min: 0, max: 100, noNaN: true }).map(value => `${value.toFixed(1)}%`),
      fc.integer({ min: 1, max: 9 }).map(digit => ({ digit })),
    )
    fc.assert(
      fc.property(counts, fc.nat(5), other, (values, at, drawn) => {
        const parts = forms(values)[at] ?? []
        const [before = '', right = '', after = ''] = parts
        // One digit of the right figure is another one.
        const wrong =
          typeof drawn === 'string'
            ? drawn
            : right.replace(/\d(?!.*\d)/, last => String((Number(last) + drawn.digit) % 10))
        const shown = Number(wrong.replace(/[,%k]/g, '')) * (wrong.endsWith('k') ? 1_000 : 1)
        const step = (wrong.includes('.') ? 0.1 : 1) * (wrong.endsWith('k') ? 1_000 : 1)
        const total = values.reduce((sum, value) => sum + value, 0)
        const row = at === 5 ? (values[1] ?? 0) : (values[0] ?? 0)
        const isPercent = wrong.endsWith('%')
        const truths = isPercent
          ? [(row / total) * 100]
          : at === 2 || at < 2 || at === 5
            ? [row]
            : [total, row]
        // What is the right figure in another form is not wrong.
        fc.pre(!truths.some(truth => Math.abs(truth - shown) <= step / 2 + 1e-6))
        const rows = values.map((value, i) => [regionNames[i] ?? '', value])
        const { passes } = about([region, figure('Orders')], rows)
        expect([`${before}${wrong}${after}`, passes(`${before}${wrong}${after}`)]).toEqual([
          `${before}${wrong}${after}`,
          false,
        ])
      }),
      { numRuns: 2_000 },
    )
  })

  it('no other amount of money passes', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 99_999_999 }),
        fc.integer({ min: 1, max: 99_999_999 }),
        (cents, other) => {
          const { passes } = about([figure('Revenue', euros)], [[cents]])
          expect(passes(`Revenue in October 2026: ${formatFigure(cents, euros)}`)).toBe(true)
          const wrong = formatFigure(other, euros)
          fc.pre(wrong !== formatFigure(cents, euros))
          expect(passes(`Revenue in October 2026: ${wrong}`)).toBe(false)
        },
      ),
      { numRuns: 500 },
    )
  })
})
