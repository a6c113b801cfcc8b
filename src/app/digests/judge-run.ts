import type { WriteHeadline } from '../../core/answer-revision.ts'
import type { Digest, DigestCondition, DigestPart, DigestRepair, FindingChange } from '../../core/digest.ts'
import type { DigestFinding, DigestRun } from '../../core/digest-run.ts'
import type { ResultTable } from '../../core/result.ts'
import type { DigestQuestionRun, SchemaFit } from './run-part.ts'

/** A run with all that is known of it: what is shown, whether it is, and what is kept. */
export interface AssessedRun {
  readonly parts: readonly DigestPart[]
  /** Whether its condition is met by one of its questions; one by hand always is. */
  readonly isTold: boolean
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
  readonly findOfTable: (table: ResultTable) => DigestFinding
  readonly compare: (before: DigestFinding | null, now: DigestFinding) => FindingChange
  readonly meets: (
    condition: DigestCondition,
    now: DigestFinding,
    given: { readonly change: FindingChange; readonly before: DigestFinding | null },
  ) => boolean
  readonly writeHeadline: WriteHeadline
}): AssessRun => {
  const judge = (
    part: DigestQuestionRun & { readonly status: 'ran' },
    known: PreviousFindings,
    { condition }: Digest,
  ) => {
    const { question, sql, table, periods } = part
    const last = known.get(question.id) ?? null
    const before = last?.finding ?? null
    const finding = deps.findOfTable(table)
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
        const { shown, finding, meets } = judge(part, known, digest)
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
    const isTold = findings.length > 0 && (isMet || run.kind === 'by-hand')
    return { parts, isTold, findings, fits, repair, failure }
  }
}
