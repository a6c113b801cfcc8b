import type { Asker, CheckAccess, NotAllowed } from '../domain/access.ts'
import type { DigestRequest } from '../domain/digest-use-cases.ts'
import {
  type AdmittedQuestion,
  type AskQuestion,
  type SlackLocation,
  slackLocationKey,
} from '../domain/message.ts'
import type { SendJob } from '../domain/operations/jobs.ts'
import type { InTransaction, Tx } from '../domain/operations/transaction.ts'
import type { PendingQuestions, Question } from '../domain/question.ts'
import type { CheckRateLimit } from './rate-limits.ts'

/** Takes a question back that was just stored. */
class RateLimited extends Error {
  readonly refusal: NotAllowed
  constructor(refusal: NotAllowed) {
    super(refusal.reason)
    this.refusal = refusal
  }
}

/** Makes the use case. Only when its transaction has committed may the click or command be acknowledged. */
export const makeAskQuestion =
  (deps: {
    readonly admit: AdmitQuestion
    readonly inTransaction: InTransaction
    readonly storeQuestion: StoreQuestion
    readonly limit: CheckRateLimit
    /** False when the key is taken. */
    readonly claim: (key: string, tx: Tx) => Promise<boolean>
    readonly storeDigestRequest: (request: DigestRequest, tx: Tx) => Promise<void>
  }): AskQuestion =>
  async ({ claims = [], digest, ...question }) => {
    const admission = await deps.admit({ person: question.askedBy, location: question.location })
    if (admission.status === 'not-allowed') return admission
    const { database } = admission
    try {
      const questionId = await deps.inTransaction(async tx => {
        for (const key of claims) if (!(await deps.claim(key, tx))) return null
        const stored = await deps.storeQuestion({ ...question, database }, tx)
        if (stored === null) return null
        // A click that is delivered again is not counted again: only what is stored for the first time is.
        const overLimit = await deps.limit({ person: question.askedBy, team: question.location.team })
        if (overLimit) throw new RateLimited(overLimit)
        if (digest) {
          const request = { questionId: stored, person: question.askedBy, digest, madeAt: question.askedAt }
          await deps.storeDigestRequest(request, tx)
        }
        return stored
      })
      return questionId === null ? { status: 'known' } : { status: 'asked', questionId }
    } catch (error) {
      if (error instanceof RateLimited) return error.refusal
      throw error
    }
  }

/** Writes a question and its job within a transaction. Null when a question of this place is there already. */
export type StoreQuestion = (
  question: AdmittedQuestion & {
    /** Another key than that of the place, for what a message was edited into. */
    readonly key?: string
    /** The question that it follows outside of threads. */
    readonly follows?: string
    readonly fresh?: true
    /** Who pressed for it to be run, where that is somebody else. */
    readonly runBy?: string
  },
  tx: Tx,
) => Promise<string | null>

/**
 * Makes it. Both are written together: a question without a job would never be answered, and a job without a
 * question would answer nothing.
 */
export const makeStoreQuestion =
  (deps: {
    /** False when a question of this key is there already. */
    readonly insertQuestion: (question: Question, location: SlackLocation, tx: Tx) => Promise<boolean>
    readonly sendJob: SendJob
    readonly newId: () => string
    readonly timeZone: string
  }): StoreQuestion =>
  async (asked, tx) => {
    const question: Question = {
      id: deps.newId(),
      key: asked.key ?? slackLocationKey(asked.location),
      text: asked.text,
      database: asked.database,
      askedAt: asked.askedAt,
      timeZone: deps.timeZone,
      askedBy: asked.askedBy,
      ...(asked.follows === undefined ? {} : { follows: asked.follows }),
      ...(asked.fresh && { fresh: true }),
      ...(asked.runBy !== undefined && { runBy: asked.runBy }),
    }
    if (!(await deps.insertQuestion(question, asked.location, tx))) return null
    const group = `${asked.location.team} ${asked.runBy ?? asked.askedBy}`
    await deps.sendJob('question', { questionId: question.id }, { tx, group })
    return question.id
  }

/** Whether a question may be stored, and which database it is asked of. */
type Admission = { readonly status: 'admitted'; readonly database: string } | NotAllowed

/** Decides at the door, within the seconds that the platform waits. */
export type AdmitQuestion = (
  asker: Asker & {
    /** The one that the place has to ask, where it matters. */
    readonly database?: string
  },
) => Promise<Admission>

/**
 * Makes it. Where the platform did not tell who asks, but it is certain which database the place asks, the question is
 * stored all the same: nothing is answered before its job has found out, and that has more time.
 */
export const makeAdmitQuestion =
  (mayAsk: CheckAccess): AdmitQuestion =>
  async ({ person, location: { team, channel }, database }) => {
    const access = await mayAsk({
      ...{ person, location: { team, channel } },
      ...(database !== undefined && { database }),
    })
    switch (access.status) {
      case 'allowed':
        return { status: 'admitted', database: access.database }
      case 'refused':
        return { status: 'not-allowed', reason: access.reason, nextStep: access.nextStep }
      case 'unknown':
        return access.database === null || (database !== undefined && access.database !== database)
          ? { status: 'not-allowed', reason: access.reason, nextStep: access.nextStep }
          : { status: 'admitted', database: access.database }
      default: {
        const never: never = access
        return never
      }
    }
  }

/** How long whoever acknowledged has to keep the promise, before the job does. */
const GRACE_SECONDS = 15

/** Rolls a promise back. */
class AlreadyPending extends Error {}

/** Makes the promises: their job is written in the transaction that the acknowledgement waits for. */
export const makePendingQuestions = (deps: {
  readonly inTransaction: InTransaction
  readonly sendJob: SendJob
  /** False when the key is taken. */
  readonly claim: (key: string, tx?: Tx) => Promise<boolean>
  readonly isClaimed: (key: string) => Promise<boolean>
  readonly isAsked: (key: string) => Promise<boolean>
}): PendingQuestions => ({
  add: async (pending, claims = []) => {
    try {
      await deps.inTransaction(async tx => {
        for (const key of claims) if (!(await deps.claim(key, tx))) throw new AlreadyPending()
        await deps.sendJob('ask-for-person', pending, { tx, startAfterSeconds: GRACE_SECONDS })
      })
      return true
    } catch (error) {
      if (error instanceof AlreadyPending) return false
      throw error
    }
  },
  isOpen: async key => !(await deps.isAsked(key)) && !(await deps.isClaimed(closedKey(key))),
  close: async key => void (await deps.claim(closedKey(key))),
})

const closedKey = (key: string): string => `closed ${key}`
