import type { AnswerUseCases } from '../answer-use-cases.ts'

type DecisionRefusal = Exclude<Awaited<ReturnType<AnswerUseCases['decideRequest']>>, 'taken'>

/** Why a decision about an answer does not count, and what to do. */
export const formatDecisionRefusal = (reply: DecisionRefusal): string =>
  typeof reply === 'string' ? alreadyDecidedText : `${reply.reason} ${reply.nextStep}`

/** Of two who decide, the first counts. */
export const alreadyDecidedText = 'Somebody was faster: this was decided already.'
