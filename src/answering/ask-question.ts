import type { Asker, CheckAccess, NotAllowed } from '../domain/access/access.ts'
import type { DigestRequest } from '../domain/digests/use-cases.ts'
import {
  type AdmittedQuestion,
  type AskQuestion,
  type SlackLocation,
  slackLocationKey,
} from '../domain/message.ts'
import type { InTransaction, SendJob, Tx } from '../domain/operations/jobs.ts'
import type { PendingQuestions, Question } from '../domain/question.ts'
import type { CheckRateLimit } from './rate-limits.ts'

/** Rolls back a question that was just stored. */
class RateLimited extends Error {
  readonly refusal: NotAllowed
  constructor(refusal: NotAllowed) {
    super(refusal.reason)
    this.refusal = refusal
  }
}

/**
 * Asks a question from a click or command. Acknowledge it only after this resolves: its transaction has then committed.
 */
export const makeAskQuestion =
  (deps: {
    readonly admit: AdmitQuestion
    readonly inTransaction: InTransaction
    readonly storeQuestion: StoreQuestion
    readonly limit: CheckRateLimit
    /** False if the key is taken. */
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
        // A click that is delivered again does not count again: only the first time something is stored does.
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

/** Writes a question and its job in a transaction. Null if this location already has a question. */
export type StoreQuestion = (
  question: AdmittedQuestion & {
    /** A key other than the location's, for an edited message. */
    readonly key?: string
    /** The question it follows, outside of threads. */
    readonly follows?: string
    readonly fresh?: true
    /** Who had it run, if that is another person. */
    readonly runBy?: string
  },
  tx: Tx,
) => Promise<string | null>

/**
 * Both are written together: a question without a job would never be answered, and a job without a question would
 * answer nothing.
 */
export const makeStoreQuestion =
  (deps: {
    /** False if a question with this key exists. */
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

/** Whether a question can be stored, and which database it asks. */
type Admission = { readonly status: 'admitted'; readonly database: string } | NotAllowed

/** Decides on arrival, within the seconds the platform waits. */
export type AdmitQuestion = (
  asker: Asker & {
    /** The database the location must ask, if that matters. */
    readonly asks?: string
  },
) => Promise<Admission>

/**
 * If the platform did not identify the person but the location's database is certain, the question is stored anyway.
 * Its job checks again, with more time, before anything is answered.
 */
export const makeAdmitQuestion =
  (mayAsk: CheckAccess): AdmitQuestion =>
  async ({ person, location: { team, channel }, asks }) => {
    const access = await mayAsk({
      ...{ person, location: { team, channel } },
      ...(asks !== undefined && { asks }),
    })
    switch (access.status) {
      case 'allowed':
        return { status: 'admitted', database: access.database }
      case 'refused':
        return { status: 'not-allowed', reason: access.reason, nextStep: access.nextStep }
      case 'unknown':
        return access.database === null || (asks !== undefined && access.database !== asks)
          ? { status: 'not-allowed', reason: access.reason, nextStep: access.nextStep }
          : { status: 'admitted', database: access.database }
      default: {
        const never: never = access
        return never
      }
    }
  }

/** How long the acknowledging process has to ask the question before the job does. */
const GRACE_SECONDS = 15

/** Rolls back a pending question. */
class AlreadyPending extends Error {}

/** Their job is written in the transaction that the acknowledgement waits for. */
export const makePendingQuestions = (deps: {
  readonly inTransaction: InTransaction
  readonly sendJob: SendJob
  /** False if the key is taken. */
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
