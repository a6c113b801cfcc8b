import { describe, expect, it } from 'vitest'
import {
  pairStatements,
  type RenderPair,
  summarizeTraining,
  trainingLines,
} from '../../src/evaluation/training-pairs.ts'
import { makeTable } from './make-table.ts'

const statement = (sql: string, value: number, isRight = false) => ({
  sql,
  table: makeTable([[value]]),
  isRight,
})

describe('the pairs of a question', () => {
  it('are the first right candidate beside the first of each wrong result', () => {
    const pairs = pairStatements([
      statement('wrong 1', 1),
      statement('right a', 5, true),
      statement('wrong 1 again', 1),
      statement('right b', 5, true),
      statement('wrong 2', 2),
    ])
    expect(pairs.map(({ right, wrong }) => [right.sql, wrong.sql])).toEqual([
      ['right a', 'wrong 1'],
      ['right a', 'wrong 2'],
    ])
  })

  it('are none if all candidates are right, or all are wrong', () => {
    expect(pairStatements([statement('a', 1, true), statement('b', 1, true)])).toEqual([])
    expect(pairStatements([statement('a', 1), statement('b', 2)])).toEqual([])
    expect(pairStatements([])).toEqual([])
  })

  it('are not more than six', () => {
    const wrong = Array.from({ length: 20 }, (_, i) => statement(`wrong ${i}`, i))
    expect(pairStatements([statement('right', 99, true), ...wrong])).toHaveLength(6)
  })
})

describe('the lines of a pair', () => {
  const renderPair: RenderPair = async ({ question, first, second }) => [
    { role: 'user', content: `${question}: ${first.sql} or ${second.sql}?` },
  ]

  const pair = { right: { sql: 'good', result: null }, wrong: { sql: 'bad', result: null } }

  const of = { questionId: 'q1', database: 'shop', question: 'How many?', source: 'votes' }

  it('are one in each order, with the winner as a judge would name it', async () => {
    const lines = await trainingLines(pair, of, { renderPair })
    expect(lines).toEqual([
      {
        messages: [{ role: 'user', content: 'How many?: good or bad?' }],
        completion: '{"difference":"","reason":"","winner":"first"}',
        ...{ questionId: 'q1', database: 'shop', source: 'votes' },
      },
      {
        messages: [{ role: 'user', content: 'How many?: bad or good?' }],
        completion: '{"difference":"","reason":"","winner":"second"}',
        ...{ questionId: 'q1', database: 'shop', source: 'votes' },
      },
    ])
    expect(summarizeTraining(lines)).toEqual({
      ...{ lines: 2, pairs: 1, questions: 1, databases: 1, firstWins: 0.5 },
    })
  })
})
