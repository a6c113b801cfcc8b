import type { Candidate } from '../domain/candidate.ts'
import type { Database } from '../domain/database.ts'
import { SqlError } from '../domain/errors.ts'
import type { RecordFeedback, RecordVote, StoredFeedback, Vote, VoteCount } from '../domain/feedback.ts'
import type { ResultKey } from '../domain/result.ts'

/** A person's SQL runs like any other statement, only to get its result's key: its rows are not stored here. */
export const makeRecordFeedback =
  (deps: {
    readonly findAnswer: (questionId: string) => Promise<{ readonly candidateId: string } | null>
    readonly findQuestion: (questionId: string) => Promise<{ readonly database: string } | null>
    readonly listCandidates: (questionId: string) => Promise<readonly Pick<Candidate, 'id' | 'run'>[]>
    /** By the question's database name. */
    readonly openDatabase: (
      name: string,
      options: { readonly signal?: AbortSignal },
    ) => Promise<Pick<Database, 'guard' | 'run'>>
    readonly resultKey: ResultKey
    readonly upsertFeedback: (stored: StoredFeedback) => Promise<void>
    readonly now: () => Date
  }): RecordFeedback =>
  async ({ questionId, person, feedback, signal }) => {
    const question = await deps.findQuestion(questionId)
    const answer = await deps.findAnswer(questionId)
    if (!question || !answer) return { status: 'gone' }
    const candidates = await deps.listCandidates(questionId)
    const keys = new Map(
      candidates.flatMap(({ id, run }) => (run?.status === 'ran' ? [[id, run.groupKey] as const] : [])),
    )
    const answerKey = keys.get(answer.candidateId)
    if (answerKey === undefined) return { status: 'gone' }

    const storeFeedback = async (groupKey: string) => {
      const stored: StoredFeedback = {
        questionId,
        person,
        kind: feedback.kind,
        answerKey,
        groupKey,
        reason: feedback.kind === 'reason' ? feedback.reason : null,
        note: feedback.kind === 'reason' ? feedback.note : null,
        sql: 'sql' in feedback ? feedback.sql : null,
        givenAt: deps.now(),
      }
      await deps.upsertFeedback(stored)
      return { status: 'stored' as const, stored }
    }

    switch (feedback.kind) {
      case 'reason':
      case 'export':
      case 'verification':
        return storeFeedback(answerKey)
      case 'alternative':
        return [...keys.values()].includes(feedback.groupKey)
          ? storeFeedback(feedback.groupKey)
          : { status: 'unfit', reason: 'this result is no longer available for the question; ask it again' }
      case 'sql':
      case 'edit': {
        if (feedback.groupKey !== undefined) return storeFeedback(feedback.groupKey)
        const database = await deps.openDatabase(question.database, signal ? { signal } : {})
        const verdict = database.guard(feedback.sql)
        if (verdict.verdict === 'refuse') return { status: 'unfit', reason: verdict.reason }
        try {
          const table = await database.run(verdict.guarded, signal ? { signal } : {})
          return await storeFeedback(deps.resultKey(table, { ordered: false }))
        } catch (error) {
          signal?.throwIfAborted()
          if (!(error instanceof SqlError) || error.errorClass === 'connection') throw error
          return { status: 'unfit', reason: error.message }
        }
      }
      default: {
        const never: never = feedback
        return never
      }
    }
  }

/** The vote is stored with its run and candidate: selection learns from it. */
export const makeRecordVote =
  (deps: {
    readonly findAnswer: (
      questionId: string,
    ) => Promise<{ readonly runId: string; readonly candidateId: string } | null>
    readonly upsertVote: (vote: {
      readonly questionId: string
      readonly person: string
      readonly vote: Vote
      readonly runId: string
      readonly candidateId: string
    }) => Promise<void>
    readonly countVotes: (questionId: string) => Promise<VoteCount>
  }): RecordVote =>
  async ({ questionId, person, vote }) => {
    const answer = await deps.findAnswer(questionId)
    if (!answer) return null
    await deps.upsertVote({ questionId, person, vote, runId: answer.runId, candidateId: answer.candidateId })
    return deps.countVotes(questionId)
  }
