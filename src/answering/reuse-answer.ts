import type { RightsFingerprint } from '../domain/access/access.ts'
import type { Outcome } from '../domain/answer.ts'
import type {
  AnswerCache,
  AnswerCacheKey,
  AnswerReuse,
  ReusedAnswer,
  ReuseQuery,
  ReuseResult,
} from '../domain/answer-cache.ts'
import type { Candidate, ExecutionGroup } from '../domain/candidate.ts'
import type { LocatedQuestion } from '../domain/message.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { QuestionContext } from '../domain/question-context.ts'
import type { Trace } from '../domain/trace.ts'

const notReused: ReuseResult = { key: null, answer: null }

/**
 * The cache only says where to look, and is not trusted: anyone who can write to Redis can name any answer in it. The
 * store says each time whether that answer was stored for the same question, database, rights and workspace, and
 * whether it can still be shown, so votes and changes the cache missed count too. Without known permissions, the question is answered
 * again.
 */
export const makeAnswerReuse = (deps: {
  readonly cache: AnswerCache
  /** How long an answer can be reused. */
  readonly forMs: number
  readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
  readonly rightsFingerprint: RightsFingerprint
  /**
   * Fingerprint of everything in this process that affects answers, except the selector, which can change while it
   * runs.
   */
  readonly fingerprint: () => Promise<string>
  /** Records in the store that an answer can be reused under its key. */
  readonly recordReusable: (given: {
    readonly questionId: string
    readonly key: AnswerCacheKey
    readonly readAt: Date
    readonly expiresAt: Date
  }) => Promise<void>
  /**
   * When the rows of an answer were read. Null if the store does not know it as an answer with this key from this
   * workspace, or if it was criticized or changed.
   */
  readonly findReusable: (given: {
    readonly questionId: string
    readonly key: AnswerCacheKey
    readonly team: string
  }) => Promise<Date | null>
  readonly findAnswer: (
    questionId: string,
  ) => Promise<Omit<Extract<Outcome, { status: 'answered' }>, 'status'> | null>
  readonly listCandidates: (questionId: string) => Promise<readonly Candidate[]>
  readonly findContext: (questionId: string) => Promise<QuestionContext | null>
  readonly findTrace: (questionId: string) => Promise<Pick<Trace, 'groups'> | null>
  /** Copies a saved result for a question and returns the id of the copy; null if it has expired. */
  readonly copyResult: (resultId: string, questionId: string) => Promise<string | null>
  readonly now: () => Date
  readonly log: Log
}): AnswerReuse => {
  const keyOf = async ({ questionId, selector, ...asked }: ReuseQuery, placed: LocatedQuestion) => {
    const { askedBy } = placed.question
    if (askedBy === null) return null
    const { team, channel } = placed.location
    const rights = await deps.rightsFingerprint({ person: askedBy, location: { team, channel } })
    if (rights === null) return null
    const answeredBy = JSON.stringify([await deps.fingerprint(), selector])
    return { ...asked, answeredBy, rights } satisfies AnswerCacheKey
  }

  const read = async (
    { from, key, team }: { readonly from: string; readonly key: AnswerCacheKey; readonly team: string },
    questionId: string,
  ): Promise<ReusedAnswer | null> => {
    const readAt = await deps.findReusable({ questionId: from, key, team })
    if (readAt === null) return null
    const [answer, candidates, context, trace] = await Promise.all([
      deps.findAnswer(from),
      deps.listCandidates(from),
      deps.findContext(from),
      deps.findTrace(from),
    ])
    if (!answer || !context) return null
    const resultId = await deps.copyResult(answer.resultId, questionId)
    if (resultId === null) return null
    const wanted = new Set([answer.candidateId, ...(answer.alternatives ?? []).map(one => one.candidateId)])
    const stored: Candidate[] = []
    for (const candidate of candidates.filter(({ id }) => wanted.has(id))) {
      const { run } = candidate
      if (run?.status !== 'ran') continue
      const copy =
        run.resultId === answer.resultId ? resultId : await deps.copyResult(run.resultId, questionId)
      if (copy !== null) stored.push({ ...candidate, run: { ...run, resultId: copy } })
    }
    const ids = new Set(stored.map(({ id }) => id))
    if (!ids.has(answer.candidateId)) return null
    const alternatives = (answer.alternatives ?? []).filter(one => ids.has(one.candidateId))
    const { candidateId, sql, confidence, headline, assumptions } = answer
    return {
      from,
      outcome: {
        ...{ status: 'answered', candidateId, resultId, sql, confidence, headline, assumptions },
        ...(alternatives.length > 0 && { alternatives }),
        cached: { from, readAt: readAt.toISOString() },
      },
      candidates: stored,
      groups: groupsOf(trace?.groups ?? [], ids),
      context,
    }
  }

  return {
    find: async asked => {
      try {
        const placed = await deps.findPlaced(asked.questionId)
        const key = placed && (await keyOf(asked, placed))
        if (!placed || !key) return notReused
        // The person wants the rows read again.
        if (placed.question.fresh) return { key, answer: null }
        const found = await deps.cache.find(key)
        // After a crash, a repeated run may find the answer it stored itself.
        if (!found || found.questionId === asked.questionId) return { key, answer: null }
        const { team } = placed.location
        return { key, answer: await read({ from: found.questionId, key, team }, asked.questionId) }
      } catch (error) {
        const { questionId } = asked
        deps.log.warn({ error, questionId }, 'could not look in the answer cache; answering without it')
        return notReused
      }
    },
    store: async (key, questionId) => {
      try {
        const readAt = deps.now()
        const expiresAt = new Date(readAt.getTime() + deps.forMs)
        await deps.recordReusable({ questionId, key, readAt, expiresAt })
        await deps.cache.store(key, { questionId }, deps.forMs)
      } catch (error) {
        deps.log.warn({ error, questionId }, 'could not store an answer for reuse')
      }
    },
  }
}

/** The groups of the candidates, without candidates that were not copied. */
const groupsOf = (groups: readonly ExecutionGroup[], ids: ReadonlySet<string>): readonly ExecutionGroup[] =>
  groups.flatMap(({ key, candidateIds, representativeId, score, reasons }) => {
    const stored = candidateIds.filter(id => ids.has(id))
    const [first] = stored
    if (first === undefined) return []
    return [
      {
        key,
        candidateIds: stored,
        representativeId: ids.has(representativeId) ? representativeId : first,
        score,
        ...(reasons && { reasons }),
      },
    ]
  })
