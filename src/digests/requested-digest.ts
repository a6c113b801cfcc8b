import type {
  DigestRequest,
  DigestRequestEnd,
  DigestRequestOutcome,
  DigestUseCases,
  NotifyDigestRequest,
} from '../domain/digests/use-cases.ts'
import type { LocatedQuestion } from '../domain/message.ts'
import type { Log } from '../domain/operations/telemetry.ts'

/** After this time, an undeliverable outcome is dropped. */
const NOTIFY_WINDOW_MS = 24 * 60 * 60 * 1000

/** Creates the digest requested with a question that has ended. Can be repeated safely. */
type ScheduleRequestedDigest = (
  given: { readonly questionId: string },
  attempt: { readonly lastAttempt: boolean },
) => Promise<void>

/**
 * One digest is created per question, and one message posted. The request is removed only after that, so a process that
 * dies leaves it to the next. A waiting question keeps its request.
 */
export const makeScheduleRequestedDigest = (deps: {
  readonly findRequest: (
    questionId: string,
  ) => Promise<{ readonly request: DigestRequest; readonly ended: DigestRequestEnd | null } | null>
  readonly removeRequest: (questionId: string) => Promise<unknown>
  readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
  readonly schedule: DigestUseCases['schedule']
  readonly tell: NotifyDigestRequest
  /** Whether trying again cannot help, for instance because the channel is gone or the bot was removed from it. */
  readonly isPermanent: (error: unknown) => boolean
  readonly now: () => Date
  readonly log: Log
}): ScheduleRequestedDigest => {
  const schedule = async (
    { questionId, person, digest }: DigestRequest,
    { question }: LocatedQuestion,
  ): Promise<DigestRequestOutcome> => {
    const { schedule, timeZone, condition, target } = digest
    const form = {
      ...{ schedule, target },
      timeZone: timeZone ?? question.timeZone,
      condition: condition ?? ({ kind: 'always' } as const),
    }
    const made = await deps.schedule({ questionId, person, form, request: questionId })
    return made.status === 'scheduled' ? made : { status: 'unfit', refusal: made }
  }
  const carryOut = async (
    request: DigestRequest,
    placed: LocatedQuestion,
    ended: DigestRequestEnd,
    lastAttempt: boolean,
  ): Promise<DigestRequestOutcome> => {
    if (ended !== 'answered') return { status: 'unanswered', end: ended }
    try {
      return await schedule(request, placed)
    } catch (error) {
      if (!lastAttempt && !deps.isPermanent(error)) throw error
      deps.log.error({ error, questionId: request.questionId }, 'could not schedule an answer')
      return { status: 'broken' }
    }
  }
  return async ({ questionId }, { lastAttempt }) => {
    const found = await deps.findRequest(questionId)
    if (!found?.ended) return
    const placed = await deps.findPlaced(questionId)
    if (placed) {
      const outcome = await carryOut(found.request, placed, found.ended, lastAttempt)
      try {
        await deps.tell(placed, outcome)
      } catch (error) {
        const isOver = deps.now().getTime() - found.request.madeAt.getTime() > NOTIFY_WINDOW_MS
        if (!isOver && !deps.isPermanent(error)) {
          if (!lastAttempt) throw error
          // The request stays, and the next check queues another job for it.
          return deps.log.warn({ error, questionId }, 'could not say yet whether a digest was created')
        }
        deps.log.error(
          { error, questionId },
          'could not say where the digest was requested whether it was created',
        )
      }
    }
    await deps.removeRequest(questionId)
  }
}
