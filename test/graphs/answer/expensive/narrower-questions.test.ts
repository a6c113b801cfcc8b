import { expect, it } from 'vitest'
import { formatNarrowerQuestion } from '../../../../graphs/answer/expensive/narrower-questions.ts'

const newest = ', looking only at the newest 100 rows of orders'

it.each([
  ['how many orders are there?', 'in the last 30 days', 'how many orders are there in the last 30 days?'],
  ['how many orders are there', 'from yesterday', 'how many orders are there from yesterday?'],
  ['Orders by region?', 'where the state is paid', 'Orders by region where the state is paid?'],
  ['Show all orders.', newest, 'Show all orders, looking only at the newest 100 rows of orders'],
  [
    'which orders are late ?!',
    newest,
    'which orders are late, looking only at the newest 100 rows of orders?',
  ],
])('%s', (question, words, said) => {
  expect(formatNarrowerQuestion(question, words)).toBe(said)
})
