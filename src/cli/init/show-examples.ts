import { randomUUID } from 'node:crypto'
import { firstQuestions } from '../../app/home/first-questions.ts'
import { makeAnswering } from '../../compose/answering/make-answering.ts'
import type { Database } from '../../core/database.ts'
import type { ResultTable } from '../../core/result.ts'
import { type AskReport, toAskReport } from '../ask-report.ts'
import type { InitRun } from './init-run.ts'

/** How many are shown, and for how long new ones are looked for. */
const MAX_EXAMPLES = 5
const TIME_LIMIT_MS = 30_000

/** Questions that were answered a moment ago, and one of the answers. */
export interface AnsweredExamples {
  readonly questions: readonly string[]
  readonly answer: {
    readonly report: AskReport
    readonly headline: string
    readonly table: ResultTable | null
  } | null
}

/**
 * The fourth step: five questions that this database can be asked. Each goes the whole way of a question, without a model,
 * and is only proposed when it was answered with rows: not refused, and not asked back.
 */
export const findAnsweredExamples = async (run: InitRun, database: Database): Promise<AnsweredExamples> => {
  const { resources, config } = run.setup()
  const { answer, keepQuestion, loadResult } = await makeAnswering(resources, {
    model: 'none',
    kept: 'in-memory',
  })
  const started = performance.now()
  const questions: string[] = []
  let shown: AnsweredExamples['answer'] = null
  for (const text of firstQuestions(database.catalog)) {
    if (questions.length >= MAX_EXAMPLES || performance.now() - started > TIME_LIMIT_MS) break
    const id = randomUUID()
    const asked = { askedAt: run.now, timeZone: config.timeZone, askedBy: null }
    const question = { id, key: `init:${id}`, text, database: database.name, ...asked }
    await keepQuestion(question)
    const began = performance.now()
    const report = await answer(question, { signal: run.signal })
    run.signal.throwIfAborted()
    if (report.outcome.status !== 'answered') continue
    const table = await loadResult(report.outcome.resultId)
    if (!table || table.rows.length === 0) continue
    questions.push(text)
    // A table shows more than a number does.
    if (shown === null || (shown.table?.rows.length ?? 0) < 2)
      shown = {
        report: toAskReport(text, report, table, performance.now() - began),
        headline: report.outcome.headline,
        table,
      }
  }
  return { questions, answer: shown }
}
