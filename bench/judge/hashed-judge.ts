import { createHash } from 'node:crypto'
import { noModelUsage } from '../../src/domain/operations/usage.ts'
import type { ResultTable } from '../../src/domain/result.ts'
import type { DecidePairWinner } from '../../src/domain/selection/pairwise.ts'
import { sameRows } from '../../src/evaluation/execution-accuracy.ts'

/** What a judge is asked about: the question and the results that are right. */
export interface JudgedQuestion {
  readonly id: string
  readonly golds: readonly ResultTable[]
}

/**
 * Makes a judge that names the right one of a pair in this share of pairs, from 0 to 1, and either one if both or neither
 * are right. A hash of question and pair decides, so that it says the same in both orders and in every run.
 */
export const makeHashedJudge =
  (accuracy: number, current: () => JudgedQuestion): DecidePairWinner =>
  async ({ first, second }) => {
    const { id, golds } = current()
    const isRight = (result: ResultTable | null): boolean =>
      result !== null && golds.some(gold => sameRows(result, gold))
    const [one = '', other = ''] = [first.sql, second.sql].sort()
    const chance = chanceOf(JSON.stringify([id, one, other]))
    const isFirst =
      isRight(first.result) === isRight(second.result)
        ? (first.sql === one) === chance < 0.5
        : isRight(first.result) === chance < accuracy
    return { winner: isFirst ? 'first' : 'second', reason: 'imagined', usage: noModelUsage }
  }

/** From 0 to 1, the same for the same text. */
const chanceOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32
