import { expect, it } from 'vitest'
import { assumptionText } from '../../src/domain/answer-wording/assumptions.ts'
import { changeProblemText } from '../../src/domain/answer-wording/follow-ups.ts'
import type { AnswerChange, Assumption, ChangeProblem } from '../../src/domain/interpretation.ts'

const period = {
  kind: 'period',
  phrase: 'last month',
  from: '2026-10-01',
  until: '2026-11-01',
  column: 'when the order was placed',
  timeZone: null,
} as const

const assumptions: { readonly [sentence: string]: Assumption } = {
  '“last month” means Oct 1 to 31, 2026 (when the order was placed).': period,
  '“last month” means Oct 1 to 31, 2026 (when the order was placed, UTC time).': {
    ...period,
    timeZone: 'UTC',
  },
  '“since October” means since Oct 1, 2026 (when the order was placed).': {
    ...period,
    phrase: 'since October',
    until: null,
  },
  '“before November” means before Nov 1, 2026 (when the order was placed).': {
    ...period,
    phrase: 'before November',
    from: null,
  },
  'I took “Norway” as the country of the order.': {
    kind: 'value',
    phrase: 'Norway',
    column: 'country of the order',
    value: 'Norway',
  },
  'I took “Norwegian” as “Norway”, the country of the order.': {
    kind: 'value',
    phrase: 'Norwegian',
    column: 'country of the order',
    value: 'Norway',
  },
  'I read this as “orders in Norway by month”.': { kind: 'rewritten', question: 'orders in Norway by month' },
  'I took “country” as: billing country.': { kind: 'meaning', phrase: 'country', meaning: 'billing country' },
  'I took it as: each order once.': { kind: 'meaning', phrase: null, meaning: 'each order once' },
  'You chose: billing country.': { kind: 'option', label: 'billing country', chosenBy: 'person' },
  'Nobody replied, so I took: billing country.': {
    kind: 'option',
    label: 'billing country',
    chosenBy: 'no-reply',
  },
  'Your reply named no option, so I took: billing country.': {
    kind: 'option',
    label: 'billing country',
    chosenBy: 'unclear-reply',
  },
  'This follows the verified question “orders in Kiel”, with “Bergen” instead of “Kiel”.': {
    kind: 'verified-query',
    question: 'orders in Kiel',
    replaced: [{ from: 'Kiel', to: 'Bergen' }],
  },
  'I read only the newest 10,000 rows of orders, by placed at.': {
    kind: 'newest-rows',
    table: 'orders',
    rows: 10_000,
    by: 'placed at',
  },
  'No model helped with this: the model budget is used up.': { kind: 'no-model', failure: 'budget-spent' },
  'I compared March 2026 with February 2026, by date of the sale.': {
    kind: 'compared-periods',
    subject: 'March 2026',
    beside: 'February 2026',
    column: 'date of the sale',
  },
  'March 2026 is not over yet, so its numbers are those so far.': {
    kind: 'unfinished-period',
    period: 'March 2026',
  },
  'I compared “crime” (genre of the book) with all of them together.': {
    kind: 'compared-with-all',
    value: 'crime',
    column: 'genre of the book',
  },
  'I broke down only the price of the book.': { kind: 'one-measure', column: 'price of the book' },
  'I broke down only the number of rows.': { kind: 'one-measure', column: null },
  'No column has few enough values to break this down by.': { kind: 'no-breakdown' },
  'No breakdown tells much more than the one by region.': { kind: 'weak-breakdown', dimension: 'region' },
  'I also looked at channel, country.': { kind: 'other-breakdowns', dimensions: ['channel', 'country'] },
  'A breakdown shows where a number comes from, not what caused it.': { kind: 'breakdown-is-no-cause' },
}

it.each(Object.entries(assumptions))('%s', (sentence, assumption) => {
  expect(assumptionText(assumption)).toBe(sentence)
})

const column = 'country of the order'

const changes: { readonly [words: string]: AnswerChange } = {
  'only Norway (country of the order)': {
    kind: 'filter',
    how: 'only',
    filter: { kind: 'compare', column, operator: '=', value: 'Norway', negated: false },
  },
  'now country of the order other than Norway': {
    kind: 'filter',
    how: 'now',
    filter: { kind: 'compare', column, operator: '=', value: 'Norway', negated: true },
  },
  'only country of the order without “way”': {
    kind: 'filter',
    how: 'only',
    filter: { kind: 'matches', column, text: 'way', negated: true },
  },
  'only country of the order missing': {
    kind: 'filter',
    how: 'only',
    filter: { kind: 'missing', column, negated: false },
  },
  'now “last week”': {
    kind: 'filter',
    how: 'now',
    filter: { kind: 'period', phrase: 'last week', negated: false },
  },
  'only price of the item from 2 to 9': {
    kind: 'filter',
    how: 'only',
    filter: { kind: 'between', column: 'price of the item', low: 2, high: 9 },
  },
  'only price of the item over its average': {
    kind: 'filter',
    how: 'only',
    filter: { kind: 'compare-aggregate', column: 'price of the item', operator: '>', fn: 'avg' },
  },
  'only price of the item under cost of the item': {
    kind: 'filter',
    how: 'only',
    filter: { kind: 'compare-column', column: 'price of the item', operator: '<', other: 'cost of the item' },
  },
  'only without any refund': { kind: 'without', table: 'refund' },
  'also by month (date of the order) and region': {
    kind: 'group',
    by: [
      { label: 'date of the order', unit: 'month' },
      { label: 'region', unit: null },
    ],
    isAdded: true,
  },
  'the average price of the item': {
    kind: 'measure',
    measure: 'avg',
    column: 'price of the item',
    isAdded: false,
  },
  'highest value first': { kind: 'order', by: null, direction: 'desc', count: null },
  'only the 3 with the lowest price': { kind: 'order', by: 'price', direction: 'asc', count: 3 },
  'only where the value is over 5': { kind: 'having', operator: '>', number: 5 },
  'only 10 rows': { kind: 'limit', count: 10 },
  'as a chart': { kind: 'view', view: 'chart' },
  counted: { kind: 'count' },
  'each order instead of the numbers': { kind: 'list', table: 'order' },
}

it.each(Object.entries(changes))('Same as before, %s.', (words, change) => {
  expect(assumptionText({ kind: 'follow-up', changes: [change] })).toBe(`Same as before, ${words}.`)
})

const problems: { readonly [Code in ChangeProblem['code']]: Extract<ChangeProblem, { code: Code }> } = {
  'asks-why': { code: 'asks-why' },
  'nothing-to-count': { code: 'nothing-to-count' },
  'nothing-to-list': { code: 'nothing-to-list' },
  'nothing-to-sort': { code: 'nothing-to-sort' },
  'only-counts': { code: 'only-counts', measure: 'avg' },
  'unknown-words': { code: 'unknown-words', words: ['unicorns'] },
  'made-otherwise': { code: 'made-otherwise' },
  'no-number': { code: 'no-number' },
  'not-additive': { code: 'not-additive' },
  'number-not-named': { code: 'number-not-named' },
  'unknown-number': { code: 'unknown-number', words: 'Atlantis' },
  'no-date': { code: 'no-date' },
  'not-comparable': { code: 'not-comparable' },
  unclear: { code: 'unclear' },
}

it.each(Object.values(problems))(
  'says in a sentence of its own why a change is impossible: $code',
  problem => {
    const text = changeProblemText(problem)
    expect(text).toMatch(/^[A-Z].+\.$/)
    const others = Object.values(problems).filter(other => other !== problem)
    expect(others.map(changeProblemText)).not.toContain(text)
  },
)
