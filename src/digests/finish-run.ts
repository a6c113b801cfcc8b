import type { DescribeResult } from '../domain/answer-revision.ts'
import type {
  Digest,
  DigestCondition,
  DigestFinding,
  DigestOutcome,
  DigestPart,
  DigestRepair,
  DigestRun,
  FindingChange,
} from '../domain/digests/digest.ts'
import type { InTransaction, Tx } from '../domain/operations/jobs.ts'
import type { ResultTable } from '../domain/result.ts'
import type { DigestQuestionRun, SchemaFit } from './run-digest-question.ts'

/** An assessed run: what to post, whether to post it, and what to store. */
export interface AssessedRun {
  readonly parts: readonly DigestPart[]
  /** Whether one of its questions meets the condition; a manual run always does. */
  readonly shouldPost: boolean
  readonly findings: readonly { readonly questionId: string; readonly finding: DigestFinding }[]
  /** The current catalogs, by question, if they differ from the stored ones. */
  readonly fits: ReadonlyMap<string, SchemaFit>
  /** The first repair; null if the schema broke no statement. */
  readonly repair: DigestRepair | null
  /** The first failure; null if there was none. */
  readonly failure: { readonly reason: string; readonly nextStep: string } | null
}

export type AssessRun = (
  digest: Digest,
  run: DigestRun,
  ran: readonly DigestQuestionRun[],
) => Promise<AssessedRun>

/** Findings of the last posted run, by question. */
type PreviousFindings = ReadonlyMap<string, { readonly finding: DigestFinding; readonly at: Date }>

/** Compares a run with the last posted one and decides whether to post it. */
export const makeAssessRun = (deps: {
  readonly listFindings: (digestId: string) => Promise<PreviousFindings>
  readonly findingOf: (table: ResultTable) => DigestFinding
  readonly compare: (before: DigestFinding | null, now: DigestFinding) => FindingChange
  readonly meets: (
    condition: DigestCondition,
    now: DigestFinding,
    given: { readonly change: FindingChange; readonly before: DigestFinding | null },
  ) => boolean
  readonly describe: DescribeResult
}): AssessRun => {
  const assess = async (
    part: DigestQuestionRun & { readonly status: 'ran' },
    known: PreviousFindings,
    { condition, schedule: { timeZone } }: Digest,
  ) => {
    const { question, sql, table, periods } = part
    const last = known.get(question.id) ?? null
    const before = last?.finding ?? null
    const finding = deps.findingOf(table)
    const change = deps.compare(before, finding)
    const described = await deps.describe({ sql, table, question: { ...question, timeZone } })
    const shown: DigestPart = {
      status: 'ran',
      question,
      sql,
      ...described,
      periods,
      change,
      since: last?.at ?? null,
      ...(part.noFile && { noFile: true }),
    }
    return { shown, finding, meets: deps.meets(condition, finding, { change, before }) }
  }
  return async (digest, run, ran) => {
    const known = await deps.listFindings(digest.id)
    const parts: DigestPart[] = []
    const findings: { questionId: string; finding: DigestFinding }[] = []
    const fits = new Map<string, SchemaFit>()
    let isMet = false
    let repair: DigestRepair | null = null
    let failure: AssessedRun['failure'] = null
    for (const part of ran) {
      if (part.status === 'ran') {
        const { shown, finding, meets } = await assess(part, known, digest)
        parts.push(shown)
        findings.push({ questionId: part.question.id, finding })
        if (part.fit) fits.set(part.question.id, part.fit)
        isMet ||= meets
        continue
      }
      parts.push(part.part)
      if (part.status === 'failed' && part.repair) repair ??= part.repair
      else failure ??= { reason: part.part.reason, nextStep: part.part.nextStep }
    }
    const shouldPost = findings.length > 0 && (isMet || run.kind === 'by-hand')
    return { parts, shouldPost, findings, fits, repair, failure }
  }
}

/** How a run ended, and the effect on its digest. */
interface FinishedRun {
  readonly run: DigestRun
  readonly outcome: DigestOutcome
  readonly findings?: readonly {
    readonly questionId: string
    readonly finding: DigestFinding
    readonly at: Date
  }[]
  readonly fits?: ReadonlyMap<string, SchemaFit>
  readonly failures?: number
  readonly pause?: NonNullable<Digest['pause']>
  readonly repair?: Digest['repair']
}

/**
 * Records the end of a run once; a second call changes nothing. `tell` is called after everything but the end is
 * written, so the owner can act on the notice at once. If it rejects, the run has not ended.
 */
export type FinishRun = (ended: FinishedRun, tell?: () => Promise<void>) => Promise<void>

/** Changes people made meanwhile are kept: only what the run is about is written to the current digest. */
export const makeFinishRun =
  (deps: {
    readonly inTransaction: InTransaction
    readonly lock: (id: string, tx: Tx) => Promise<Digest | null>
    /** Whether a run has not ended. */
    readonly isOpen: (run: DigestRun, tx: Tx) => Promise<boolean>
    readonly end: (
      run: DigestRun,
      ended: { readonly at: Date; readonly outcome: DigestOutcome },
      tx: Tx,
    ) => Promise<boolean>
    readonly change: (
      id: string,
      changes: Partial<Pick<Digest, 'questions' | 'failures' | 'pause' | 'nextDue' | 'repair'>>,
      tx: Tx,
    ) => Promise<unknown>
    readonly storeFinding: (
      digestId: string,
      questionId: string,
      found: { readonly finding: DigestFinding; readonly at: Date },
      tx: Tx,
    ) => Promise<void>
    readonly count: (outcome: DigestOutcome) => void
    readonly now: () => Date
  }): FinishRun =>
  async (ended, tell) => {
    const { run, outcome } = ended
    const end = (tx: Tx): Promise<boolean> => deps.end(run, { at: deps.now(), outcome }, tx)
    const write = async (digest: Digest, tx: Tx): Promise<void> => {
      const { findings = [] } = ended
      for (const { questionId, finding, at } of findings)
        if (hasQuestion(digest, questionId))
          await deps.storeFinding(digest.id, questionId, { finding, at }, tx)
      const changes = digestPatchOf(ended, digest)
      if (Object.keys(changes).length > 0) await deps.change(digest.id, changes, tx)
    }
    if (tell) {
      await deps.inTransaction(async tx => {
        const digest = await deps.lock(run.digestId, tx)
        if (digest && (await deps.isOpen(run, tx))) await write(digest, tx)
      })
      await tell()
    }
    const isEnded = await deps.inTransaction(async tx => {
      const digest = await deps.lock(run.digestId, tx)
      if (!digest || !(await end(tx))) return false
      // A decision made since the notice is kept.
      if (!tell) await write(digest, tx)
      return true
    })
    if (isEnded) deps.count(outcome)
  }

const hasQuestion = ({ questions }: Digest, id: string): boolean =>
  questions.some(question => question.id === id)

const digestPatchOf = ({ fits = new Map(), failures, pause, repair }: FinishedRun, digest: Digest) => ({
  ...(failures !== undefined && failures !== digest.failures && { failures }),
  ...(pause && !digest.pause && { pause, nextDue: null }),
  ...(repair && hasQuestion(digest, repair.questionId) && { repair }),
  ...(digest.questions.some(({ id }) => fits.has(id)) && {
    questions: digest.questions.map(question => ({
      ...question,
      ...fits.get(question.id),
    })),
  }),
})
