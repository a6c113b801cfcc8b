import { diffRuns, type RunsDiff } from '../diff-runs.ts'
import type { EvaluatedQuestion } from '../evaluated-question.ts'
import type { QuestionLine } from '../question-line.ts'
import { summaryRows } from '../render-summary.ts'
import { type EvaluationSummary, summarizeRun } from '../summarise.ts'
import { type CallsBin, callsHistogram } from './calls-histogram.ts'
import { type CoveragePoint, riskCoverage } from './risk-coverage.ts'

/** One run, as a report shows it. */
export interface ReportedRun {
  readonly name: string
  readonly summary: EvaluationSummary
  readonly rows: readonly (readonly [string, string])[]
  readonly coverage: readonly CoveragePoint[]
  readonly calls: readonly CallsBin[]
}

/** A question that was not answered rightly. */
export interface Miss {
  readonly id: string
  readonly question: string
  readonly outcome: string
  readonly confidence: number | null
  readonly sql: string | null
  readonly gold: string | null
  /** Why a statement did not run. */
  readonly error: string | null
}

/** What a report tells, before it is written in one format or another. The first run is the one reported on. */
export interface Report {
  readonly title: string
  readonly runs: readonly [ReportedRun, ...ReportedRun[]]
  /** The run reported on against the other: A is the other. */
  readonly diff: RunsDiff | null
  readonly misses: readonly Miss[]
  readonly moreMisses: number
}

/** Misses that are shown in full; all of them are in the file of `--out`. */
const MAX_MISSES = 50

/** A run with its name: its model and strategy, or the name of its file. */
interface NamedRun {
  readonly name: string
  readonly evaluated: readonly EvaluatedQuestion[]
  readonly indexMilliseconds: number | null
}

/** Makes the report of a run, beside another of the same questions where one is given. */
export const makeReport = (
  title: string,
  run: NamedRun,
  { against, lines }: { readonly against: NamedRun | null; readonly lines: readonly QuestionLine[] },
): Report => {
  const lineOf = new Map(lines.map(line => [line.id, line]))
  const misses = run.evaluated.filter(({ answerable, ex }) => answerable && ex !== true)
  return {
    title,
    runs: [toReportedRun(run), ...(against ? [toReportedRun(against)] : [])],
    diff: against && diffRuns(against.evaluated, run.evaluated),
    misses: misses.slice(0, MAX_MISSES).map(miss => toMiss(miss, lineOf.get(miss.id))),
    moreMisses: Math.max(0, misses.length - MAX_MISSES),
  }
}

const toReportedRun = ({ name, evaluated, indexMilliseconds }: NamedRun): ReportedRun => {
  const summary = summarizeRun(evaluated, indexMilliseconds)
  return {
    name,
    summary,
    rows: summaryRows(summary),
    coverage: riskCoverage(evaluated),
    calls: callsHistogram(evaluated),
  }
}

const toMiss = (miss: EvaluatedQuestion, line: QuestionLine | undefined): Miss => ({
  id: miss.id,
  question: line?.question ?? '',
  outcome: miss.outcome,
  confidence: miss.confidence,
  sql: miss.sql,
  gold: line?.gold ?? null,
  error: miss.error ?? (miss.goldError === null ? null : `the known answer did not run: ${miss.goldError}`),
})
