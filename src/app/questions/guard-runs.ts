import type { CheckAccess } from '../../core/access.ts'
import type { AnswerReport, Outcome } from '../../core/answer.ts'
import type { AnswerRuns } from '../../core/answer-runs.ts'
import type { LocatedQuestion } from '../../core/delivery.ts'
import { noModelUsage } from '../../core/usage.ts'

/**
 * Holds every run, and every going on with one, to the rights of who asked, as they are now: since the question was
 * stored the person may have become a guest, the channel been shared, or the settings changed. Nothing is read from the
 * database for somebody who may not ask.
 */
export const makeRequireRunAccess = (deps: {
  readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
  readonly mayAsk: CheckAccess
}): ((runs: AnswerRuns) => AnswerRuns) => {
  const refusal = async (questionId: string): Promise<AnswerReport | null> => {
    const placed = await deps.findPlaced(questionId)
    const person = placed?.question.askedBy
    if (!placed || !person) return refusalReport(questionId, unknownAsker)
    const { team, channel } = placed.place
    const { database } = placed.question
    const access = await deps.mayAsk({ person, place: { team, channel }, database }, { patience: 'patient' })
    switch (access.status) {
      case 'allowed':
        return null
      case 'refused':
        return refusalReport(questionId, refusedOutcome('refused', access))
      case 'unknown':
        return refusalReport(questionId, refusedOutcome('failed', access))
      default: {
        const never: never = access
        return never
      }
    }
  }
  return runs => ({
    start: async (question, options) => (await refusal(question.id)) ?? runs.start(question, options),
    resume: async (questionId, reply, options) =>
      (await refusal(questionId)) ?? runs.resume(questionId, reply, options),
    trace: questionId => runs.trace(questionId),
  })
}

const refusedOutcome = (
  status: 'refused' | 'failed',
  { reason, nextStep }: { readonly reason: string; readonly nextStep: string },
): Outcome => ({ status, reason, nextStep })

const unknownAsker = refusedOutcome('failed', {
  reason: 'It is not known any more who asked this, or where.',
  nextStep: 'Ask the question again.',
})

const refusalReport = (questionId: string, outcome: Outcome): AnswerReport => ({
  questionId,
  outcome,
  candidates: [],
  usage: noModelUsage,
})
