import { type CheckRateLimit, limitClickRate } from '../../answering/rate-limits.ts'
import {
  type FindRefusal,
  makeFindRefusal,
  requireRevisionAccess,
} from '../../answering/require-permission.ts'
import {
  type ApplyRevision,
  makeApplyRevision,
  makePickResult,
  makeRerunSql,
  makeReviseAnswer,
  type Revisers,
} from '../../answering/revise-answer.ts'
import type { ActInRunContext } from '../../audit/run-contexts.ts'
import type { InsertRevision, ReviseAnswer } from '../../domain/answer-revision.ts'
import type { RecordFeedback } from '../../domain/feedback.ts'
import { resultKey } from '../../ranking/result-key.ts'
import { perTeam } from '../../slack/by-team.ts'
import { makeSlackClient } from '../../slack/delivery/client.ts'
import { makeNotifyRevisionOutcome } from '../../slack/delivery/revision-outcome.ts'
import { makeDescribeResult } from '../answering/describe-results.ts'
import { isPermanentFailure } from '../jobs.ts'
import type { OwnStore } from '../own-store.ts'
import type { Resources } from '../resources.ts'
import type { AnswerActionDeps } from './answer-actions.ts'

/** Changing answers, while a person waits and in a job. */
interface ReviseUseCases {
  readonly reviseAnswer: ReviseAnswer
  readonly carryOut: ApplyRevision
}

export const makeReviseUseCases = (
  { config, openDatabase, log }: Pick<Resources, 'config' | 'openDatabase' | 'log'>,
  { store }: Pick<OwnStore, 'store'>,
  deps: AnswerActionDeps & {
    readonly inContext: ActInRunContext
    /** While a person waits: checks permission and the click limit. */
    readonly findRefusalNow: FindRefusal
    readonly findReviewRefusal: FindRefusal
    /** Counts clicks that run SQL for a person. */
    readonly limitButtons: CheckRateLimit
    readonly showAnswer: (questionId: string) => Promise<void>
    readonly feedback: RecordFeedback
  },
): ReviseUseCases => {
  const { findAnswered, findPlaced, access, sendJob, forgetAnswer, inContext, now } = deps
  const { repositories, inTransaction, loadResult, saveResult } = store
  const { answerRevisions, candidates, reviewRequests } = repositories
  const listCandidates = (questionId: string) => candidates.list(questionId)
  const open = (name: string) => openDatabase(name)
  const revising = {
    findAnswered,
    openDatabase: open,
    saveResult,
    describe: makeDescribeResult({ openDatabase: open, now }),
    resultKey,
    now,
  }

  const insertRevision: InsertRevision = (revision, request, alongside) => {
    forgetAnswer(revision.questionId)
    return inTransaction(async tx => {
      if (!(await answerRevisions.insert(revision, request, tx))) return false
      await alongside?.(tx)
      return true
    })
  }
  const rerunSql = inContext('edit', makeRerunSql({ ...revising, kind: 'edited', insertRevision }))
  const fixSql = inContext(
    'edit',
    makeRerunSql({
      ...revising,
      kind: 'fixed',
      // The decision, the change and the job that shows both are written in one transaction.
      insertRevision: (revision, request, alongside) =>
        inTransaction(async tx => {
          const { questionId, person, madeAt } = revision
          const decided = { decision: 'fixed', by: person, at: madeAt, reason: null } as const
          if (!(await reviewRequests.decide(questionId, decided, tx))) return false
          await answerRevisions.insert(revision, request, tx)
          forgetAnswer(questionId)
          await sendJob('human', { questionId, step: 'decided' }, { tx })
          await alongside?.(tx)
          return true
        }),
    }),
  )
  const pickResult = inContext(
    'edit',
    makePickResult({ ...revising, listCandidates, loadResult, insertRevision }),
  )
  const held = (findRefusal: FindRefusal, findReviewRefusal: FindRefusal): Revisers => ({
    rerunSql: requireRevisionAccess(findRefusal, rerunSql),
    fixSql: requireRevisionAccess(findReviewRefusal, fixSql),
    pickResult: requireRevisionAccess(findRefusal, pickResult),
  })
  // The click was counted when it was submitted; permission is checked again when the job runs.
  const patience = 'patient' as const
  const findRefusalLater = makeFindRefusal({ findPlaced, mayAsk: access.mayAsk, channel: null, patience })
  const findReviewRefusalLater = makeFindRefusal({
    ...{ findPlaced, mayAsk: access.canReview, channel: config.slack.humansChannel, patience },
  })

  const tellIn = perTeam(deps.credentialsOf, credentials =>
    makeNotifyRevisionOutcome({
      ...{ findAnswered, log, client: makeSlackClient({ ...credentials, retries: 2 }) },
      findRequest: questionId => reviewRequests.find(questionId),
    }),
  )
  return {
    reviseAnswer: makeReviseAnswer({
      revisers: held(deps.findRefusalNow, deps.findReviewRefusal),
      // Permission is checked when the job runs, which may wait longer than a click.
      limitClick: limitClickRate(async () => null, { findPlaced, limit: deps.limitButtons }),
      send: (job, { tx, ...options }) => {
        const send = (within: NonNullable<typeof tx>) =>
          sendJob('revise', job, { ...options, tx: within, group: job.person })
        return tx ? send(tx) : inTransaction(send)
      },
    }),
    carryOut: makeApplyRevision({
      revisers: held(findRefusalLater, findReviewRefusalLater),
      findCurrent: async (questionId, request) => {
        const revision = await answerRevisions.findByRequest(questionId, request)
        if (!revision) return null
        const { candidateId, resultId } = revision
        if (candidateId !== null) {
          const picked = (await listCandidates(questionId)).find(({ id }) => id === candidateId)
          return { groupKey: picked?.run?.status === 'ran' ? picked.run.groupKey : null }
        }
        const table = await loadResult(resultId)
        return { groupKey: table && resultKey(table, { ordered: false }) }
      },
      showAnswer: deps.showAnswer,
      feedback: deps.feedback,
      notify: async (wanted, ended) => {
        const team = await deps.teamOf(wanted.questionId)
        if (team !== null) await tellIn(team)(wanted, ended)
      },
      isPermanent: isPermanentFailure,
    }),
  }
}
