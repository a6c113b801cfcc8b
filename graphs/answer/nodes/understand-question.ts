import type { Outcome } from '../../../src/core/answer.ts'
import type { AnswerDeps, NodeRun } from '../deps.ts'
import type { State, Update } from '../state.ts'
import { tellAboutDatabase } from '../tell-about-database.ts'

/** Far above any question; reading takes time by the word, and other questions wait meanwhile (threat T3). */
const LONGEST_QUESTION = 1_000

const tooLong: Outcome = {
  status: 'refused',
  reason: `This question is longer than ${LONGEST_QUESTION} characters.`,
  nextStep: 'Ask it in a sentence or two.',
}

/** Reads what kind of request this is and lays the first brief down. Requests that need no data end here. */
export const makeUnderstandQuestion =
  (deps: Pick<AnswerDeps, 'understand' | 'workbench' | 'database'>) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    run.writer?.({ step: 'understand', detail: 'Reading the question' })
    if (state.question.text.length > LONGEST_QUESTION) return { kind: 'data', outcome: tooLong }
    const understanding = deps.understand(state.question.text, {
      now: () => new Date(state.question.askedAt),
      timeZone: state.question.timeZone,
    })
    await deps.workbench.saveBrief(state.question.id, { understanding, matches: [], linked: { tables: [] } })
    if (understanding.kind === 'data') return { kind: 'data' }
    const database = await deps.database(state.question.database, run)
    return { kind: understanding.kind, outcome: tellAboutDatabase(understanding.kind, database) }
  }
