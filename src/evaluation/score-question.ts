import type { ResultTable } from '../core/result.ts'
import { sameRowsAnyColumnOrder } from './any-column-order.ts'
import type { Asked } from './evaluation-database.ts'
import { sameRows } from './execution-accuracy.ts'
import type { QuestionLine } from './question-line.ts'
import type { RunStatement } from './run-statement.ts'
import { softF1 } from './soft-f1.ts'

/** Scores of one answerable question. Without an answer all are wrong but the oracle. */
export interface Scores {
  readonly ex: boolean
  readonly exAnyOrder: boolean
  readonly softF1: number
  readonly oracle: boolean
  readonly error: string | null
  readonly goldError: string | null
}

/**
 * Scores an answer against the gold and its alternatives: right if it equals any of them. Golds run here too,
 * because rows of another day prove nothing. A gold that does not run is reported; with none left all is wrong.
 */
export const scoreQuestion = async (
  line: QuestionLine,
  asked: Pick<Asked, 'sql' | 'candidates'>,
  { run, oracleOver }: { readonly run: RunStatement; readonly oracleOver: number },
): Promise<Scores> => {
  const { golds, goldError } = await runGolds(line, run)
  const isRight = async (sql: string) => {
    const ran = await run(sql)
    return 'table' in ran && golds.some(gold => sameRows(ran.table, gold))
  }
  const answer = asked.sql === null ? null : await run(asked.sql)
  const table = answer && 'table' in answer ? answer.table : null
  const ex = table !== null && golds.some(gold => sameRows(table, gold))
  return {
    ex,
    exAnyOrder: ex || (table !== null && golds.some(gold => sameRowsAnyColumnOrder(table, gold))),
    softF1: table === null ? 0 : Math.max(0, ...golds.map(gold => softF1(table, gold))),
    oracle: golds.length > 0 && (await anyOf(asked.candidates.slice(0, oracleOver), isRight)),
    error: answer && 'error' in answer ? answer.error : null,
    goldError,
  }
}

const runGolds = async (
  line: QuestionLine,
  run: RunStatement,
): Promise<{ golds: ResultTable[]; goldError: string | null }> => {
  const golds: ResultTable[] = []
  let goldError: string | null = null
  for (const sql of [line.gold, ...line.alternatives]) {
    if (sql === null) continue
    const ran = await run(sql)
    if ('table' in ran) golds.push(ran.table)
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
