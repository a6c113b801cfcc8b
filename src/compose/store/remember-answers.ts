import { randomUUID } from 'node:crypto'
import { makeAnswerReuse } from '../../app/questions/answer-memory.ts'
import type { Config } from '../../config/config.ts'
import type { AccessControl } from '../../core/access.ts'
import type { AnswerCache } from '../../core/answer-cache.ts'
import type { AnswerReuse } from '../../core/answer-memory.ts'
import type { LocatedQuestion } from '../../core/delivery.ts'
import type { Log } from '../../core/log.ts'
import type { Repositories } from '../../store/repositories/make-repositories.ts'
import { once } from '../once.ts'
import { fingerprintCode } from './fingerprint-code.ts'
import { fingerprintSettings } from './fingerprint-settings.ts'

const MINUTE_MS = 60_000

/** Wires answers that are shown again; null where none is to be. */
export const makeConfiguredAnswerMemory = (
  config: Config,
  repositories: Repositories,
  deps: {
    readonly cache: AnswerCache
    readonly access: Pick<AccessControl, 'rightsFingerprint'>
    readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
    readonly now: () => Date
    readonly log: Log
  },
): AnswerReuse | null => {
  const { cacheMinutes } = config.answer
  if (cacheMinutes === 0) return null
  const { answers, questionContexts: briefs, cachedAnswers, candidates, traces } = repositories
  const { cache, access, findPlaced, now, log } = deps
  const fingerprint = once(async () => `${fingerprintSettings(config)} ${await fingerprintCode()}`)
  // Now, while the files are those that this process has loaded. What cannot be read is tried again by a question.
  fingerprint().catch(() => {})
  return makeAnswerReuse({
    ...{ cache, findPlaced, now, log },
    forMs: cacheMinutes * MINUTE_MS,
    fingerprint,
    rightsFingerprint: access.rightsFingerprint,
    mayBeShownAgain: questionId => cachedAnswers.mayBeShownAgain(questionId),
    findAnswer: questionId => answers.find(questionId),
    listCandidates: questionId => candidates.list(questionId),
    findBrief: questionId => briefs.find(questionId),
    findTrace: questionId => traces.find(questionId, now()),
    copyResult: async (from, questionId) => {
      const to = randomUUID()
      return (await cachedAnswers.copyResult({ from, to, questionId }, now())) ? to : null
    },
  })
}

/**
 * Makes forgetting an answer that somebody found wrong, changed or took back, also where it was shown again. It is not
 * waited for: whether an answer may be shown again is read from the store too.
 */
export const makeInvalidateAnswer =
  (
    { cachedAnswers }: Pick<Repositories, 'cachedAnswers'>,
    { cache, log }: { readonly cache: Pick<AnswerCache, 'forget'>; readonly log: Log },
  ): ((questionId: string) => void) =>
  questionId => {
    void (async () => {
      await cache.forget((await cachedAnswers.sourceOf(questionId)) ?? questionId)
    })().catch((error: unknown) => log.warn({ error, questionId }, 'an answer could not be forgotten'))
  }
