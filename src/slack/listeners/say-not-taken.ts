import type { AnswerUseCases } from '../answer-use-cases.ts'

type Reply = Exclude<Awaited<ReturnType<AnswerUseCases['decideRequest']>>, 'taken'>

/** Why a decision about an answer does not count, and what to do. */
export const sayNotTaken = (reply: Reply): string =>
  typeof reply === 'string' ? decidedAlready : `${reply.reason} ${reply.nextStep}`

/** Of two who decide, the first counts. */
export const decidedAlready = 'Somebody was faster: this was decided already.'
