import type { Patience } from '../../core/access.ts'
import { type Digest, type DigestRepair, failuresBeforePause } from '../../core/digest.ts'
import type { DigestDelivery, DigestNotice, DigestRunKey } from '../../core/digest-delivery.ts'
import type { DigestOutcome, DigestRun, RanStatement } from '../../core/digest-run.ts'
import { QuerentError } from '../../core/errors.ts'
import type { JobData } from '../../core/job.ts'
import type { Log } from '../../core/log.ts'
import { mapInParallel } from '../../lib/map-in-parallel.ts'
import type { EndRun } from './end-run.ts'
import type { JudgedRun, JudgeRun } from './judge-run.ts'
import type { MayReceive } from './may-receive.ts'
import { paidBy } from './paid-by.ts'
import type { PartRun, RunPart } from './run-part.ts'

/** Does one run of a digest, unless it was done before. Rejects where trying again may help. */
export type RunDigest = (
  job: JobData['digest'],
  attempt: { readonly signal?: AbortSignal; readonly lastAttempt: boolean },
) => Promise<void>

/** Questions of one run that are asked of databases at a time. */
const AT_ONCE = 2

/** What a run needs. */
export interface RunDigestDeps {
  readonly findRun: (key: { digestId: string; scheduledFor: Date }) => Promise<DigestRun | null>
  readonly findDigest: (id: string) => Promise<Digest | null>
  readonly mayReceive: MayReceive
  readonly runPart: RunPart
  readonly judgeRun: JudgeRun
  /** Keeps what was sent to databases, to be shown where the run is posted. */
  readonly keepStatements: (run: DigestRunKey, statements: readonly RanStatement[]) => Promise<void>
  readonly endRun: EndRun
  /** Whether trying again cannot help. */
  readonly isPermanent: (error: unknown) => boolean
  readonly delivery: DigestDelivery
  /** The day (ISO) of a moment in a time zone. */
  readonly dayOf: (moment: Date, timeZone: string) => string
  readonly now: () => Date
  readonly log: Log
}

/**
 * Makes the use case. What people see comes first and is done once a run, however often it is called; what became of the
 * run is written last, in one transaction. So a process that dies anywhere leaves a run that another can do again.
 */
export const makeRunDigest =
  (deps: RunDigestDeps): RunDigest =>
  async (job, attempt) => {
    const key = { digestId: job.digestId, scheduledFor: new Date(job.scheduledFor) }
    const run = await deps.findRun(key)
    const digest = run && !run.ended ? await deps.findDigest(key.digestId) : null
    // It was done by somebody else, or the digest was deleted meanwhile.
    if (!run || !digest) return
    if (digest.repair?.foundBy?.getTime() === run.scheduledFor.getTime())
      return tellRepair(deps, { run }, digest, digest.repair)
    if (digest.pause && run.kind !== 'by-hand') return deps.endRun({ run, outcome: 'skipped' })
    try {
      await doRun(deps, run, digest, attempt)
    } catch (error) {
      attempt.signal?.throwIfAborted()
      if (!attempt.lastAttempt && !deps.isPermanent(error)) throw error
      deps.log.error({ error, digestId: digest.id }, 'a run of a digest could not be finished')
      const reason =
        error instanceof QuerentError ? error.message : 'Slack, or the store, could not be reached'
      await giveUp(deps, run, digest, reason)
    }
  }

const doRun = async (
  deps: RunDigestDeps,
  run: DigestRun,
  digest: Digest,
  { signal, lastAttempt }: Parameters<RunDigest>[1],
): Promise<void> => {
  const patience: Patience = 'patient'
  const access = await deps.mayReceive(digest, { patience })
  if (access.status === 'unknown') throw new QuerentError('internal', `${access.reason} ${access.nextStep}`)
  if (access.status === 'not-allowed') {
    const { reason, nextStep } = access
    await tell(deps, run, digest, { kind: 'not-allowed', reason, nextStep })
    return deps.endRun({ run, outcome: 'not-allowed', pause: { why: 'not-allowed', reason, at: deps.now() } })
  }

  const today = deps.dayOf(run.scheduledFor, digest.schedule.timeZone)
  const ranAt = deps.now()
  const ran = await mapInParallel(digest.questions, AT_ONCE, question =>
    deps.runPart(question, { digest, paidBy: paidBy(digest, run), today, ...(signal ? { signal } : {}) }),
  )
  signal?.throwIfAborted()
  const away = ran.find(part => part.status === 'away')
  if (away?.status === 'away' && !lastAttempt)
    throw new QuerentError('database-unreachable', away.part.reason)

  const judged = await deps.judgeRun(digest, run, ran)
  if (judged.isTold) await deps.keepStatements(run, statementsOf(ran))
  const posted = judged.isTold
    ? await deps.delivery.post({
        digestId: digest.id,
        scheduledFor: run.scheduledFor,
        digest,
        kind: run.kind,
        missed: run.missed,
        parts: judged.parts,
      })
    : null
  if (posted?.status === 'unreachable') {
    const { reason } = posted
    await tell(deps, run, digest, { kind: 'unreachable', reason })
    return deps.endRun({ run, outcome: 'unreachable', pause: { why: 'failed', reason, at: deps.now() } })
  }
  await endJudged(deps, run, digest, judged, { isPosted: posted !== null, ranAt })
}

const statementsOf = (ran: readonly PartRun[]): readonly RanStatement[] =>
  ran.flatMap(part =>
    part.status === 'ran' ? [{ text: part.question.text, sql: part.sql, periods: part.periods }] : [],
  )

const endJudged = async (
  deps: RunDigestDeps,
  run: DigestRun,
  digest: Digest,
  judged: JudgedRun,
  { isPosted, ranAt }: { readonly isPosted: boolean; readonly ranAt: Date },
): Promise<void> => {
  const { failure, fits } = judged
  const findings = isPosted ? judged.findings.map(found => ({ ...found, at: ranAt })) : []
  if (judged.repair) {
    const repair = { ...judged.repair, foundBy: run.scheduledFor }
    const pause = { why: 'schema' as const, reason: repair.reason, at: deps.now() }
    return tellRepair(deps, { run, findings, fits, repair, pause }, digest, repair)
  }
  if (!failure)
    return deps.endRun({ run, outcome: isPosted ? 'posted' : 'quiet', findings, fits, failures: 0 })
  const outcome: DigestOutcome = isPosted ? 'partly' : 'failed'
  const { failures, pause } = await tellFailure(deps, run, digest, failure)
  await deps.endRun({ run, outcome, findings, fits, failures, ...(pause && { pause }) })
}

/** It is kept before it is told: whoever is told may accept it in the same moment. */
const tellRepair = (
  deps: RunDigestDeps,
  ended: Omit<Parameters<EndRun>[0], 'outcome'>,
  digest: Digest,
  repair: DigestRepair,
): Promise<void> =>
  deps.endRun({ ...ended, outcome: 'repair' }, () =>
    tell(deps, ended.run, { ...digest, repair }, { kind: 'repair', repair }),
  )

/** Nothing more will be tried: the run counts as failed, and its owner is told if that can be. */
const giveUp = async (deps: RunDigestDeps, run: DigestRun, digest: Digest, reason: string): Promise<void> => {
  const nextStep = 'It is tried again at the next due time.'
  const told = await tellFailure(deps, run, digest, { reason, nextStep }, { isQuiet: true })
  await deps.endRun({
    run,
    outcome: 'failed',
    failures: told.failures,
    ...(told.pause && { pause: told.pause }),
  })
}

/** A run that failed is told of the first time, and when it pauses the digest; one by hand every time, without counting. */
const tellFailure = async (
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
    const telling = tell(deps, run, digest, { kind: 'failed', reason, nextStep, paused })
    await (isQuiet ? telling.catch((error: unknown) => deps.log.error({ error }, couldNotTell)) : telling)
  }
  return { failures, pause: paused ? { why: 'failed', reason, at: deps.now() } : null }
}

const couldNotTell = 'the owner of a digest could not be told that it failed'

const tell = (
  { delivery }: RunDigestDeps,
  { scheduledFor }: DigestRun,
  digest: Digest,
  notice: DigestNotice['notice'],
): Promise<void> => delivery.tellOwner({ digestId: digest.id, scheduledFor, digest, notice })
