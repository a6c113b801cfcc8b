import type { Writable } from 'node:stream'
import pc from 'picocolors'
import type { AnswerReport } from '../domain/answer.ts'
import { shortfallText } from '../domain/answer-wording/shortfalls.ts'
import { unansweredText } from '../domain/answer-wording/unanswered.ts'
import type { Candidate } from '../domain/candidate.ts'
import type { ComparisonRecord, DraftingRoundRecord, Trace, TracedGroup } from '../domain/trace.ts'
import { runTreeCopy as copy } from './copy/ask.ts'

/** The width if the terminal does not report one, and the maximum: longer lines are hard to read. */
const WIDTH = 100

/** Draws the run as a tree for `--explain`, from the question to the decision. */
export const writeRunTree = (out: Writable & { readonly columns?: number }, report: AnswerReport): void => {
  const { trace, outcome } = report
  const lines = trace
    ? drawTree(traceTree(trace), Math.min(out.columns ?? WIDTH, WIDTH))
    : copy.nothingRecorded(report.questionId, outcome.status)
  out.write(`${lines.join('\n')}\n`)
}

/** Later values are rarely used by a candidate. */
const MAX_VALUES = 12

/**
 * Converts a trace to a tree in the order of the work: period, keywords, values, schema, drafting rounds, candidates,
 * groups of equal results, comparisons, cost and decision. Groups have letters, best first.
 */
export const traceTree = (trace: Trace): Branch => {
  const letters = new Map(trace.groups.map(({ key }, i) => [key, letterOf(i)]))
  return {
    line: copy.root(trace.question, trace.database, trace.questionId),
    paint: pc.bold,
    branches: [
      ...understandingBranch(trace),
      listBranch('keywords', [...new Set(trace.keywords.map(({ text }) => text))]),
      valuesBranch(trace),
      listBranch(
        'schema',
        trace.schema.map(({ table, keep }) => (keep === 'all' ? table : `${table} (${keep.join(', ')})`)),
      ),
      ...branchIfAny(copy.rounds, trace.waves.map(roundBranch)),
      ...branchIfAny(
        copy.agents(trace.strategy ?? ''),
        (trace.calls ?? []).map((call, i) => ({ line: copy.agent(call, i + 1) })),
      ),
      ...branchIfAny(
        copy.cannotAnswer,
        trace.cannotAnswer.map(({ path, origin, reason }) => ({
          line: `${path} ${origin.sample}: ${reason ?? copy.noReason}`,
        })),
      ),
      ...branchIfAny(copy.declinedDrafts, failureBranches(trace.failures.filter(one => one.isDeclined))),
      ...branchIfAny(copy.failedDrafts, failureBranches(trace.failures.filter(one => !one.isDeclined))),
      ...branchIfAny(
        copy.candidates(trace.candidates.length),
        trace.candidates.map(candidate => candidateBranch(candidate, trace, letters)),
      ),
      ...branchIfAny(
        copy.groups(trace.groups.length),
        trace.groups.map((group, i) => groupBranch(group, letterOf(i), trace)),
      ),
      ...branchIfAny(
        copy.comparisons(trace.comparisons.length),
        trace.comparisons.map(comparison => comparisonBranch(comparison, trace, letters)),
      ),
      ...branchIfAny(
        copy.shortfalls,
        (trace.shortfalls ?? []).map(one => ({ line: shortfallText(one) })),
      ),
      { line: formatCost(trace) },
      ...(trace.leftOut.length > 0 ? [{ line: copy.omitted(trace.leftOut) }] : []),
      decisionBranch(trace, letters),
    ],
  }
}

const failureBranches = (failures: Trace['failures']): readonly Branch[] =>
  failures.map(({ path, sample, message }) => ({ line: `${path} ${sample}: ${message}` }))

/** A to Z, then AA, AB. */
const letterOf = (index: number): string =>
  (index >= 26 ? letterOf(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))

const branchIfAny = (line: string, branches: readonly Branch[]): readonly Branch[] =>
  branches.length > 0 ? [{ line, branches }] : []

const listBranch = (name: string, items: readonly string[]): Branch => ({
  line: copy.list(name, items),
})

const understandingBranch = ({ understanding }: Trace): readonly Branch[] =>
  (understanding?.spans ?? []).map(({ phrase, from, until }) => ({
    line: copy.period(phrase, from ?? null, until ?? null),
  }))

const valuesBranch = ({ values }: Trace): Branch => {
  if (values.length === 0) return listBranch('values', [])
  const shown = values.slice(0, MAX_VALUES)
  return {
    line: copy.values(values.length),
    branches: [
      ...shown.map(({ keyword, table, column, value, score }) => ({
        line: copy.value(keyword, `${table}.${column}`, value, score),
      })),
      ...(values.length > shown.length ? [{ line: copy.more(values.length - shown.length) }] : []),
    ],
  }
}

const roundBranch = ({ drafts, probability, gain, reason }: DraftingRoundRecord): Branch => {
  const names = drafts.map(({ path, sample }) => `${path} ${sample}`)
  return { line: copy.round(names, probability, gain, reason) }
}

const candidateBranch = (
  candidate: Candidate,
  { outcome }: Trace,
  letters: ReadonlyMap<string, string>,
): Branch => {
  const isChosen = outcome?.status === 'answered' && outcome.candidateId === candidate.id
  const { run } = candidate
  return {
    line: copy.candidate(candidate.id, candidate.prior, formatRunResult(run, letters), isChosen),
    paint: isChosen ? pc.green : run?.status === 'failed' ? pc.red : run === null ? pc.dim : line => line,
    notes: [
      ...candidate.repairs.map(repair => ({
        text: copy.repair(repair.round, repair.errorClass, repair.message),
      })),
      ...candidate.decisions.map(({ phrase, label }) => ({ text: copy.decision(phrase, label) })),
      ...(candidate.unused?.length ? [{ text: copy.unused(candidate.unused) }] : []),
      { text: candidate.sql, paint: pc.dim },
    ],
  }
}

const formatRunResult = (run: Candidate['run'], letters: ReadonlyMap<string, string>): string => {
  if (run === null) return copy.notRun
  if (run.status === 'failed') return `${run.errorClass}: ${run.message}`
  return copy.ran(letters.get(run.groupKey), run.rowCount, run.columnCount, run.milliseconds)
}

const groupBranch = (
  { score, candidateIds, representativeId, head, reasons = [] }: TracedGroup,
  letter: string,
  { candidates }: Trace,
): Branch => {
  const run = candidates.find(({ id }) => id === representativeId)?.run
  const rows = head?.rows.length ?? 0
  const isCut = run?.status === 'ran' && run.rowCount > rows
  return {
    line: copy.group(letter, score, candidateIds.length),
    notes: [
      ...(reasons.length > 0 ? [copy.reasons(reasons)] : []),
      ...(head === null ? [] : [head.columns, ...head.rows].map(cells => cells.join(' | '))),
      ...(head !== null && isCut ? [copy.rowsShown(rows, run.rowCount)] : []),
    ].map(text => ({ text, paint: pc.dim })),
  }
}

const comparisonBranch = (
  { first, second, winner, by, reason }: ComparisonRecord,
  { groups }: Trace,
  letters: ReadonlyMap<string, string>,
): Branch => {
  const letter = (id: string): string =>
    letters.get(groups.find(({ candidateIds }) => candidateIds.includes(id))?.key ?? '') ?? id
  const won = letter(winner === 'first' ? first : second)
  return { line: copy.comparison(letter(first), letter(second), won, by, reason) }
}

const formatCost = ({ steps, usage }: Trace): string => {
  const times = steps.map(({ step, times, milliseconds, longest }) =>
    copy.step(step, milliseconds, times, longest),
  )
  return copy.cost(usage.modelCalls, usage.promptTokens + usage.completionTokens, usage.money, times)
}

const decisionBranch = ({ outcome, groups }: Trace, letters: ReadonlyMap<string, string>): Branch => {
  if (outcome === null) return { line: copy.noDecision, paint: pc.red }
  switch (outcome.status) {
    case 'answered': {
      const chosen = groups.find(({ candidateIds }) => candidateIds.includes(outcome.candidateId))
      const letter = letters.get(chosen?.key ?? '')
      return { line: copy.answered(letter ?? '', outcome.confidence), paint: pc.bold }
    }
    case 'needs-clarification':
      return { line: copy.askedBack(outcome.clarification.question), paint: pc.bold }
    case 'refused':
    case 'failed':
      return { line: copy.stopped(outcome.status, unansweredText(outcome).reason), paint: pc.bold }
    default: {
      const never: never = outcome
      return never
    }
  }
}

/** A branch of a tree: its line, notes under it, and branches. `paint` colors the line. */
interface Branch {
  readonly line: string
  readonly paint?: (line: string) => string
  readonly notes?: readonly { readonly text: string; readonly paint?: (line: string) => string }[]
  readonly branches?: readonly Branch[]
}

/** Lines that one text may take; the last one ends in an ellipsis if more follows. */
const MAX_LINES = 4

/** Draws a tree in lines of at most `width` characters, not counting colors. */
export const drawTree = (root: Branch, width: number): readonly string[] => [
  ...wrap(root.line, width).map(root.paint ?? unpainted),
  ...drawUnder(root, '', width),
]

const unpainted = (line: string): string => line

const drawUnder = ({ notes = [], branches = [] }: Branch, indent: string, width: number): string[] => {
  const stem = branches.length > 0 ? '│  ' : '   '
  return [
    ...notes.flatMap(({ text, paint = unpainted }) =>
      wrap(text, width - indent.length - stem.length).map(line => `${indent}${stem}${paint(line)}`),
    ),
    ...branches.flatMap((branch, i) => drawBranch(branch, indent, i === branches.length - 1, width)),
  ]
}

const drawBranch = (branch: Branch, indent: string, isLast: boolean, width: number): string[] => {
  const { line, paint = unpainted } = branch
  const under = `${indent}${isLast ? '   ' : '│  '}`
  const [first = '', ...rest] = wrap(line, width - under.length)
  return [
    `${indent}${isLast ? '└─ ' : '├─ '}${paint(first)}`,
    ...rest.map(more => `${under}${paint(more)}`),
    ...drawUnder(branch, under, width),
  ]
}

/** Breaks text at spaces, and inside words that are longer than a line. White space collapses. */
const wrap = (text: string, width: number): readonly string[] => {
  const room = Math.max(width, 20)
  const lines: string[] = []
  let line = ''
  for (const word of text.replace(/\s+/g, ' ').trim().split(' ').flatMap(splitAt(room))) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  lines.push(line)
  if (lines.length <= MAX_LINES) return lines
  const last = lines[MAX_LINES - 1] ?? ''
  return [...lines.slice(0, MAX_LINES - 1), `${last.slice(0, room - 2)} …`]
}

const splitAt =
  (room: number) =>
  (word: string): readonly string[] =>
    Array.from({ length: Math.ceil(word.length / room) || 1 }, (_, i) => word.slice(i * room, (i + 1) * room))
