import type { InSameTransaction, PickResult, RerunSql, RevisionResult } from '../../core/answer-revision.ts'
import type { JobData } from '../../core/job.ts'
import type { Tx } from '../../core/tx.ts'
import type { ReviseAnswer, RevisionRequest } from '../../core/wanted-revision.ts'
import type { FindRefusal } from './hold-to-rights.ts'

/** What changes answers, each held to the rights of whoever wants it. */
export interface Revisers {
  readonly rerunSql: RerunSql
  readonly fixSql: RerunSql
  readonly pickResult: PickResult
}

/** Slack has to have heard that the form may wait before it is told how it ended. */
const START_DELAY_SECONDS = 1

/** Names a submission among the changes of an answer. */
export const revisionRequestKey = ({ by, submission }: Pick<RevisionRequest, 'by' | 'submission'>): string =>
  `${by} ${submission}`

/** Changes an answer as somebody wants it. */
export const applyRevision = (
  { rerunSql, fixSql, pickResult }: Revisers,
  wanted: RevisionRequest,
  options: { readonly alongside?: InSameTransaction; readonly signal?: AbortSignal },
): Promise<RevisionResult> => {
  const { questionId, person, change } = wanted
  const given = { questionId, person, request: revisionRequestKey(wanted), ...options }
  if (change.kind === 'pick') return pickResult({ ...given, candidateId: change.candidateId })
  const { sql, evenIfHeavy } = change
  return (wanted.by === 'fix' ? fixSql : rerunSql)({ ...given, sql, evenIfHeavy })
}

/** Makes the use case: whatever becomes of the process, what was acknowledged is done and shown. */
export const makeReviseAnswer = (deps: {
  readonly revisers: Revisers
  /** Counts a click of a person on an answer. */
  readonly limitClick: FindRefusal
  readonly send: (
    job: JobData['revise'],
    options: { readonly tx?: Tx; readonly startAfterSeconds?: number },
  ) => Promise<void>
}): ReviseAnswer => ({
  now: (wanted, signal) =>
    applyRevision(deps.revisers, wanted, {
      alongside: tx => deps.send({ ...wanted, tells: false }, { tx }),
      ...(signal && { signal }),
    }),
  later: wanted => deps.send({ ...wanted, tells: true }, { startAfterSeconds: START_DELAY_SECONDS }),
  click: async wanted => {
    const tooMuch = await deps.limitClick(wanted.questionId, wanted.person)
    if (tooMuch) return tooMuch
    await deps.send({ ...wanted, tells: true }, {})
    return null
  },
})
