import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { understandQuestion } from '../../../src/parser/understand/understand-question.ts'

const at = (now: string, timeZone = 'Europe/Berlin') => ({ now: () => new Date(now), timeZone })

/** Friday, 20 November 2026, around noon. */
const clock = at('2026-11-20T11:00:00Z')

const spansOf = (text: string) =>
  understandQuestion(text, clock).spans.map(span => [span.phrase, span.from, span.until])

/** Many runs in one test; on a busy machine they may take a while. */
const PROPERTY_TIMEOUT = 60_000

describe('kinds of requests', () => {
  it.each([
    ['how many orders were placed last month?', 'data'],
    ['Show all tables in the restaurant with 4 seats', 'data'],
    ['hello, how many customers are there', 'data'],
    ['thanks to whom did we win?', 'data'],
    ['which tables do you have?', 'meta'],
    ['What can you do?', 'meta'],
    ['help', 'meta'],
    ['who are you', 'meta'],
    ['which data do you have', 'meta'],
    ['Hi!', 'small-talk'],
    ['thank you', 'small-talk'],
    ['good morning', 'small-talk'],
    ['  ?! ', 'empty'],
    ['', 'empty'],
  ] as const)('%j is %s', (text, kind) => {
    expect(understandQuestion(text, clock).kind).toBe(kind)
  })
})

describe('relative periods', () => {
  it.each([
    ['sales today', 'today', '2026-11-20', '2026-11-21'],
    ['sales yesterday', 'yesterday', '2026-11-19', '2026-11-20'],
    ['sales this week', 'this week', '2026-11-16', '2026-11-23'],
    ['sales last week', 'last week', '2026-11-09', '2026-11-16'],
    ['sales last month', 'last month', '2026-10-01', '2026-11-01'],
    ['sales next month', 'next month', '2026-12-01', '2027-01-01'],
    ['sales this quarter', 'this quarter', '2026-10-01', '2027-01-01'],
    ['sales last quarter', 'last quarter', '2026-07-01', '2026-10-01'],
    ['sales last year', 'last year', '2025-01-01', '2026-01-01'],
    ['share of this years sales', 'this year', '2026-01-01', '2027-01-01'],
    ['sales in the third quarter', 'the third quarter', '2026-07-01', '2026-10-01'],
    ['sales since Monday, October 5', 'since Monday, October 5', '2026-10-05', null],
    ['sales in October last year', 'October last year', '2025-10-01', '2025-11-01'],
    ['sales in Q2 of last year', 'Q2 of last year', '2025-04-01', '2025-07-01'],
    ['sales in the first half of this year', 'the first half of this year', '2026-01-01', '2026-07-01'],
    ['sales in the last 7 days', 'the last 7 days', '2026-11-14', '2026-11-21'],
    ['sales in the past two weeks', 'the past two weeks', '2026-11-07', '2026-11-21'],
    ['sales of the past 3 months', 'the past 3 months', '2026-08-21', '2026-11-21'],
    ['sales year to date', 'year to date', '2026-01-01', '2026-11-21'],
    ['sales so far this quarter', 'so far this quarter', '2026-10-01', '2026-11-21'],
    ['sales MTD', 'MTD', '2026-11-01', '2026-11-21'],
    ['sales two months ago', 'two months ago', '2026-09-01', '2026-10-01'],
    ['sales last monday', 'last monday', '2026-11-16', '2026-11-17'],
    ['sales on Wednesday', 'on Wednesday', '2026-11-18', '2026-11-19'],
    ['sales since Tuesday', 'since Tuesday', '2026-11-17', null],
    ['sales this weekend', 'this weekend', '2026-11-21', '2026-11-23'],
    ['sales last weekend', 'last weekend', '2026-11-14', '2026-11-16'],
    ['sales next weekend', 'next weekend', '2026-11-28', '2026-11-30'],
    ['sales last friday', 'last friday', '2026-11-13', '2026-11-14'],
    ['sales tomorrow', 'tomorrow', '2026-11-21', '2026-11-22'],
    ['sales 3 days ago', '3 days ago', '2026-11-17', '2026-11-18'],
    ['sales next quarter', 'next quarter', '2027-01-01', '2027-04-01'],
    ['sales in the previous month', 'the previous month', '2026-10-01', '2026-11-01'],
    ['sales in the current year', 'the current year', '2026-01-01', '2027-01-01'],
    // A past week, month or year ends today; the last one is of the calendar.
    ['sales over the past week', 'the past week', '2026-11-14', '2026-11-21'],
    ['sales in the past year', 'the past year', '2025-11-21', '2026-11-21'],
    ['sales in the last month', 'the last month', '2026-10-01', '2026-11-01'],
    ['sales over the last 12 months', 'the last 12 months', '2025-11-21', '2026-11-21'],
    ['sales QTD', 'QTD', '2026-10-01', '2026-11-21'],
    ['sales since yesterday', 'since yesterday', '2026-11-19', null],
    ['sales after last week', 'after last week', '2026-11-16', null],
  ])('%s', (text, phrase, from, until) => {
    expect(spansOf(text)).toEqual([[phrase, from, until]])
  })
})

describe('absolute periods', () => {
  it.each([
    ['sales in 2024', '2024', '2024-01-01', '2025-01-01'],
    ['sales in March', 'March', '2026-03-01', '2026-04-01'],
    ['sales in December', 'December', '2025-12-01', '2026-01-01'],
    ['sales in March 2025', 'March 2025', '2025-03-01', '2025-04-01'],
    ['sales in Q3 2025', 'Q3 2025', '2025-07-01', '2025-10-01'],
    ['sales in the second quarter of 2024', 'the second quarter of 2024', '2024-04-01', '2024-07-01'],
    ['sales in the first half of 2025', 'the first half of 2025', '2025-01-01', '2025-07-01'],
    ['sales on 5 March 2024', '5 March 2024', '2024-03-05', '2024-03-06'],
    ['sales on March 5th', 'March 5th', '2026-03-05', '2026-03-06'],
    ['sales since June', 'since June', '2026-06-01', null],
    ['sales in November', 'November', '2026-11-01', '2026-12-01'],
    ['sales of Q4', 'Q4', '2026-10-01', '2027-01-01'],
    ['sales in H1 2026', 'H1 2026', '2026-01-01', '2026-07-01'],
    ['sales during 2023', '2023', '2023-01-01', '2024-01-01'],
    ['sales on 29 February 2024', '29 February 2024', '2024-02-29', '2024-03-01'],
    ['sales before March', 'before March', null, '2026-03-01'],
    ['sales up to June', 'up to June', null, '2026-07-01'],
    ['sales from March until May', 'from March until May', '2026-03-01', '2026-06-01'],
    ['sales after 2008', 'after 2008', '2009-01-01', null],
    ['sales before 2020-01-01', 'before 2020-01-01', null, '2020-01-01'],
    ['sales until March 2025', 'until March 2025', null, '2025-04-01'],
    ['sales between January and March', 'between January and March', '2026-01-01', '2026-04-01'],
    ['sales from Jan to Mar 2025', 'from Jan to Mar 2025', '2025-01-01', '2025-04-01'],
    [
      'sales between 2020-01-01 and 2020-03-31',
      'between 2020-01-01 and 2020-03-31',
      '2020-01-01',
      '2020-04-01',
    ],
  ])('%s', (text, phrase, from, until) => {
    expect(spansOf(text)).toEqual([[phrase, from, until]])
  })

  it.each([
    ['sales last summer', 'last summer', '2026-06-01', '2026-09-01'],
    ["last summer's sales", 'last summer', '2026-06-01', '2026-09-01'],
    ['sales last winter', 'last winter', '2025-12-01', '2026-03-01'],
    // It is not over yet.
    ['sales last fall', 'last fall', '2025-09-01', '2025-12-01'],
    ['sales this fall', 'this fall', '2026-09-01', '2026-12-01'],
    ['sales this summer', 'this summer', '2026-06-01', '2026-09-01'],
    ['sales next spring', 'next spring', '2027-03-01', '2027-06-01'],
    ['sales in summer 2025', 'summer 2025', '2025-06-01', '2025-09-01'],
    ['sales in winter 2024', 'winter 2024', '2024-12-01', '2025-03-01'],
    ['what did we sell in summer?', 'summer', '2026-06-01', '2026-09-01'],
  ])('has seasons: %s', (text, phrase, from, until) => {
    expect(spansOf(text)).toEqual([[phrase, from, until]])
  })

  it('takes no thing for a season', () => {
    expect(spansOf('sales in winter jackets')).toEqual([])
    expect(spansOf('did sales fall')).toEqual([])
    expect(spansOf('how many summer dresses')).toEqual([])
  })

  it.each([
    ["customers who haven't ordered in 6 months", '6 months', '2026-05-21', '2026-11-21'],
    ['products that have not been sold for over a year', 'over a year', '2025-11-21', '2026-11-21'],
    ['staff who have been here for 5 years', 'for 5 years', null, '2021-11-21'],
  ])('has what lasts until today: %s', (text, phrase, from, until) => {
    expect(spansOf(text)).toEqual([[phrase, from, until]])
  })

  it('takes how long something took for no period', () => {
    expect(spansOf('orders that were not shipped in 3 days')).toEqual([])
    expect(spansOf('tickets that have been open for 3 days')).toEqual([])
  })

  it('leaves verbs, plain numbers and impossible days alone', () => {
    expect(spansOf('may students march between 10 and 20 rooms')).toEqual([])
    expect(spansOf('sales on 2024-02-31')).toEqual([])
    expect(spansOf('sales on 2026-02-29 or in Q5')).toEqual([])
  })

  it('takes the last day of somebody for no yesterday', () => {
    expect(spansOf('when was their last day')).toEqual([])
  })

  it('keeps every bare year, since only the columns can tell what it is', () => {
    expect(spansOf('matches of 2013 or 2016').map(span => span[0])).toEqual(['2013', '2016'])
  })
})

describe('calendars', () => {
  it('takes the day of the asker, not of the server', () => {
    const lateInLondon = '2026-10-31T23:30:00Z'
    expect(understandQuestion('sales this month', at(lateInLondon, 'UTC')).spans[0]?.from).toBe('2026-10-01')
    expect(understandQuestion('sales this month', at(lateInLondon)).spans[0]?.from).toBe('2026-11-01')
  })

  it('reads an unknown time zone as UTC', () => {
    const understanding = understandQuestion('sales today', at('2026-11-20T23:30:00Z', 'Mars/Olympus'))
    expect([understanding.timeZone, understanding.today]).toEqual(['UTC', '2026-11-20'])
  })

  it(
    'says where each phrase stands, in order and without overlaps, whatever the text',
    () => {
      const words = fc.constantFrom(
        ...'orders since June last 3 months in 2024 between January and March 5 2025-01-02 today Q3 to date from'.split(
          ' ',
        ),
      )
      fc.assert(
        fc.property(
          fc.oneof(
            fc.string(),
            fc.array(words).map(list => list.join(' ')),
          ),
          text => {
            const { spans, text: read } = understandQuestion(text, clock)
            let end = 0
            for (const span of spans) {
              expect(read.slice(...span.at)).toBe(span.phrase)
              expect(span.at[0]).toBeGreaterThanOrEqual(end)
              end = span.at[1]
            }
          },
        ),
        { numRuns: 300 },
      )
    },
    PROPERTY_TIMEOUT,
  )
})
