import type { ResultTable } from '../../../src/domain/result.ts'
import type { AnswerDeps, NodeRun } from '../deps.ts'
import { formatBreakdown, formatHeadline } from '../headline.ts'
import { chosenOption } from '../options.ts'
import type { State, Update } from '../state.ts'

type ExplainDeps = Pick<AnswerDeps, 'loadResult' | 'readFollowUp' | 'workbench' | 'database'>

/** Writes the headline from the saved result itself; no model states a number. */
export const makeExplainAnswer =
  (deps: ExplainDeps) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    const { outcome, reply } = state
    if (outcome?.status !== 'answered') return {}
    run.writer?.({ step: 'explain', detail: 'Writing the answer' })
    const table = await deps.loadResult(outcome.resultId)
    const chosen = chosenOption(state)
    const isDefault = reply?.kind === 'option' && reply.expired === true
    const said = isDefault ? 'Nobody replied, so I took' : 'You chose'
    const assumptions = chosen ? [...outcome.assumptions, `${said}: ${chosen.label}.`] : outcome.assumptions
    const headline = table ? await headlineOf(outcome.sql, table, state, deps, run) : ''
    return { outcome: { ...outcome, headline, assumptions } }
  }

/** That of a breakdown says what was compared: its plan is made again, which is the same each time. */
const headlineOf = async (
  sql: string,
  table: ResultTable,
  { isWhy, question }: State,
  { readFollowUp, workbench, database }: ExplainDeps,
  run: NodeRun,
): Promise<string> => {
  const plain = formatHeadline(table)
  if (!isWhy || !readFollowUp) return plain
  const { understanding } = await workbench.loadContext(question.id)
  const { followUp, timeZone } = understanding
  if (!followUp) return plain
  const { catalog, findValues } = await database(question.database, run)
  const read = readFollowUp({ followUp, catalog, findValues, timeZone })
  return read.kind === 'breakdown' ? (formatBreakdown(read.plan, sql, table) ?? plain) : plain
}
