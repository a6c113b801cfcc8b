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
 * The cache only says where to look. Whether an answer can be shown is read from the store each time, so votes and
 * changes the cache missed still count. Without known permissions, the question is answered again.
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
  /** Whether an answer was neither criticized nor changed. */
  readonly canBeReused: (questionId: string) => Promise<boolean>
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

  const read = async (from: string, readAt: Date, questionId: string): Promise<ReusedAnswer | null> => {
    if (!(await deps.canBeReused(from))) return null
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
        return { key, answer: await read(found.questionId, found.answeredAt, asked.questionId) }
      } catch (error) {
        const { questionId } = asked
        deps.log.warn({ error, questionId }, 'could not look in the answer cache; answering without it')
        return notReused
      }
    },
    store: (key, questionId) => deps.cache.store(key, { questionId, answeredAt: deps.now() }, deps.forMs),
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
