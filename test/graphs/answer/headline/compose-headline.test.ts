import { describe, expect, it } from 'vitest'
import { composeHeadline } from '../../../../graphs/answer/headline/compose-headline.ts'
import { nearestMoment } from '../../../../graphs/answer/headline/describe-result.ts'
import { periodText } from '../../../../graphs/answer/headline/period-text.ts'
import type {
  AnswerSubject,
  ColumnMeaning,
  FigureKind,
} from '../../../../src/domain/metrics/answer-meaning.ts'
import type { Unit } from '../../../../src/domain/metrics/semantic-layer.ts'
import type { Cell, ResultTable } from '../../../../src/domain/result.ts'
import { isRunningPeriod } from '../../../../src/lib/format-figure.ts'

const TODAY = '2026-11-20'

const euros: Unit = { kind: 'currency', code: 'EUR', scale: 0.01 }

const figure = (
  label: string,
  unit: Unit | null = { kind: 'count' },
  of: FigureKind = 'value',
): ColumnMeaning => ({
  label,
  unit,
  role: { kind: 'figure', of, goodDirection: null, isAdditive: of === 'value' },
})

const category = (label: string): ColumnMeaning => ({
  label,
  unit: null,
  role: { kind: 'category', isOrdered: false },
})

const name = (label: string): ColumnMeaning => ({ label, unit: null, role: { kind: 'name' } })

const month: ColumnMeaning = { label: 'Month', unit: null, role: { kind: 'period', grain: 'month' } }

const october = { from: '2026-10-01', until: '2026-11-01', phrase: 'last month', verb: null }

const emptySubject: AnswerSubject = {
  columns: [],
  rowsOf: null,
  groupsOf: null,
  countsOf: null,
  period: null,
  conditions: [],
  isComplete: true,
  order: null,
  limit: null,
  limitsGroups: false,
  compare: null,
  isYesNo: false,
  extent: null,
}

const customers = { singular: 'customer', plural: 'customers' }

const say = (
  subject: Partial<AnswerSubject>,
  columns: readonly ColumnMeaning[],
  rows: readonly (readonly Cell[])[],
  isYesNo = false,
): string | null => {
  const table: ResultTable = {
    columns: columns.map(({ label }) => ({ name: label, kind: 'unknown' })),
    rows,
    truncated: null,
    milliseconds: 1,
  }
  return composeHeadline({ ...emptySubject, isYesNo, ...subject, columns }, table, TODAY)
}

describe('the headline of an answer', () => {
  it('is the measure with its period for one number', () => {
    expect(say({ period: october }, [figure('Revenue', euros)], [[33_914_759]])).toBe(
      'Revenue in October 2026: €339,147.59',
    )
  })

  it('shows the day of a figure that is a date', () => {
    expect(say({}, [figure('Last refund', null)], [['2026-11-23']])).toBe('Last refund: Nov 23, 2026')
  })

  it('says which group leads, and what part of all it has', () => {
    const rows = [
      ['East', 412],
      ['West', 600 - 12],
      ['North', 428],
    ]
    expect(say({ period: october }, [category('Region'), figure('Orders')], rows)).toBe(
      'West had the most orders in October 2026: 588 of 1,428 (41%)',
    )
  })

  it('says no part of a whole where figures do not add up', () => {
    const average: ColumnMeaning = {
      label: 'Average price',
      unit: euros,
      role: { kind: 'figure', of: 'value', goodDirection: null, isAdditive: false },
    }
    expect(
      say(
        {},
        [category('Shop'), average],
        [
          ['A', 500],
          ['B', 700],
        ],
      ),
    ).toBe('B had the highest average price: €7.00')
  })

  it('says how a series developed, its peak, and that the last month is still running', () => {
    const rows = [
      ['2026-08-01', 100],
      ['2026-09-01', 300],
      ['2026-10-01', 150],
      ['2026-11-01', 20],
    ]
    expect(say({}, [month, figure('Orders')], rows)).toBe(
      'Orders grew 50% from Aug 2026 to Oct 2026 · peak in Sep 2026, 300 · Nov 2026 is not over yet',
    )
  })

  const ranking: Partial<AnswerSubject> = {
    limit: 2,
    order: { label: 'Revenue', direction: 'desc', column: null, isChange: false },
  }
  const buyers = [
    ['Ada', 'Alm', 5_000_00],
    ['Bo', 'Berg', 10],
  ]

  it('names a ranking by what it ranks, and its leader', () => {
    expect(
      say(
        { ...ranking, groupsOf: customers },
        [name('First name'), name('Last name'), figure('Revenue', euros)],
        buyers,
      ),
    ).toBe('Top 2 customers by revenue: Ada Alm leads with €5,000')
    expect(say({ ...ranking, rowsOf: customers }, [name('First name'), name('Last name')], buyers)).toBe(
      'Top 2 customers by revenue',
    )
  })

  it('calls a yes, a no and a number by their heading', () => {
    const flag = (label: string): ColumnMeaning => ({ label, unit: null, role: { kind: 'flag' } })
    const most = (key: ColumnMeaning, value: Cell): string | null =>
      say({ limit: 1 }, [key, figure('Orders')], [[value, 7]])
    expect(most(flag('Newsletter'), false)).toBe('No newsletter had the most orders: 7')
    expect(most(flag('Is vegan'), 0)).toBe('Not vegan had the most orders: 7')
    expect(most(flag('Discounted'), 'f')).toBe('Not discounted had the most orders: 7')
    expect(most(flag('Newsletter'), 1)).toBe('Newsletter had the most orders: 7')
    expect(most(category('Priority'), 4)).toBe('Priority 4 had the most orders: 7')
  })

  it('tells how the leader has grown where that stands beside it', () => {
    const growth = figure('Growth of revenue', { kind: 'percent', scale: 100 }, 'growth')
    const led = (share: number | null): string | null =>
      say(
        {},
        [category('Region'), figure('Revenue', euros), growth],
        [
          ['East', 90_000, share],
          ['West', 10_000, 0.5],
        ],
      )
    expect(led(0.25)).toContain('East had the highest revenue: €900')
    expect(led(0.25)).toMatch(/, up 25%$/)
    expect(led(-0.1)).toMatch(/, down 10%$/)
    expect(led(null)).not.toMatch(/ up | down /)
  })

  it('says when rows happened that are ranked by that', () => {
    const signedUp: ColumnMeaning = { label: 'Signed up', unit: null, role: { kind: 'moment' } }
    const latest = (limit: number, direction: 'asc' | 'desc', rows: readonly (readonly Cell[])[]) =>
      say(
        { limit, rowsOf: customers, order: { label: 'Signed up', direction, column: 1, isChange: false } },
        [name('Customer'), signedUp],
        rows,
      )
    const rows = [
      ['Ada', '2026-11-18'],
      ['Bo', '2026-11-03'],
    ]
    expect(latest(2, 'desc', rows)).toBe('The 2 latest customers: signed up Nov 3, 2026 to Nov 18, 2026')
    expect(latest(2, 'asc', rows.toReversed())).toBe(
      'The 2 earliest customers: signed up Nov 3, 2026 to Nov 18, 2026',
    )
    expect(latest(1, 'desc', rows.slice(0, 1))).toBe('Ada: signed up Nov 18, 2026')
  })

  it('says who changed the most, and of those that all fell who fell the least', () => {
    const growth = figure('Growth of revenue', { kind: 'percent', scale: 100 }, 'growth')
    const changed = (direction: 'asc' | 'desc', share: number): string | null =>
      say(
        { limit: 1, order: { label: 'Growth', direction, column: null, isChange: true } },
        [category('Region'), figure('Revenue', euros), growth],
        [['East', 90_000, share]],
      )
    expect(changed('desc', 0.25)).toBe('East grew the most: revenue up 25%')
    expect(changed('desc', -0.1)).toBe('East fell the least: revenue down 10%')
    expect(changed('asc', -0.1)).toBe('East fell the most: revenue down 10%')
    expect(changed('asc', 0.25)).toBe('East grew the least: revenue up 25%')
  })

  it('calls a count the highest if its name is no plural', () => {
    const most = (label: string): string | null =>
      say(
        {},
        [category('Depot'), figure(label)],
        [
          ['North', 9],
          ['South', 7],
        ],
      )
    expect(most('Headcount')).toContain('North had the highest headcount')
    expect(most('Units sold')).toContain('North had the most units sold')
    expect(most('People')).toContain('North had the most people')
  })

  it('compares a running month with the same stretch of the one before', () => {
    const query: Partial<AnswerSubject> = {
      period: { ...october, from: '2026-11-01', until: '2026-12-01' },
      compare: {
        kind: 'period',
        from: '2026-10-01',
        until: '2026-10-21',
        label: 'last month',
        isSameStretch: true,
      },
    }
    const columns = [
      figure('Orders'),
      figure('Orders, before', { kind: 'count' }, 'previous'),
      figure('Orders, change', { kind: 'count' }, 'change'),
      figure('Orders, growth', { kind: 'percent', scale: 100 }, 'growth'),
    ]
    expect(say(query, columns, [[120, 100, 20, 0.2]])).toBe(
      'Orders grew 20% in November 2026 so far: 120 after 100 in the same stretch of Oct 1 to 20, 2026',
    )
  })

  it('compares the whole of a series with the year before, without the month that is still running', () => {
    const columns = [
      month,
      figure('Orders'),
      figure('Orders, before', { kind: 'count' }, 'previous'),
      figure('Orders, change', { kind: 'count' }, 'change'),
      figure('Orders, growth', { kind: 'percent', scale: 100 }, 'growth'),
    ]
    const rows = [
      ['2026-09-01', 300, 200, 100, 0.5],
      ['2026-10-01', 150, 100, 50, 0.5],
      ['2026-11-01', 20, 90, -70, -0.7],
    ]
    expect(say({ compare: { kind: 'series', lag: 'year' } }, columns, rows)).toBe(
      'Orders grew 50% on a year before: 450 from Sep 2026 to Oct 2026 after 300 · Nov 2026 is not over yet',
    )
  })

  it('answers yes or no first', () => {
    expect(say({ period: october }, [figure('Returns')], [[12]], true)).toBe(
      'Yes. 12 returns in October 2026.',
    )
    expect(say({ period: october }, [figure('Returns')], [[0]], true)).toBe('No returns last month.')
  })

  it('says who leads together, and what a series adds up to', () => {
    const tied = [
      ['Ada', 'Alm', 900],
      ['Bo', 'Berg', 900],
    ]
    expect(
      say(
        { ...ranking, groupsOf: customers },
        [name('First name'), name('Last name'), figure('Revenue', euros)],
        tied,
      ),
    ).toBe('Top 2 customers by revenue: Ada Alm and Bo Berg lead with €9.00')
    const months = [
      ['2026-10-01', 150, 150],
      ['2026-11-01', 20, 170],
    ]
    expect(
      say({}, [month, figure('Orders'), figure('Orders to date', { kind: 'count' }, 'running')], months),
    ).toBe('Orders added up to 170 by Nov 2026 so far')
  })

  const active = { words: 'active', kind: 'adjective' } as const
  const germany = { words: 'Germany', kind: 'place' } as const

  it('counts a list in its own words', () => {
    const list = (subject: Partial<AnswerSubject>, count = 2): string | null =>
      say(
        { rowsOf: customers, ...subject },
        [name('Customer')],
        ['A', 'B', 'C'].slice(0, count).map(one => [one]),
      )
    expect(list({})).toBe('2 customers')
    expect(list({ conditions: [active, germany] })).toBe('2 active customers from Germany')
    expect(list({ conditions: [{ words: 'age over 20', kind: 'measure' }] })).toBe(
      '2 customers with age over 20',
    )
    expect(list({ conditions: [{ words: 'without orders', kind: 'clause' }] })).toBe(
      '2 customers without orders',
    )
    expect(list({ conditions: [{ words: 'not retail', kind: 'value' }] })).toBe('2 customers (not retail)')
    expect(list({ isComplete: false })).toBe('2 matching customers')
    expect(list({ period: { ...october, verb: 'signed up' } })).toBe('2 customers signed up in October 2026')
    expect(list({ isYesNo: true })).toBe('Yes. 2 customers.')
    expect(list({}, 1)).toBe('1 customer: A')
    expect(list({ limit: 1 }, 1)).toBe('A')
  })

  it('says whose the only row is where its own name is a number', () => {
    expect(
      say(
        { rowsOf: customers, limit: 1 },
        [name('Order'), category('First name'), category('Last name')],
        [['36011', 'Carmen', 'Gómez']],
      ),
    ).toBe('Carmen Gómez')
  })

  it('says that there is nothing in the words of the question', () => {
    expect(say({ rowsOf: customers, period: october, conditions: [germany] }, [name('Customer')], [])).toBe(
      'No customers from Germany last month.',
    )
    expect(say({ period: october, conditions: [germany] }, [figure('Orders')], [[0]])).toBe(
      'No orders from Germany last month.',
    )
    expect(say({ period: october }, [figure('Revenue', euros)], [[null]])).toBe('No revenue last month.')
  })

  it('writes a period out that nobody would say without a preposition', () => {
    const ada = { words: 'Ada Alm', kind: 'place' as const }
    const placed = { ...october, phrase: 'October', verb: 'placed' }
    const orders = { singular: 'order', plural: 'orders' }
    expect(say({ rowsOf: orders, period: placed, conditions: [ada] }, [name('Order')], [])).toBe(
      'No orders from Ada Alm in October 2026.',
    )
    expect(say({ rowsOf: orders, period: placed }, [name('Order')], [])).toBe(
      'No orders placed in October 2026.',
    )
  })

  it('measures in a place what is no number of things', () => {
    expect(say({ conditions: [germany] }, [figure('Revenue', euros)], [[500]])).toBe(
      'Revenue in Germany: €5.00',
    )
    expect(say({ conditions: [germany] }, [figure('Orders')], [[500]])).toBe('Orders from Germany: 500')
  })

  it('is the value itself, or the number of rows, of what nobody has a name for', () => {
    const email: ColumnMeaning = { label: 'Email', unit: null, role: { kind: 'detail' } }
    expect(say({}, [email], [['a@b.example']])).toBe('Email: a@b.example')
    expect(say({}, [email], [['a'], ['b']])).toBe('2 rows')
    expect(say({}, [email], [])).toBe('Nothing found.')
  })

  it('is left to others if the result has other columns', () => {
    const table: ResultTable = { columns: [], rows: [[]], truncated: null, milliseconds: 1 }
    expect(composeHeadline({ ...emptySubject, columns: [figure('Orders')] }, table, TODAY)).toBeNull()
  })
})

describe('a period in words', () => {
  it.each([
    ['2026-10-01', '2026-11-01', 'in October 2026'],
    ['2026-11-01', '2026-12-01', 'in November 2026 so far'],
    ['2026-07-01', '2026-10-01', 'in Q3 2026'],
    ['2025-01-01', '2026-01-01', 'in 2025'],
    ['2026-01-01', '2027-01-01', 'in 2026 so far'],
    ['2026-11-19', '2026-11-20', 'on Nov 19, 2026'],
    ['2026-10-22', '2026-11-21', 'from Oct 22 to Nov 20, 2026'],
    ['2026-11-09', '2026-11-16', 'from Nov 9 to 15, 2026'],
    ['2025-12-30', '2026-01-03', 'from Dec 30, 2025 to Jan 2, 2026'],
    ['2026-03-01', null, 'since Mar 1, 2026'],
    [null, '2026-03-01', 'before Mar 1, 2026'],
    [null, '2020-01-01', 'before 2020'],
    ['2020-01-01', null, 'since 2020'],
  ])('%s to %s is %s', (from, until, words) => {
    expect(periodText({ from, until }, TODAY)).toBe(words)
  })

  it('knows which periods are still running', () => {
    expect(isRunningPeriod('2026-11-01', 'month', TODAY)).toBe(true)
    expect(isRunningPeriod('2026-10-01', 'month', TODAY)).toBe(false)
    expect(isRunningPeriod('2026-10-01', 'quarter', TODAY)).toBe(true)
    expect(isRunningPeriod('2026-12-01', 'month', TODAY)).toBe(false)
  })
})

describe('a headline in everyday words', () => {
  const product = { singular: 'product', plural: 'products' }
  const price: ColumnMeaning = { label: 'List price', unit: euros, role: { kind: 'detail' } }

  it('tells what was asked of the one thing that the question names', () => {
    const named: Partial<AnswerSubject> = {
      rowsOf: product,
      conditions: [{ words: 'Oak Table', kind: 'value' }],
    }
    expect(say(named, [name('Product'), price], [['Oak Table', 89_000]])).toBe(
      'Oak Table: list price €890.00',
    )
    expect(say({ rowsOf: product }, [name('Product'), price], [['Oak Table', 89_000]])).toBe(
      '1 product: Oak Table',
    )
  })

  it('says how many of each group a list has', () => {
    const order = { label: 'List price', direction: 'asc' as const, column: 2, isChange: false }
    const rows = [
      ['Tables', 'Oak Table', 89_000],
      ['Chairs', 'Stool', 2_000],
    ]
    expect(
      say(
        { rowsOf: product, order, limit: 10, limitsGroups: true },
        [name('Category'), name('Product'), price],
        rows,
      ),
    ).toBe('Bottom 10 products by list price in each category')
  })

  it('adds up the shares of those that lead', () => {
    const order = { label: 'Revenue', direction: 'desc' as const, column: 1, isChange: false }
    const share = figure('Share of revenue', { kind: 'percent', scale: 100 }, 'share')
    expect(
      say(
        { groupsOf: customers, order, limit: 2 },
        [name('Customer'), figure('Revenue', euros), share],
        [
          ['Ada', 5_000_00, 0.2],
          ['Bo', 4_000_00, 0.15],
        ],
      ),
    ).toBe('Top 2 customers by revenue: 35% of the total, Ada leads with €5,000')
  })

  it('names a person as one whom things are for or from', () => {
    const conditions = [{ words: 'Ada Alm', kind: 'person' as const }]
    expect(say({ conditions }, [figure('Revenue', euros)], [[100_00]])).toBe('Revenue for Ada Alm: €100.00')
    expect(say({ conditions }, [figure('Orders')], [[3]])).toBe('Orders from Ada Alm: 3')
  })

  it('says what happened in the period, if not what is counted by', () => {
    expect(say({ period: { ...october, verb: 'left' } }, [figure('Employees')], [[7]])).toBe(
      'Employees left in October 2026: 7',
    )
  })

  it('says on which day and in which week something was highest, and that nothing changed', () => {
    const by = (grain: 'day' | 'week'): ColumnMeaning => ({
      label: 'When',
      unit: null,
      role: { kind: 'period', grain },
    })
    const rows = [
      ['2026-11-02', 10],
      ['2026-11-03', 30],
      ['2026-11-04', 10],
    ]
    expect(say({}, [by('day'), figure('Orders')], rows)).toBe(
      'Orders did not change from Nov 2, 2026 to Nov 4, 2026 · peak on Nov 3, 2026, 30',
    )
    expect(
      say(
        {},
        [by('week'), figure('Orders')],
        [
          ['2026-10-26', 10],
          ['2026-11-02', 30],
        ],
      ),
    ).toBe(
      'Orders grew 200% from the week of Oct 26, 2026 to the week of Nov 2, 2026 · peak in the week of Nov 2, 2026, 30',
    )
  })
})

describe('the nearest moment of something', () => {
  const subject: AnswerSubject = {
    ...emptySubject,
    countsOf: { singular: 'order', plural: 'orders' },
    period: october,
    conditions: [{ words: 'Germany', kind: 'place' }],
  }
  const extent = (...row: readonly Cell[]): ResultTable => ({
    columns: [],
    rows: [row],
    truncated: null,
    milliseconds: 1,
  })

  it.each([
    ['2025-01-04', '2026-09-12T08:00:00Z', 'The latest order from Germany is from Sep 12, 2026.'],
    ['2026-11-02', '2026-11-12', 'The first order from Germany is from Nov 2, 2026.'],
    ['2026-09-02', '2026-11-12', null],
    [null, null, null],
  ])('of %s to %s is %s', (first, last, words) => {
    expect(nearestMoment(subject, extent(first, last))).toBe(words)
  })
})
