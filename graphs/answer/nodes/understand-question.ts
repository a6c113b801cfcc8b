import type { AnswerDeps, NodeRun } from '../deps.ts'
import type { State, Update } from '../state.ts'
import { tellAboutDatabase } from '../tell-about-database.ts'

/** Reads what kind of request this is and lays the first brief down. Requests that need no data end here. */
export const makeUnderstandQuestion =
  (deps: Pick<AnswerDeps, 'understand' | 'workbench' | 'database'>) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    run.writer?.({ step: 'understand', detail: 'Reading the question' })
    const understanding = deps.understand(state.question.text, {
      now: () => new Date(state.question.askedAt),
      timeZone: state.question.timeZone,
    })
    await deps.workbench.saveBrief(state.question.id, { understanding, matches: [], linked: { tables: [] } })
    if (understanding.kind === 'data') return { kind: 'data' }
    const database = await deps.database(state.question.database, run)
    return { kind: understanding.kind, outcome: tellAboutDatabase(understanding.kind, database) }
  }
