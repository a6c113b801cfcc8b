import { diffRuns, type RunsDiff } from './diff-runs.ts'
import type { EvaluatedQuestion } from './out-file.ts'
import type { QuestionLine } from './questions-file.ts'
import { type EvaluationSummary, summarizeRun, summaryRows } from './summary.ts'

/** One run, as a report shows it. */
export interface ReportedRun {
  readonly name: string
  readonly summary: EvaluationSummary
  readonly rows: readonly (readonly [string, string])[]
  readonly coverage: readonly CoveragePoint[]
  readonly calls: readonly CallsBin[]
}

/** A question that was not answered rightly. */
interface Miss {
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

/** Beyond so many different counts, several share a bar. */
const MAX_BARS = 25

/** How many questions took from `from` to `to` model calls, both included. */
interface CallsBin {
  readonly from: number
  readonly to: number
  readonly questions: number
}

/** Answerable questions by the model calls that they took; bars of equal width from 0 to the most that any took. */
export const callsHistogram = (evaluated: readonly EvaluatedQuestion[]): readonly CallsBin[] => {
  const calls = evaluated.filter(({ answerable }) => answerable).map(({ modelCalls }) => modelCalls)
  if (calls.length === 0) return []
  const most = Math.max(...calls)
  const width = Math.ceil((most + 1) / MAX_BARS)
  return Array.from({ length: Math.floor(most / width) + 1 }, (_, i) => {
    const [from, to] = [i * width, (i + 1) * width - 1]
    return { from, to, questions: calls.filter(count => count >= from && count <= to).length }
  })
}

/** If only answers at least so sure were given: the share of questions that get one, and of those the right ones. */
interface CoveragePoint {
  readonly confidence: number
  readonly coverage: number
  readonly precision: number
}

/**
 * The risk-coverage curve (El-Yaniv and Wiener 2010), as precision against coverage: one point for each confidence that
 * an answer has, the surest first. Answers of one confidence come together, since no threshold parts them.
 */
export const riskCoverage = (evaluated: readonly EvaluatedQuestion[]): readonly CoveragePoint[] => {
  const answerable = evaluated.filter(({ answerable }) => answerable)
  const answers = answerable.filter(
    ({ outcome, confidence }) => outcome === 'answered' && confidence !== null,
  )
  const byConfidence = [...Map.groupBy(answers, ({ confidence }) => confidence ?? 0)].sort(
    ([a], [b]) => b - a,
  )
  let given = 0
  let right = 0
  return byConfidence.map(([confidence, own]) => {
    given += own.length
    right += own.filter(({ ex }) => ex === true).length
    return { confidence, coverage: given / answerable.length, precision: right / given }
  })
}
