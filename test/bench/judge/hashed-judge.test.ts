import { expect, it } from 'vitest'
import { makeHashedJudge } from '../../../bench/judge/hashed-judge.ts'
import type { ResultTable } from '../../../src/domain/result.ts'
import type { PairInput } from '../../../src/domain/selection/pairwise.ts'

const resultOf = (count: number): ResultTable => ({
  columns: [{ name: 'n', kind: 'integer' }],
  rows: [[count]],
  truncated: null,
  milliseconds: 1,
})

const right = resultOf(2)

const wrong = resultOf(3)

/** What a judge says of a right and a wrong statement of so many questions, in both orders. */
const judgeMany = async (accuracy: number, count: number) => {
  let id = ''
  const judge = makeHashedJudge(accuracy, () => ({ id, golds: [right] }))
  const winnerOf = async (first: string, second: string): Promise<string> => {
    const side = (sql: string): { sql: string; result: ResultTable } => ({
      sql,
      result: sql === 'right' ? right : wrong,
    })
    const { winner } = await judge({ first: side(first), second: side(second) } as PairInput)
    return winner === 'first' ? first : second
  }
  const winners: (readonly [string, string])[] = []
  for (let at = 0; at < count; at++) {
    id = `q${at}`
    winners.push([await winnerOf('right', 'wrong'), await winnerOf('wrong', 'right')])
  }
  return winners
}

it('says the same in both orders, and is right in about its share of pairs', async () => {
  const winners = await judgeMany(0.7, 1000)
  expect(winners.filter(([one, other]) => one !== other)).toEqual([])
  const share = winners.filter(([winner]) => winner === 'right').length / winners.length
  expect(share).toBeGreaterThan(0.65)
  expect(share).toBeLessThan(0.75)
})

it('is always right at 1, and never at 0', async () => {
  expect(new Set((await judgeMany(1, 50)).flat())).toEqual(new Set(['right']))
  expect(new Set((await judgeMany(0, 50)).flat())).toEqual(new Set(['wrong']))
})
