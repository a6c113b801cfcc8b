import type { LookupPatience } from '../domain/access/access.ts'
import {
  type Digest,
  type DigestDelivery,
  type DigestNotice,
  type DigestOutcome,
  type DigestQuestion,
  type DigestRepair,
  type DigestRun,
  type DigestRunKey,
  type ExecutedStatement,
  failuresBeforePause,
} from '../domain/digests/digest.ts'
import { QuerentError } from '../domain/errors.ts'
import type { JobData } from '../domain/operations/jobs.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import { mapInParallel } from '../lib/concurrency.ts'
import type { CanReceive } from './digest-deps.ts'
import type { AssessedRun, AssessRun, FinishRun } from './finish-run.ts'
import type { DigestQuestionRun, RunDigestQuestion } from './run-digest-question.ts'

/** Does one run of a digest, unless it is already done. Rejects if trying again may help. */
export type RunDigest = (
  job: JobData['digest'],
  attempt: { readonly signal?: AbortSignal; readonly lastAttempt: boolean },
) => Promise<void>

/** Questions of one run that are sent to databases at once. */
const PARALLEL_QUESTIONS = 2

interface RunDigestDeps {
  readonly findRun: (key: { digestId: string; scheduledFor: Date }) => Promise<DigestRun | null>
  readonly findDigest: (id: string) => Promise<Digest | null>
  readonly canReceive: CanReceive
  readonly runQuestion: RunDigestQuestion
  readonly assessRun: AssessRun
  /** Stores the statements sent to databases, to be shown with the posted run. */
  readonly storeStatements: (run: DigestRunKey, statements: readonly ExecutedStatement[]) => Promise<void>
  readonly endRun: FinishRun
  /** Whether trying again cannot help. */
  readonly isPermanent: (error: unknown) => boolean
  readonly delivery: DigestDelivery
  /** The day (ISO) of a moment in a time zone. */
  readonly dayOf: (moment: Date, timeZone: string) => string
  readonly now: () => Date
  readonly log: Log
}

/**
 * What people see comes first and happens once per run, however often this is called; the end of the run is written
 * last, in one transaction. A process that dies leaves a run that another one can finish.
 */
export const makeRunDigest =
  (deps: RunDigestDeps): RunDigest =>
  async (job, attempt) => {
    const key = { digestId: job.digestId, scheduledFor: new Date(job.scheduledFor) }
    const run = await deps.findRun(key)
    const digest = run && !run.ended ? await deps.findDigest(key.digestId) : null
    // Another process finished it, or the digest was deleted meanwhile.
    if (!run || !digest) return
    if (digest.repair?.foundBy?.getTime() === run.scheduledFor.getTime())
      return notifyRepair(deps, { run }, digest, digest.repair)
    if (digest.pause && run.kind !== 'by-hand') return deps.endRun({ run, outcome: 'skipped' })
    try {
      await runClaimed(deps, run, digest, attempt)
    } catch (error) {
      attempt.signal?.throwIfAborted()
      if (!attempt.lastAttempt && !deps.isPermanent(error)) throw error
      deps.log.error({ error, digestId: digest.id }, 'could not finish a digest run')
      const reason = error instanceof QuerentError ? error.message : 'Slack or the store could not be reached'
      await giveUp(deps, run, digest, reason)
    }
  }

const runClaimed = async (
  deps: RunDigestDeps,
  run: DigestRun,
  digest: Digest,
  { signal, lastAttempt }: Parameters<RunDigest>[1],
): Promise<void> => {
  const patience: LookupPatience = 'patient'
  const access = await deps.canReceive(digest, { patience })
  if (access.status === 'unknown') throw new QuerentError('internal', `${access.reason} ${access.nextStep}`)
  if (access.status === 'not-allowed') {
    const { reason, nextStep } = access
    await notifyOwner(deps, run, digest, { kind: 'not-allowed', reason, nextStep })
    return deps.endRun({ run, outcome: 'not-allowed', pause: { why: 'not-allowed', reason, at: deps.now() } })
  }

  const today = deps.dayOf(run.scheduledFor, digest.schedule.timeZone)
  const ranAt = deps.now()
  const ran = await mapInParallel(digest.questions, PARALLEL_QUESTIONS, question =>
    deps.runQuestion(asOwnerSees(question, access.views), {
      digest,
      paidBy: payerOf(digest, run),
      today,
      ...(signal ? { signal } : {}),
    }),
  )
  signal?.throwIfAborted()
  const away = ran.find(part => part.status === 'away')
  if (away?.status === 'away' && !lastAttempt)
    throw new QuerentError('database-unreachable', away.part.reason)

  const assessed = await deps.assessRun(digest, run, ran)
  if (assessed.shouldPost) await deps.storeStatements(run, statementsOf(ran))
  const posted = assessed.shouldPost
    ? await deps.delivery.post({
        digestId: digest.id,
        scheduledFor: run.scheduledFor,
        digest,
        kind: run.kind,
        missed: run.missed,
        parts: assessed.parts,
      })
    : null
  if (posted?.status === 'unreachable') {
    const { reason } = posted
    await notifyOwner(deps, run, digest, { kind: 'unreachable', reason })
    return deps.endRun({ run, outcome: 'unreachable', pause: { why: 'failed', reason, at: deps.now() } })
  }
  await finishAssessed(deps, run, digest, assessed, { isPosted: posted !== null, ranAt })
}

/** The question asks the database under the rights that its owner has now. */
const asOwnerSees = (question: DigestQuestion, views: ReadonlyMap<string, string>): DigestQuestion => {
  const database = views.get(question.database)
  if (database === undefined)
    throw new QuerentError(
      'unknown-rights',
      `It is not known what the owner may see of ${question.database}.`,
    )
  return { ...question, database }
}

const statementsOf = (ran: readonly DigestQuestionRun[]): readonly ExecutedStatement[] =>
  ran.flatMap(part =>
    part.status === 'ran' ? [{ text: part.question.text, sql: part.sql, periods: part.periods }] : [],
  )

const finishAssessed = async (
  deps: RunDigestDeps,
  run: DigestRun,
  digest: Digest,
  assessed: AssessedRun,
  { isPosted, ranAt }: { readonly isPosted: boolean; readonly ranAt: Date },
): Promise<void> => {
  const { failure, fits } = assessed
  const findings = isPosted ? assessed.findings.map(found => ({ ...found, at: ranAt })) : []
  if (assessed.repair) {
    const repair = { ...assessed.repair, foundBy: run.scheduledFor }
    const pause = { why: 'schema' as const, reason: repair.reason, at: deps.now() }
    return notifyRepair(deps, { run, findings, fits, repair, pause }, digest, repair)
  }
  if (!failure)
    return deps.endRun({ run, outcome: isPosted ? 'posted' : 'quiet', findings, fits, failures: 0 })
  const outcome: DigestOutcome = isPosted ? 'partly' : 'failed'
  const { failures, pause } = await notifyFailure(deps, run, digest, failure)
  await deps.endRun({ run, outcome, findings, fits, failures, ...(pause && { pause }) })
}

/** Stored before the notice, because the owner may accept it at once. */
const notifyRepair = (
  deps: RunDigestDeps,
  ended: Omit<Parameters<FinishRun>[0], 'outcome'>,
  digest: Digest,
  repair: DigestRepair,
): Promise<void> =>
  deps.endRun({ ...ended, outcome: 'repair' }, () =>
    notifyOwner(deps, ended.run, { ...digest, repair }, { kind: 'repair', repair }),
  )

/** No more attempts: the run counts as failed, and its owner is told if possible. */
const giveUp = async (deps: RunDigestDeps, run: DigestRun, digest: Digest, reason: string): Promise<void> => {
  const nextStep = "I'll try again at the next scheduled time."
  const result = await notifyFailure(deps, run, digest, { reason, nextStep }, { isQuiet: true })
  await deps.endRun({
    run,
    outcome: 'failed',
    failures: result.failures,
    ...(result.pause && { pause: result.pause }),
  })
}

/**
 * The owner is told of the first failure and of the one that pauses the digest; of a failed manual run every time,
 * without counting it.
 */
const notifyFailure = async (
  deps: RunDigestDeps,
  run: DigestRun,
  digest: Digest,
  { reason, nextStep }: { readonly reason: string; readonly nextStep: string },
  { isQuiet = false }: { readonly isQuiet?: boolean } = {},
): Promise<{ readonly failures: number; readonly pause: (Digest['pause'] & { why: 'failed' }) | null }> => {
  const isByHand = run.kind === 'by-hand'
  const failures = isByHand ? digest.failures : digest.failures + 1
  const paused = !isByHand && failures >= failuresBeforePause
  if (isByHand || failures === 1 || paused) {
    const telling = notifyOwner(deps, run, digest, { kind: 'failed', reason, nextStep, paused })
    await (isQuiet ? telling.catch((error: unknown) => deps.log.error({ error }, notifyFailed)) : telling)
  }
  return { failures, pause: paused ? { why: 'failed', reason, at: deps.now() } : null }
}

const notifyFailed = 'could not tell the owner of a digest that it failed'

const notifyOwner = (
  { delivery }: RunDigestDeps,
  { scheduledFor }: DigestRun,
  digest: Digest,
  notice: DigestNotice['notice'],
): Promise<void> => delivery.notifyOwner({ digestId: digest.id, scheduledFor, digest, notice })

/** Who pays for a run: the person who started it by hand, otherwise the owner. */
export const payerOf = ({ owner }: Pick<Digest, 'owner'>, run: Pick<DigestRun, 'runBy'> | null): string =>
  run?.runBy ?? owner
