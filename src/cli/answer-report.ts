import type { Writable } from 'node:stream'
import Table from 'cli-table3'
import pc from 'picocolors'
import type { AnswerReport } from '../domain/answer.ts'
import { shortfallText } from '../domain/answer-wording/shortfalls.ts'
import { unansweredText } from '../domain/answer-wording/unanswered.ts'
import type { Candidate } from '../domain/candidate.ts'
import { usageCost } from '../domain/operations/usage.ts'
import type { Cell, ResultColumn, ResultTable } from '../domain/result.ts'
import type { Shortfall } from '../domain/trace.ts'
import { formatCell } from '../lib/format-cell.ts'
import { formatMeant, headingOf } from '../lib/format-figure.ts'
import { answerCopy } from './copy/ask.ts'

/** The JSON of `ask --json`. Scripts depend on its keys. */
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
  /** Other interpretations in words, each with its result; the likeliest first. */
  readonly alternatives: readonly string[]
  readonly clarification: {
    readonly question: string
    readonly options: readonly string[]
    readonly default: number
  } | null
  readonly reason: string | null
  readonly nextStep: string | null
  /** Of a refusal: words that match nothing in the database, questions that work, and who to ask. */
  readonly missing: readonly string[]
  readonly nearest: readonly string[]
  readonly whoToAsk: string | null
  /** What the answer did without because a limit was reached or a model failed. */
  readonly shortfalls: readonly (Shortfall & { readonly text: string })[]
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
    /** Null if a model without a price was called. */
    readonly money: number | null
    readonly milliseconds: number
  }
}

/** Converts a report to the JSON of `--json`. `table` is the saved result of an answer, null for other outcomes. */
export const toAskReport = (
  question: string,
  report: AnswerReport,
  table: ResultTable | null,
  milliseconds: number,
): AskReport => {
  const { outcome } = report
  const answered = outcome.status === 'answered' ? outcome : null
  const refused = outcome.status === 'refused' ? outcome : null
  const said = outcome.status === 'refused' || outcome.status === 'failed' ? unansweredText(outcome) : null
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
    reason: said?.reason ?? null,
    nextStep: said?.nextStep ?? null,
    missing: refused?.missing ?? [],
    nearest: refused?.nearest ?? [],
    whoToAsk: refused?.whoToAsk ?? null,
    shortfalls: (report.trace?.shortfalls ?? []).map(one => ({ ...one, text: shortfallText(one) })),
    candidates: toCandidateReports(report.candidates),
    usage: {
      modelCalls: report.usage.modelCalls,
      promptTokens: report.usage.promptTokens,
      completionTokens: report.usage.completionTokens,
      money: usageCost(report.usage),
      milliseconds: Math.round(milliseconds),
    },
  }
}

/** Groups are numbered from 1 in the order in which they first appear. */
const toCandidateReports = (candidates: readonly Candidate[]): AskReport['candidates'] => {
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

const ROWS_SHOWN = 50

const CELL_WIDTH = 60

/** Writes an answer for a person: headline, table, confidence, assumptions, SQL. */
export const writeAnswer = (
  out: Writable,
  report: AskReport,
  shown: { readonly headline: string; readonly table: ResultTable | null },
): void => {
  const lines: string[] = []
  switch (report.status) {
    case 'answered':
      lines.push(pc.bold(shown.headline), ...(shown.table ? tableLines(shown.table) : []), '')
      lines.push(answerCopy.confidence(report.confidence ?? 0))
      lines.push(...report.assumptions.map(assumption => `${pc.dim(answerCopy.assumed)} ${assumption}`))
      lines.push(...report.alternatives.map(other => `${pc.dim(answerCopy.alternative)} ${other}`))
      lines.push(pc.dim(answerCopy.sql), report.sql ?? '')
      break
    case 'needs-clarification':
      lines.push(pc.bold(report.clarification?.question ?? ''))
      lines.push(...(report.clarification?.options ?? []).map((option, i) => `  ${i + 1}. ${option}`))
      lines.push(pc.dim(answerCopy.howToReply))
      break
    case 'refused':
    case 'failed':
      lines.push(pc.bold(report.reason ?? ''), report.nextStep ?? '')
      lines.push(...report.nearest.map(question => `  ${pc.dim(answerCopy.example)} ${question}`))
      if (report.whoToAsk !== null) lines.push(`${pc.dim(answerCopy.whoToAsk)} ${report.whoToAsk}`)
      break
    default: {
      const never: never = report.status
      throw new Error(`unknown status ${String(never)}`)
    }
  }
  out.write(`${lines.join('\n')}\n`)
}

const tableLines = (table: ResultTable): string[] => {
  // The headline already has a single value.
  if (table.rows.length === 0 || (table.rows.length === 1 && table.columns.length === 1)) return []
  const drawing = new Table({
    head: table.columns.map(headingOf),
    style: { head: [], border: [], compact: true },
    colAligns: table.columns.map((_, i) => (isNumeric(table, i) ? 'right' : 'left')),
  })
  for (const row of table.rows.slice(0, ROWS_SHOWN))
    drawing.push(row.map((cell, i) => cellText(cell, table.columns[i])))
  const total = table.rows.length
  const isCut = table.truncated !== null
  return [
    drawing.toString(),
    ...(isCut || total > ROWS_SHOWN
      ? [pc.dim(answerCopy.shownRows(Math.min(ROWS_SHOWN, total), total, isCut))]
      : []),
  ]
}

const isNumeric = (table: ResultTable, column: number): boolean =>
  ['integer', 'number'].includes(table.columns[column]?.kind ?? '') ||
  table.rows.some(row => typeof row[column] === 'number' || typeof row[column] === 'bigint')

const cellText = (cell: Cell, column: ResultColumn | undefined): string =>
  (column && formatMeant(cell, column)) ??
  formatCell(cell, { maxLength: CELL_WIDTH, kind: column?.kind ?? 'unknown' })
