import type { AlternativeResult, FindAnsweredQuestion, ListAlternativeResults } from '../domain/answer.ts'
import type {
  AnswerRevision,
  DescribeResult,
  InSameTransaction,
  InsertRevision,
  PickResult,
  RerunSql,
  ReviseAnswer,
  RevisionOutcome,
  RevisionRequest,
  RevisionResult,
} from '../domain/answer-revision.ts'
import type { Candidate } from '../domain/candidate.ts'
import type { Database } from '../domain/database.ts'
import { QuerentError, SqlError } from '../domain/errors.ts'
import type { Feedback, RecordFeedback } from '../domain/feedback.ts'
import type { JobData, Tx } from '../domain/operations/jobs.ts'
import type { LoadResult, ResultKey, ResultTable, SaveResult } from '../domain/result.ts'
import { ExpensiveQueryError } from '../domain/sql.ts'
import type { Trace } from '../domain/trace.ts'
import type { FindRefusal } from './require-permission.ts'

/** The functions that change answers, each requiring permission. */
export interface Revisers {
  readonly rerunSql: RerunSql
  readonly fixSql: RerunSql
  readonly pickResult: PickResult
}

/** Slack must have acknowledged the form before it gets the outcome. */
const START_DELAY_SECONDS = 1

/** Key of a submission among the changes of an answer. */
const revisionRequestKey = ({ by, submission }: Pick<RevisionRequest, 'by' | 'submission'>): string =>
  `${by} ${submission}`

const applyRevision = (
  { rerunSql, fixSql, pickResult }: Revisers,
  request: RevisionRequest,
  options: { readonly alongside?: InSameTransaction; readonly signal?: AbortSignal },
): Promise<RevisionResult> => {
  const { questionId, person, change } = request
  const given = { questionId, person, request: revisionRequestKey(request), ...options }
  if (change.kind === 'pick') return pickResult({ ...given, candidateId: change.candidateId })
  const { sql, evenIfHeavy } = change
  return (request.by === 'fix' ? fixSql : rerunSql)({ ...given, sql, evenIfHeavy })
}

/** An acknowledged change is made and shown even if the process dies. */
export const makeReviseAnswer = (deps: {
  readonly revisers: Revisers
  /** Counts a person's click on an answer. */
  readonly limitClick: FindRefusal
  readonly send: (
    job: JobData['revise'],
    options: { readonly tx?: Tx; readonly startAfterSeconds?: number },
  ) => Promise<void>
}): ReviseAnswer => ({
  now: (request, signal) =>
    applyRevision(deps.revisers, request, {
      alongside: tx => deps.send({ ...request, tells: false }, { tx }),
      ...(signal && { signal }),
    }),
  later: request => deps.send({ ...request, tells: true }, { startAfterSeconds: START_DELAY_SECONDS }),
  click: async request => {
    const tooMuch = await deps.limitClick(request.questionId, request.person)
    if (tooMuch) return tooMuch
    await deps.send({ ...request, tells: true }, {})
    return null
  },
})

/** Changes an answer in a job, and shows it. Rejects if another attempt may help. */
export type ApplyRevision = (
  job: JobData['revise'],
  attempt: { readonly signal: AbortSignal; readonly lastAttempt: boolean },
) => Promise<void>

/** The current change; `groupKey` as `ExecutionGroup.key`, null if its rows have expired. */
interface CurrentRevision {
  readonly groupKey: string | null
}

/**
 * The stored revision shows whether an earlier attempt already made the change; its SQL is then not run again, and only
 * the steps after it are repeated. Those can be repeated safely.
 */
export const makeApplyRevision =
  (deps: {
    readonly revisers: Revisers
    readonly findCurrent: (questionId: string, request: string) => Promise<CurrentRevision | null>
    readonly showAnswer: (questionId: string) => Promise<void>
    readonly feedback: RecordFeedback
    /** Tells only the person who submitted it. Does not reject. */
    readonly notify: (request: RevisionRequest, ended: RevisionOutcome | 'done') => Promise<void>
    readonly isPermanent: (error: unknown) => boolean
  }): ApplyRevision =>
  async ({ tells, ...request }, { signal, lastAttempt }) => {
    const { questionId, person } = request
    const notify: typeof deps.notify = async (...args) => {
      if (tells) await deps.notify(...args)
    }
    const storeFeedback = async (feedback: Feedback): Promise<void> =>
      void (await deps.feedback({ questionId, person, feedback, signal }))
    const storeReason = async (): Promise<void> => {
      if (request.reason) await storeFeedback({ kind: 'reason', ...request.reason })
    }
    let stage: 'making' | 'made' | 'shown' = 'making'
    try {
      const requestKey = revisionRequestKey(request)
      let current = await deps.findCurrent(questionId, requestKey)
      if (!current) {
        const revised = await applyRevision(deps.revisers, request, { signal })
        if (revised.status === 'revised') current = revised
        // An attempt that was given up had already changed the answer.
        else if (revised.status === 'late') current = await deps.findCurrent(questionId, requestKey)
        if (!current) {
          // The form that asks whether to run it no longer knows this reason.
          if (revised.status === 'too-heavy') await storeReason()
          return await notify(request, revised)
        }
      }
      stage = 'made'
      // The job that carries out the decision shows a fix.
      if (request.by !== 'fix') await deps.showAnswer(questionId)
      stage = 'shown'
      await storeReason()
      if (current.groupKey !== null) await storeFeedback(feedbackOf(request, current.groupKey))
      await notify(request, 'done')
    } catch (error) {
      signal.throwIfAborted()
      if (lastAttempt || deps.isPermanent(error)) {
        if (stage === 'making') await notify(request, { status: 'broken', reason: failureReason(error) })
        // The form closed, so the person believes that the message shows the change.
        else if (stage === 'made') await deps.notify(request, { status: 'unshown' })
        else await notify(request, 'done')
      }
      throw error
    }
  }

/** The feedback that a change implies. */
const feedbackOf = ({ by, change }: RevisionRequest, groupKey: string): Feedback =>
  change.kind === 'pick'
    ? { kind: 'alternative', groupKey }
    : { kind: by === 'edit' ? 'edit' : 'sql', sql: change.sql, groupKey }

const failureReason = (error: unknown): string =>
  error instanceof QuerentError ? error.message : 'something went wrong on my side. Try again in a moment.'

/**
 * Runs a person's SQL in place of the answer's. The result is saved like any other and stays the answer until it is
 * changed again.
 */
export const makeRerunSql =
  (deps: {
    /** `edited` by a person who can edit answers, `fixed` by a reviewer. */
    readonly kind: 'edited' | 'fixed'
    readonly findAnswered: FindAnsweredQuestion
    readonly openDatabase: (name: string) => Promise<Pick<Database, 'guard' | 'run'>>
    readonly saveResult: SaveResult
    readonly describe: DescribeResult
    readonly resultKey: ResultKey
    readonly insertRevision: InsertRevision
    readonly now: () => Date
  }): RerunSql =>
  async ({ questionId, sql, evenIfHeavy = false, person, request, alongside, signal }) => {
    const answered = await deps.findAnswered(questionId)
    if (!answered) return { status: 'gone' }
    const database = await deps.openDatabase(answered.question.database)
    const attempt = await trySql(database, sql, { evenIfHeavy, ...(signal ? { signal } : {}) })
    if (attempt.status !== 'ran') return attempt
    const { sql: ran, table } = attempt
    const shown = await deps.describe({ sql: ran, table, question: answered.question })
    const { headline } = shown
    const groupKey = deps.resultKey(table, { ordered: false })
    const revision: AnswerRevision = {
      questionId,
      kind: deps.kind,
      person,
      candidateId: null,
      sql: ran,
      resultId: await deps.saveResult(questionId, shown.table),
      headline,
      assumptions: [],
      madeAt: deps.now(),
    }
    // The caller gave up and leaves the change to someone else.
    signal?.throwIfAborted()
    if (!(await deps.insertRevision(revision, request, alongside))) return { status: 'late' }
    return { status: 'revised', headline, rowCount: table.rows.length, groupKey }
  }

/** The outcome of running a person's SQL. `too-heavy` was not run; it runs after the person confirms. */
type SqlAttempt =
  | { readonly status: 'ran'; readonly sql: string; readonly table: ResultTable }
  | { readonly status: 'unfit' | 'too-heavy'; readonly reason: string }

/**
 * Runs a person's SQL like any other: through the guard, read-only and under every cap. Refusals by the guard or the
 * database are returned; rejects if the database cannot be reached or the signal fires.
 */
export const trySql = async (
  database: Pick<Database, 'guard' | 'run'>,
  text: string,
  options: { readonly evenIfHeavy?: boolean; readonly signal?: AbortSignal } = {},
): Promise<SqlAttempt> => {
  const sql = text.trim().replace(/\s*;$/, '')
  const verdict = database.guard(sql)
  if (verdict.verdict === 'refuse') return { status: 'unfit', reason: verdict.reason }
  try {
    return { status: 'ran', sql, table: await database.run(verdict.guarded, options) }
  } catch (error) {
    options.signal?.throwIfAborted()
    if (!(error instanceof SqlError) || error.errorClass === 'connection') throw error
    return { status: error instanceof ExpensiveQueryError ? 'too-heavy' : 'unfit', reason: error.message }
  }
}

/**
 * Makes another candidate's saved result the answer, unless the guard now refuses its SQL. A result that has expired is
 * read again.
 */
export const makePickResult =
  (deps: {
    readonly findAnswered: FindAnsweredQuestion
    readonly listCandidates: (questionId: string) => Promise<readonly Candidate[]>
    readonly openDatabase: (name: string) => Promise<Pick<Database, 'guard' | 'run'>>
    readonly loadResult: LoadResult
    readonly saveResult: SaveResult
    readonly describe: DescribeResult
    readonly insertRevision: InsertRevision
    readonly now: () => Date
  }): PickResult =>
  async ({ questionId, candidateId, person, request, alongside, signal }) => {
    const answered = await deps.findAnswered(questionId)
    const candidates = answered ? await deps.listCandidates(questionId) : []
    const candidate = candidates.find(({ id }) => id === candidateId)
    if (!answered || candidate?.run?.status !== 'ran') return { status: 'gone' }
    const database = await deps.openDatabase(answered.question.database)
    const verdict = database.guard(candidate.sql)
    if (verdict.verdict === 'refuse') return { status: 'unfit', reason: verdict.reason }
    let { resultId } = candidate.run
    let table = await deps.loadResult(resultId)
    if (!table) {
      // It ran before, so a person has already agreed to what it reads.
      const attempt = await trySql(database, candidate.sql, {
        evenIfHeavy: true,
        ...(signal ? { signal } : {}),
      })
      if (attempt.status !== 'ran') return attempt
      table = attempt.table
      resultId = await deps.saveResult(questionId, table)
    }
    const { sql, assumptions, meaning } = candidate
    const shown = await deps.describe({
      ...{ sql, table, question: answered.question },
      ...(meaning && { meaning }),
    })
    const { headline } = shown
    if (shown.table !== table) resultId = await deps.saveResult(questionId, shown.table)
    const revision: AnswerRevision = {
      questionId,
      kind: 'picked',
      person,
      candidateId,
      sql,
      resultId,
      headline,
      assumptions,
      madeAt: deps.now(),
    }
    signal?.throwIfAborted()
    if (!(await deps.insertRevision(revision, request, alongside))) return { status: 'late' }
    return { status: 'revised', headline, rowCount: table.rows.length, groupKey: candidate.run.groupKey }
  }

/**
 * Lists alternatives from the run's trace, which has the groups as they were when the answer was chosen. Groups whose
 * SQL the guard now refuses are left out.
 */
export const makeListAlternativeResults =
  (deps: {
    readonly findAnswered: FindAnsweredQuestion
    readonly findTrace: (questionId: string) => Promise<Trace | null>
    readonly openDatabase: (name: string) => Promise<Pick<Database, 'guard'>>
    readonly listCandidates: (questionId: string) => Promise<readonly Candidate[]>
  }): ListAlternativeResults =>
  async questionId => {
    const answered = await deps.findAnswered(questionId)
    const trace = answered && (await deps.findTrace(questionId))
    if (!trace) return []
    const { guard } = await deps.openDatabase(answered.question.database)
    const candidates = new Map((await deps.listCandidates(questionId)).map(one => [one.id, one]))
    return trace.groups.flatMap((group): AlternativeResult[] => {
      const current = candidates.get(group.representativeId)
      if (current?.run?.status !== 'ran' || guard(current.sql).verdict === 'refuse') return []
      if (answered.candidateId !== null && group.candidateIds.includes(answered.candidateId)) return []
      return [
        {
          groupKey: group.key,
          candidateId: current.id,
          score: group.score,
          sql: current.sql,
          rowCount: current.run.rowCount,
          head: group.head,
        },
      ]
    })
  }
