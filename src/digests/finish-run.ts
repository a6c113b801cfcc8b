import type { WriteHeadline } from '../domain/answer-revision.ts'
import type {
  Digest,
  DigestCondition,
  DigestFinding,
  DigestOutcome,
  DigestPart,
  DigestRepair,
  DigestRun,
  FindingChange,
} from '../domain/digest.ts'
import type { InTransaction, Tx } from '../domain/operations/transaction.ts'
import type { ResultTable } from '../domain/result.ts'
import type { DigestQuestionRun, SchemaFit } from './run-digest-question.ts'

/** A run with all that is known of it: what is shown, whether it is, and what is kept. */
export interface AssessedRun {
  readonly parts: readonly DigestPart[]
  /** Whether its condition is met by one of its questions; one by hand always is. */
  readonly shouldPost: boolean
  readonly findings: readonly { readonly questionId: string; readonly finding: DigestFinding }[]
  /** The catalogs as they are, by question, where they are not what was kept. */
  readonly fits: ReadonlyMap<string, SchemaFit>
  /** The first of them; null where the schema left no statement behind. */
  readonly repair: DigestRepair | null
  /** Why the first of them failed; null where none did. */
  readonly failure: { readonly reason: string; readonly nextStep: string } | null
}

export type AssessRun = (
  digest: Digest,
  run: DigestRun,
  ran: readonly DigestQuestionRun[],
) => Promise<AssessedRun>

/** What was found at the last run that was told, by question. */
type PreviousFindings = ReadonlyMap<string, { readonly finding: DigestFinding; readonly at: Date }>

/** Makes it: compares with the last run that was told, and decides whether this one is. */
export const makeAssessRun = (deps: {
  readonly listFindings: (digestId: string) => Promise<PreviousFindings>
  readonly findingOf: (table: ResultTable) => DigestFinding
  readonly compare: (before: DigestFinding | null, now: DigestFinding) => FindingChange
  readonly meets: (
    condition: DigestCondition,
    now: DigestFinding,
    given: { readonly change: FindingChange; readonly before: DigestFinding | null },
  ) => boolean
  readonly writeHeadline: WriteHeadline
}): AssessRun => {
  const assess = (
    part: DigestQuestionRun & { readonly status: 'ran' },
    known: PreviousFindings,
    { condition }: Digest,
  ) => {
    const { question, sql, table, periods } = part
    const last = known.get(question.id) ?? null
    const before = last?.finding ?? null
    const finding = deps.findingOf(table)
    const change = deps.compare(before, finding)
    const shown: DigestPart = {
      status: 'ran',
      question,
      sql,
      headline: deps.writeHeadline(table),
      table,
      periods,
      change,
      since: last?.at ?? null,
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
        const { shown, finding, meets } = assess(part, known, digest)
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

/** What became of a run, and of its digest by it. */
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
 * Writes how a run ended, once: what is written a second time changes nothing. `tell` is called when all but the end is
 * written: whoever is told can act on it at once. Where it rejects, the run has not ended.
 */
export type FinishRun = (ended: FinishedRun, tell?: () => Promise<void>) => Promise<void>

/** Makes it. What a person changed meanwhile stays: only what the run is about is written, onto the digest as it is. */
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
      // What somebody decided since they were told stays decided.
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
