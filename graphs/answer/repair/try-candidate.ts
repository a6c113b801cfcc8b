import type { CandidateRun, Evidence } from '../../../src/domain/candidate.ts'
import type { Database } from '../../../src/domain/database.ts'
import { QuerentError, SqlError, type SqlErrorClass } from '../../../src/domain/errors.ts'
import type { ResultTable } from '../../../src/domain/result.ts'
import type { CheckingDeps, NodeRun, StoringDeps } from '../deps.ts'
import { checkShape } from './result-shape.ts'

/** How one statement went. `problem` is what a fixer should look at; an empty or misshapen result is one although it ran. */
export interface Attempt {
  readonly run: CandidateRun
  readonly problem: { readonly errorClass: SqlErrorClass; readonly message: string } | null
}

/** What trying a statement needs. */
export type TryDeps = Omit<CheckingDeps, 'fixers' | 'modelFixers'> &
  Pick<StoringDeps, 'saveResult'> & {
    readonly database: Database
    /** Somebody has agreed to what it reads. */
    readonly evenIfHeavy?: boolean
  }

/** Guards and runs one statement and saves its rows. Throws only for a stop, and where our own store is away. */
export const tryCandidate = async (
  sql: string,
  question: { readonly id: string; readonly text: string },
  deps: TryDeps,
  run: NodeRun,
): Promise<Attempt> => {
  const { database } = deps
  const verdict = database.guard(sql)
  if (verdict.verdict === 'refuse') return failed('refused', verdict.reason)
  try {
    const table = await database.run(verdict.guarded, {
      ...(run.signal ? { signal: run.signal } : {}),
      ...(deps.evenIfHeavy ? { evenIfHeavy: true } : {}),
    })
    const resultId = await deps.saveResult(question.id, table)
    return readResult(sql, table, resultId, question, deps)
  } catch (error) {
    run.signal?.throwIfAborted()
    // Nothing is run that cannot be written down: the step is tried again, not the statement repaired.
    if (error instanceof QuerentError && error.code === 'store-unavailable') throw error
    if (error instanceof SqlError) return failed(error.errorClass, error.message)
    // Away before the statement was sent is no different from away while it ran: no other words would help.
    if (error instanceof QuerentError && error.code === 'database-unreachable')
      return failed('connection', error.message)
    return failed('other', error instanceof Error ? error.message : String(error))
  }
}

/** How a statement went whose rows are saved. */
export const readResult = (
  sql: string,
  table: ResultTable,
  resultId: string,
  question: { readonly text: string },
  deps: Pick<TryDeps, 'database' | 'findEvidence' | 'resultKey' | 'columnsKey'>,
): Attempt => {
  const evidence = deps.findEvidence({ sql, question: question.text, table }, deps.database)
  return {
    run: {
      status: 'ran',
      resultId,
      // As a bag: one candidate's ORDER BY must not part it from others that found the same rows.
      groupKey: deps.resultKey(table, { ordered: false }),
      columnsKey: deps.columnsKey(table),
      evidence,
      rowCount: table.rows.length,
      columnCount: table.columns.length,
      milliseconds: table.milliseconds,
    },
    problem: problemOf(table, question.text, evidence),
  }
}

/**
 * What is wrong with a result. A count of nothing is an empty result too, but only where a literal is not in its
 * column: else nothing is what there is.
 */
const problemOf = (table: ResultTable, question: string, evidence: Evidence): Attempt['problem'] => {
  if (table.rows.length === 0) return { errorClass: 'empty-result', message: 'The query returned no rows.' }
  if (evidence.absentLiterals > 0 && foundNothing(table))
    return {
      errorClass: 'empty-result',
      message: 'The query found nothing to count: a text it compares to is not in that column.',
    }
  const shape = checkShape(question, table)
  return shape === null ? null : { errorClass: 'wrong-shape', message: shape }
}

const foundNothing = ({ rows }: ResultTable): boolean =>
  rows.length === 1 &&
  (rows[0] ?? []).every(cell => cell === null || cell === 0 || cell === 0n || cell === '0')

const failed = (errorClass: SqlErrorClass, message: string): Attempt => ({
  run: { status: 'failed', errorClass, message },
  problem: { errorClass, message },
})
