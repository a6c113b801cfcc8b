import type { AnswerReport } from '../../core/answer.ts'
import { QuerentError } from '../../core/errors.ts'
import { noModelUsage } from '../../core/usage.ts'

/** A run that broke, as an outcome that a person can read: what failed, and the one next step. */
export const reportFailure = (questionId: string, error: unknown): AnswerReport => ({
  questionId,
  outcome: {
    status: 'failed',
    reason:
      error instanceof QuerentError ? error.message : 'Something broke on my side while I worked on this.',
    nextStep: nextStepAfter(error),
  },
  candidates: [],
  usage: noModelUsage,
})

const nextStepAfter = (error: unknown): string => {
  if (!(error instanceof QuerentError)) return 'Ask again; if it fails again, the log says more.'
  switch (error.code) {
    case 'database-unreachable':
    case 'store-unavailable':
      return 'Check that the server runs and that its address is right, then ask again.'
    case 'model-failed':
    case 'budget-spent':
      return 'Ask again later, or ask for less at a time.'
    case 'unknown-database':
    case 'bad-configuration':
    case 'bad-arguments':
    case 'not-installed':
      return 'Correct what the message names, then ask again.'
    case 'database-error':
    case 'cancelled':
    case 'internal':
      return 'Ask again; if it fails again, the log says more.'
    default: {
      const never: never = error.code
      return never
    }
  }
}
