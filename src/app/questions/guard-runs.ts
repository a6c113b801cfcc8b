import type { MayAsk } from '../../core/access.ts'
import type { AnswerReport, Outcome } from '../../core/answer.ts'
import type { AnswerRuns } from '../../core/answer-runs.ts'
import type { PlacedQuestion } from '../../core/delivery.ts'
import { noUsage } from '../../core/usage.ts'

/**
 * Holds every run, and every going on with one, to the rights of who asked, as they are now: since the question was
 * stored the person may have become a guest, the channel been shared, or the settings changed. Nothing is read from the
 * database for somebody who may not ask.
 */
export const makeGuardRuns = (deps: {
  readonly findPlaced: (questionId: string) => Promise<PlacedQuestion | null>
  readonly mayAsk: MayAsk
}): ((runs: AnswerRuns) => AnswerRuns) => {
  const refusal = async (questionId: string): Promise<AnswerReport | null> => {
    const placed = await deps.findPlaced(questionId)
    const person = placed?.question.askedBy
    if (!placed || !person) return report(questionId, nowhere)
    const { team, channel } = placed.place
    const { database } = placed.question
    const access = await deps.mayAsk({ person, place: { team, channel }, database }, { patience: 'patient' })
    switch (access.status) {
      case 'allowed':
        return null
      case 'refused':
        return report(questionId, refused('refused', access))
      case 'unknown':
        return report(questionId, refused('failed', access))
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

const refused = (
  status: 'refused' | 'failed',
  { reason, nextStep }: { readonly reason: string; readonly nextStep: string },
): Outcome => ({ status, reason, nextStep })

const nowhere = refused('failed', {
  reason: 'It is not known any more who asked this, or where.',
  nextStep: 'Ask the question again.',
})

const report = (questionId: string, outcome: Outcome): AnswerReport => ({
  questionId,
  outcome,
  candidates: [],
  usage: noUsage,
})
