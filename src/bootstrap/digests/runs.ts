import { makeFixByRule } from '../../../graphs/answer/repair/fix-by-rule.ts'
import { takeSchemaSnapshot } from '../../../graphs/answer/repair/renames/past-schema.ts'
import { proposeRenames } from '../../../graphs/answer/repair/renames/propose-renames.ts'
import { digestRunContext } from '../../audit/run-contexts.ts'
import { makeCanReceive } from '../../digests/digest-deps.ts'
import { countMissedRuns, makeClaimDueDigests } from '../../digests/due-digests.ts'
import { compareFindings, findingOfTable, meetsCondition, resultSimilarity } from '../../digests/findings.ts'
import { makeAssessRun, makeFinishRun } from '../../digests/finish-run.ts'
import { type AskAgain, makeProposeRepair } from '../../digests/propose-repair.ts'
import { rebindPeriods, resolveRelativeSql } from '../../digests/relative-dates/relative-sql.ts'
import { makeRunDigest, payerOf, type RunDigest } from '../../digests/run-digest.ts'
import { makeRunDigestQuestion } from '../../digests/run-digest-question.ts'
import { nextDue } from '../../digests/schedule/next-due.ts'
import type { AccessControl } from '../../domain/access/access.ts'
import { formatDatabaseRef, parseDatabaseRef } from '../../domain/database.ts'
import type { DigestDelivery, RelativeSql } from '../../domain/digests/digest.ts'
import type { SendJob } from '../../domain/operations/jobs.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { startPolling } from '../../lib/poll.ts'
import { dayOf } from '../../lib/time-zone.ts'
import { understandQuestion } from '../../parser/understand/understand-question.ts'
import { makeDescribeResult } from '../answering/describe-results.ts'
import { isPermanentFailure } from '../jobs.ts'
import type { OwnStore } from '../own-store.ts'
import type { Resources } from '../resources.ts'
import { daysOfPhrase } from './use-cases.ts'

/** How often a process looks for due digests: it uses an index, so it costs almost nothing. */
const LOOK_EVERY_MS = 15_000

/** Concurrent runs: they must not slow down what people wait for. */
const AT_ONCE = 2

/** A run open for this long has lost its job and gets another. */
const LOST_MS = 60 * 60 * 1000

const MAX_LOST = 100

type RunnerResources = Pick<Resources, 'openDatabase' | 'readSchema' | 'inRunContext' | 'metrics' | 'log'>

/** Everything behind the job of a digest run. */
export const makeDigestRunner = (
  { openDatabase, readSchema, inRunContext, metrics, log }: RunnerResources,
  { store }: Pick<OwnStore, 'store'>,
  deps: {
    readonly access: Pick<AccessControl, 'mayAsk' | 'reachableDatabases' | 'audience'>
    readonly delivery: DigestDelivery
    /** Asks a question again; left out if that is turned off. */
    readonly askAgain?: AskAgain
    readonly now: () => Date
  },
): RunDigest => {
  const { now } = deps
  const { digests, digestRuns, digestFindings } = store.repositories
  // A glossary does not change the schema.
  const readCatalog = (view: string, options: { signal?: AbortSignal }) =>
    readSchema(formatDatabaseRef({ ...parseDatabaseRef(view), glossary: null }), options)
  const resolveStatement = (statement: RelativeSql, today: string) =>
    resolveRelativeSql(statement, today, daysOfPhrase)
  const run = makeRunDigest({
    findRun: key => digestRuns.find(key),
    findDigest: id => digests.find(id),
    canReceive: makeCanReceive(deps.access),
    runQuestion: makeRunDigestQuestion({
      openDatabase,
      readFingerprint: async (name, options) => (await readCatalog(name, options)).fingerprint,
      resolveStatement,
      snapshotSchema: takeSchemaSnapshot,
      proposeRepair: makeProposeRepair({
        proposeRenamings: proposeRenames,
        askAgain: deps.askAgain ?? null,
        fixers: [makeFixByRule()],
        understand: understandQuestion,
        findPeriodsAgain: (before, sql, dialect) => rebindPeriods(before, sql, dialect, daysOfPhrase),
        resolveStatement,
        readCatalog,
        lastFinding: async (digestId, questionId) =>
          (await digestFindings.listOf(digestId)).get(questionId)?.finding ?? null,
        findingOf: findingOfTable,
        resultLikeness: resultSimilarity,
      }),
      now,
      log,
    }),
    assessRun: makeAssessRun({
      listFindings: id => digestFindings.listOf(id),
      findingOf: findingOfTable,
      compare: compareFindings,
      meets: meetsCondition,
      describe: makeDescribeResult({ openDatabase, now }),
    }),
    storeStatements: (run, statements) => digestRuns.storeStatements(run, statements),
    endRun: makeFinishRun({
      inTransaction: store.inTransaction,
      lock: (id, tx) => digests.lock(id, tx),
      isOpen: async (run, tx) => (await digestRuns.find(run, tx))?.ended === null,
      end: (run, ended, tx) => digestRuns.end(run, ended, tx),
      change: (id, changes, tx) => digests.change(id, changes, tx),
      storeFinding: (digestId, questionId, found, tx) =>
        digestFindings.upsert(digestId, questionId, found, tx),
      count: outcome => metrics.digestRun(outcome),
      now,
    }),
    isPermanent: isPermanentFailure,
    delivery: deps.delivery,
    dayOf,
    now,
    log,
  })
  return async (job, attempt) => {
    const [digest, asked] = await Promise.all([
      digests.find(job.digestId),
      digestRuns.find({ digestId: job.digestId, scheduledFor: new Date(job.scheduledFor) }),
    ])
    // It was deleted in the meantime.
    if (!digest) return
    return inRunContext(digestRunContext(digest, payerOf(digest, asked)), () => run(job, attempt))
  }
}

/** Claims due digests, with the clock as a parameter. */
export const makeDigestClaims = (
  { store }: Pick<OwnStore, 'store'>,
  { sendJob, now }: { readonly sendJob: SendJob; readonly now: () => Date },
) => {
  const { digests, digestRuns } = store.repositories
  return makeClaimDueDigests({
    inTransaction: store.inTransaction,
    lockDue: (at, most, tx) => digests.lockDue(at, most, tx),
    change: (id, changes, tx) => digests.change(id, changes, tx),
    insertRun: (run, tx) => digestRuns.insert(run, tx),
    sendJob,
    nextDue,
    missedDue: countMissedRuns,
    now,
  })
}

/** Runs digest jobs and regularly looks for due digests. Resolves with a function that stops looking. */
export const startDigestJobs = async (
  resources: RunnerResources,
  own: Pick<OwnStore, 'store'>,
  deps: {
    readonly jobs: Jobs
    readonly access: Pick<AccessControl, 'mayAsk' | 'reachableDatabases' | 'audience'>
    readonly delivery: DigestDelivery
    readonly askAgain?: AskAgain
    readonly now: () => Date
  },
): Promise<() => void> => {
  const { jobs, now } = deps
  const run = makeDigestRunner(resources, own, deps)
  const claim = makeDigestClaims(own, { sendJob: (queue, data, given) => jobs.send(queue, data, given), now })
  const { digestRuns } = own.store.repositories
  const sendLost = async (): Promise<void> => {
    // A run whose job still waits or runs gets no second one: they have the same key.
    for (const { digestId, scheduledFor } of await digestRuns.listOpen(
      new Date(now().getTime() - LOST_MS),
      MAX_LOST,
    ))
      await jobs.send('digest', { digestId, scheduledFor: scheduledFor.toISOString() })
  }
  await jobs.work('digest', (job, { signal, lastAttempt }) => run(job, { signal, lastAttempt }), {
    concurrency: AT_ONCE,
    byTeam: true,
  })
  const look = async (): Promise<void> => {
    await claim()
    await sendLost()
  }
  return startPolling(look, {
    everyMs: LOOK_EVERY_MS,
    onError: error => resources.log.warn({ error }, 'could not look for due digests; trying again later'),
  })
}
