import type { AnswerReport } from '../core/answer.ts'
import type { Candidate } from '../core/candidate.ts'
import type { Cell, ResultTable } from '../core/result.ts'
import { usageCost } from '../core/usage.ts'

/** What `ask --json` writes (design: the command line); measurements depend on its keys. */
export interface AskReport {
  readonly status: 'answered' | 'needs-clarification' | 'refused' | 'failed'
  readonly question: string
  readonly sql: string | null
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  readonly rowCount: number
  readonly truncated: boolean
  readonly confidence: number | null
  readonly assumptions: readonly string[]
  /** Other readings that the answer could have taken, in words with what each gives; the likeliest first. */
  readonly alternatives: readonly string[]
  readonly clarification: {
    readonly question: string
    readonly options: readonly string[]
    readonly default: number
  } | null
  readonly reason: string | null
  readonly nextStep: string | null
  /** Of a refusal: words that nothing in the database stands for, questions that work, whom to ask. */
  readonly missing: readonly string[]
  readonly nearest: readonly string[]
  readonly whoToAsk: string | null
  readonly candidates: readonly {
    readonly sql: string
    readonly path: string
    readonly lineage: string
    readonly group: number | null
    readonly repairs: number
    readonly error: string | null
  }[]
  readonly usage: {
    readonly modelCalls: number
    readonly promptTokens: number
    readonly completionTokens: number
    /** Null where a model without a price replied. */
    readonly money: number | null
    readonly milliseconds: number
  }
}

/** Shapes a report for `--json`. `table` is the saved result of an answer, null for every other outcome. */
export const toAskReport = (
  question: string,
  report: AnswerReport,
  table: ResultTable | null,
  milliseconds: number,
): AskReport => {
  const { outcome } = report
  const answered = outcome.status === 'answered' ? outcome : null
  const refused = outcome.status === 'refused' ? outcome : null
  const stopped = outcome.status === 'refused' || outcome.status === 'failed' ? outcome : null
  return {
    status: outcome.status,
    question,
    sql: answered?.sql ?? null,
    columns: table?.columns.map(column => column.name) ?? [],
    rows: table?.rows ?? [],
    rowCount: table?.rows.length ?? 0,
    truncated: table !== null && table.truncated !== null,
    confidence: answered?.confidence ?? null,
    assumptions: answered?.assumptions ?? [],
    alternatives: (answered?.alternatives ?? []).map(({ label, hint }) =>
      hint === '' ? label : `${label} (${hint})`,
    ),
    clarification:
      outcome.status === 'needs-clarification'
        ? {
            question: outcome.clarification.question,
            options: outcome.clarification.options.map(option => option.label),
            default: outcome.clarification.defaultOption + 1,
          }
        : null,
    reason: stopped?.reason ?? null,
    nextStep: stopped?.nextStep ?? null,
    missing: refused?.missing ?? [],
    nearest: refused?.nearest ?? [],
    whoToAsk: refused?.whoToAsk ?? null,
    candidates: candidatesOf(report.candidates),
    usage: { ...report.usage, money: usageCost(report.usage), milliseconds: Math.round(milliseconds) },
  }
}

/** Groups are numbered from 1 in the order in which they first appear. */
const candidatesOf = (candidates: readonly Candidate[]): AskReport['candidates'] => {
  const numbers = new Map<string, number>()
  return candidates.map(candidate => {
    const { run } = candidate
    if (run?.status === 'ran' && !numbers.has(run.groupKey)) numbers.set(run.groupKey, numbers.size + 1)
    return {
      sql: candidate.sql,
      path: candidate.path,
      lineage: candidate.lineage,
      group: run?.status === 'ran' ? (numbers.get(run.groupKey) ?? null) : null,
      repairs: candidate.repairs.length,
      error: run?.status === 'failed' ? run.message : null,
    }
  })
}
