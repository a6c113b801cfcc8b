import type { ResultTable } from '../core/result.ts'
import { sameRowsAnyColumnOrder } from './any-column-order.ts'
import type { SystemAnswer } from './evaluation-database.ts'
import { sameRows } from './execution-accuracy.ts'
import type { QuestionLine } from './question-line.ts'
import type { RunStatement } from './run-statement.ts'
import { softF1 } from './soft-f1.ts'
import { rewardedEfficiency } from './valid-efficiency.ts'

/** Scores of one answerable question. Without an answer all are wrong but the oracle. */
export interface Scores {
  readonly ex: boolean
  readonly exAnyOrder: boolean
  readonly softF1: number
  readonly oracle: boolean
  /** R-VES's square root of the reward, 0 for a wrong answer; null where it is not measured. */
  readonly rves: number | null
  readonly error: string | null
  readonly goldError: string | null
}

/**
 * Scores an answer against the gold and its alternatives: right if it equals any of them. Golds run here too,
 * because rows of another day prove nothing. A gold that does not run is reported; with none left all is wrong.
 */
export const scoreQuestion = async (
  line: QuestionLine,
  asked: Pick<SystemAnswer, 'sql' | 'candidates'>,
  {
    run,
    oracleOver,
    timing = null,
  }: {
    readonly run: RunStatement
    readonly oracleOver: number
    /** Runs statements anew each time, for R-VES. */
    readonly timing?: { readonly run: RunStatement; readonly runs: number } | null
  },
): Promise<Scores> => {
  const { golds, goldError } = await runGolds(line, run)
  const isRight = async (sql: string) => {
    const ran = await run(sql)
    return 'table' in ran && golds.some(gold => sameRows(ran.table, gold.table))
  }
  const answer = asked.sql === null ? null : await run(asked.sql)
  const table = answer && 'table' in answer ? answer.table : null
  const met = table === null ? undefined : golds.find(gold => sameRows(table, gold.table))
  const ex = met !== undefined
  return {
    ex,
    exAnyOrder: ex || (table !== null && golds.some(gold => sameRowsAnyColumnOrder(table, gold.table))),
    softF1: table === null ? 0 : Math.max(0, ...golds.map(gold => softF1(table, gold.table))),
    oracle: golds.length > 0 && (await anyOf(asked.candidates.slice(0, oracleOver), isRight)),
    rves: timing && (await timeAgainstGold(asked.sql, met, timing)),
    error: answer && 'error' in answer ? answer.error : null,
    goldError,
  }
}

interface Gold {
  readonly sql: string
  readonly table: ResultTable
}

/** Measured against the gold that the answer met: an alternative may be written quite otherwise. */
const timeAgainstGold = async (
  sql: string | null,
  met: Gold | undefined,
  timing: { readonly run: RunStatement; readonly runs: number },
): Promise<number> =>
  sql === null || met === undefined ? 0 : rewardedEfficiency({ sql, gold: met.sql }, timing)

const runGolds = async (
  line: QuestionLine,
  run: RunStatement,
): Promise<{ golds: Gold[]; goldError: string | null }> => {
  const golds: Gold[] = []
  let goldError: string | null = null
  for (const sql of [line.gold, ...line.alternatives]) {
    if (sql === null) continue
    const ran = await run(sql)
    if ('table' in ran) golds.push({ sql, table: ran.table })
    else goldError ??= ran.error
  }
  return { golds, goldError }
}

/** One at a time, stopping at the first: candidates may be slow, and the first one is right most often. */
const anyOf = async (
  items: readonly string[],
  test: (item: string) => Promise<boolean>,
): Promise<boolean> => {
  for (const item of items) if (await test(item)) return true
  return false
}
