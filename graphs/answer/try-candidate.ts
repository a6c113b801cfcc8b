import type { CandidateRun } from '../../src/core/candidate.ts'
import type { Database } from '../../src/core/database.ts'
import { SqlError, type SqlErrorClass } from '../../src/core/sql-error.ts'
import type { AnswerDeps, NodeRun } from './deps.ts'

/** How one statement went. `problem` is what a fixer should look at; an empty result is one although it ran. */
export interface Attempt {
  readonly run: CandidateRun
  readonly problem: { readonly errorClass: SqlErrorClass; readonly message: string } | null
}

/** Guards and runs one statement and saves its rows. Never throws but for a stop. */
export const tryCandidate = async (
  sql: string,
  question: { readonly id: string; readonly text: string },
  deps: Pick<AnswerDeps, 'saveResult' | 'resultKey' | 'columnsKey' | 'findEvidence'> & {
    readonly database: Database
  },
  run: NodeRun,
): Promise<Attempt> => {
  const { database } = deps
  const verdict = database.guard(sql)
  if (verdict.verdict === 'refuse') return failed('refused', verdict.reason)
  try {
    const table = await database.run(verdict.guarded, run.signal ? { signal: run.signal } : {})
    const resultId = await deps.saveResult(question.id, table)
    return {
      run: {
        status: 'ran',
        resultId,
        // As a bag: one candidate's ORDER BY must not part it from others that found the same rows.
        groupKey: deps.resultKey(table, { ordered: false }),
        columnsKey: deps.columnsKey(table),
        evidence: deps.findEvidence(
          { sql, question: question.text, columns: table.columns, rowCount: table.rows.length },
          database,
        ),
        rowCount: table.rows.length,
        columnCount: table.columns.length,
        milliseconds: table.milliseconds,
      },
      problem:
        table.rows.length === 0
          ? { errorClass: 'empty-result', message: 'The query returned no rows.' }
          : null,
    }
  } catch (error) {
    run.signal?.throwIfAborted()
    if (error instanceof SqlError) return failed(error.errorClass, error.message)
    return failed('other', error instanceof Error ? error.message : String(error))
  }
}

const failed = (errorClass: SqlErrorClass, message: string): Attempt => ({
  run: { status: 'failed', errorClass, message },
  problem: { errorClass, message },
})
