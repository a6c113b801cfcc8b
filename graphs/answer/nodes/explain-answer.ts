import { assumptionText } from '../../../src/domain/answer-wording/assumptions.ts'
import type { Understanding } from '../../../src/domain/question-context.ts'
import type { ResultTable } from '../../../src/domain/result.ts'
import type { NodeRun, OpenDatabase, StoringDeps, UnderstandingDeps } from '../deps.ts'
import { formatBreakdown, formatHeadline } from '../headline.ts'
import { chosenOption } from '../options.ts'
import type { State, Update } from '../state.ts'

interface ExplainDeps {
  readonly database: OpenDatabase
  readonly understanding: Pick<UnderstandingDeps, 'readFollowUp'>
  readonly storing: Pick<StoringDeps, 'runStore' | 'loadResult'>
}

/**
 * Completes the answer: its headline, written from the saved result so that no model states a number, how the rows are
 * wanted, and how the question was read.
 */
export const makeExplainAnswer =
  (deps: ExplainDeps) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    const { outcome } = state
    if (outcome?.status !== 'answered') return {}
    run.writer?.({ step: 'explain', detail: 'Writing the answer' })
    const { understanding } = await deps.storing.runStore.loadContext(state.question.id)
    const { show, rewritten, text } = understanding
    const table = await deps.storing.loadResult(outcome.resultId)
    const headline = table ? await headlineOf(outcome.sql, table, understanding, state, deps, run) : ''
    const readAs = rewritten ? [assumptionText({ kind: 'rewritten', question: text })] : []
    const assumptions = [...readAs, ...outcome.assumptions, ...choiceAssumption(state)]
    return {
      outcome: {
        ...outcome,
        headline,
        assumptions,
        ...(show ? { show } : {}),
      },
    }
  }

const choiceAssumption = (state: State): readonly string[] => {
  const chosen = chosenOption(state)
  if (chosen === null) return []
  return [assumptionText({ kind: 'option', label: chosen.label, chosenBy: chosenBy(state.reply) })]
}

const chosenBy = (reply: State['reply']): 'person' | 'no-reply' | 'unclear-reply' => {
  if (reply?.kind === 'option' && reply.expired) return 'no-reply'
  return reply?.kind === 'option' && reply.unnamed ? 'unclear-reply' : 'person'
}

/** The headline of a breakdown says what was compared: its plan is made again, which is the same each time. */
const headlineOf = async (
  sql: string,
  table: ResultTable,
  { followUp, timeZone }: Understanding,
  { isWhy, question }: State,
  { understanding: { readFollowUp }, database }: ExplainDeps,
  run: NodeRun,
): Promise<string> => {
  const plain = formatHeadline(table)
  if (!isWhy || !readFollowUp || !followUp) return plain
  const { catalog, findValues } = await database(question.database, run)
  const read = readFollowUp({ followUp, catalog, findValues, timeZone })
  return read.kind === 'breakdown' ? (formatBreakdown(read.plan, sql, table) ?? plain) : plain
}
