import type { ResultTable } from '../domain/result.ts'
import { sameRows } from './execution-accuracy.ts'

/** A statement that ran, and its result; null if the rows are no longer kept. */
export interface ComparedResult {
  readonly sql: string
  readonly result: ResultTable | null
}

/** What a judge is told about two statements, in this order. */
export type RenderPair = (input: {
  readonly question: string
  readonly first: ComparedResult
  readonly second: ComparedResult
  readonly signal?: AbortSignal
}) => Promise<readonly TrainingMessage[]>

interface TrainingMessage {
  readonly role: string
  readonly content: string
}

/** A line of training data for a judge: what it is told, and what it should reply. */
export interface TrainingLine {
  readonly messages: readonly TrainingMessage[]
  readonly completion: string
  readonly questionId: string
  /** For a split by database: a judge must not be tested on a database that it was trained on. */
  readonly database: string
  /** Where the label comes from: the votes of people, a run, or a pool. */
  readonly source: string
}

/** One statement that is right beside one that is wrong. */
export interface TrainingPair {
  readonly right: ComparedResult
  readonly wrong: ComparedResult
}

/** Wrong results of one question at most, so that a question with many drafts does not outweigh others. */
const MOST_PAIRS = 6

/**
 * The pairs of one question (CHASE-SQL 3.5): candidates with equal results are one cluster, and the first right
 * candidate meets the first candidate of each wrong cluster. None if all are right, or all are wrong.
 */
export const pairStatements = (
  statements: readonly { readonly sql: string; readonly table: ResultTable; readonly isRight: boolean }[],
): readonly TrainingPair[] => {
  const right = statements.find(({ isRight }) => isRight)
  if (right === undefined) return []
  const wrong: (typeof statements)[number][] = []
  for (const one of statements) {
    if (!one.isRight && !wrong.some(({ table }) => sameRows(table, one.table))) wrong.push(one)
  }
  return wrong.slice(0, MOST_PAIRS).map(({ sql, table }) => ({
    right: { sql: right.sql, result: right.table },
    wrong: { sql, result: table },
  }))
}

/**
 * The lines of one pair, one in each order, so that a judge learns nothing of places. The reply has the keys of the
 * prompt, with the ones that nobody labeled empty: a trained model's replies are read as any judge's.
 */
export const trainingLines = async (
  { right, wrong }: TrainingPair,
  of: Pick<TrainingLine, 'questionId' | 'database' | 'source'> & { readonly question: string },
  { renderPair, signal }: { readonly renderPair: RenderPair; readonly signal?: AbortSignal },
): Promise<readonly TrainingLine[]> => {
  const { question, questionId, database, source } = of
  const line = async (winner: 'first' | 'second'): Promise<TrainingLine> => {
    const [first, second] = winner === 'first' ? [right, wrong] : [wrong, right]
    const messages = await renderPair({ question, first, second, ...(signal ? { signal } : {}) })
    const completion = JSON.stringify({ difference: '', reason: '', winner })
    return { messages, completion, questionId, database, source }
  }
  return [await line('first'), await line('second')]
}

/** Counts of training data. */
export interface TrainingSummary {
  readonly lines: number
  readonly pairs: number
  readonly questions: number
  readonly databases: number
  /** The share of lines whose first statement is the right one. */
  readonly firstWins: number
}

/** Sums training data up. */
export const summarizeTraining = (
  lines: readonly Pick<TrainingLine, 'completion' | 'questionId' | 'database'>[],
): TrainingSummary => ({
  lines: lines.length,
  pairs: lines.length / 2,
  questions: new Set(lines.map(({ questionId }) => questionId)).size,
  databases: new Set(lines.map(({ database }) => database)).size,
  firstWins:
    lines.length === 0
      ? 0
      : lines.filter(({ completion }) => completion.includes('"winner":"first"')).length / lines.length,
})
