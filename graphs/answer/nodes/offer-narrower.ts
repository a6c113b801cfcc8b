import { dayOf } from '../../../src/lib/time-zone.ts'
import type { NodeRun, OpenDatabase, StoringDeps } from '../deps.ts'
import { offerNarrowerQuestions } from '../expensive/narrower-questions.ts'
import { leadingExpensive } from '../expensive/run-approval.ts'
import type { State, Update } from '../state.ts'

/** Ends an expensive question that a person did not want to be run with questions that read less. */
export const makeOfferNarrower =
  (deps: { readonly database: OpenDatabase; readonly storing: Pick<StoringDeps, 'runStore'> }) =>
  async (state: State, { signal }: NodeRun): Promise<Update> => {
    const { question } = state
    const candidates = await deps.storing.runStore.loadCandidates(question.id)
    const expensive = leadingExpensive(candidates, state)
    if (expensive === null) throw new Error(`question ${question.id} has no expensive statement to narrow`)
    const options = signal ? { signal } : {}
    const database = await deps.database(question.database, options)
    const { understanding } = await deps.storing.runStore.loadContext(question.id)
    const { text, spans } = understanding
    const today = dayOf(new Date(question.askedAt), question.timeZone)
    const given = { heavy: expensive, question: text, namesPeriod: spans.length > 0, today, database }
    return { outcome: await offerNarrowerQuestions(given, options) }
  }
