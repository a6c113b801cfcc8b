import type { Writable } from 'node:stream'
import pc from 'picocolors'
import type { AnswerReport } from '../domain/answer.ts'
import type { Candidate } from '../domain/candidate.ts'
import type { ComparisonRecord, DraftingRoundRecord, Trace, TracedGroup } from '../domain/trace.ts'

/** Width where nobody says how wide the terminal is; longer lines are hard to read on any. */
const WIDTH = 100

/** Draws the whole run as a tree for `--explain`, from the words of the question to the decision. */
export const writeRunTree = (out: Writable & { readonly columns?: number }, report: AnswerReport): void => {
  const { trace, outcome } = report
  const lines = trace
    ? drawTree(traceTree(trace), Math.min(out.columns ?? WIDTH, WIDTH))
    : [`question ${report.questionId}`, `└─ ${outcome.status}, before there was anything to explain`]
  out.write(`${lines.join('\n')}\n`)
}

/** Of values, only those that a candidate may have used are worth a line. */
const MAX_VALUES = 12

/**
 * A trace as a tree, in the order of the work: what was read, looked up and shown, the waves with their reasons, the
 * candidates, the groups of equal results, what it cost, and the decision. Groups are lettered, best first.
 */
export const traceTree = (trace: Trace): Branch => {
  const letters = new Map(trace.groups.map(({ key }, i) => [key, letterOf(i)]))
  return {
    line: `“${trace.question}” (${trace.database}, question ${trace.questionId})`,
    paint: pc.bold,
    branches: [
      ...understandingBranch(trace),
      listBranch('keywords', [...new Set(trace.keywords.map(({ text }) => text))]),
      valuesBranch(trace),
      listBranch(
        'schema',
        trace.schema.map(({ table, keep }) => (keep === 'all' ? table : `${table} (${keep.join(', ')})`)),
      ),
      ...branchIfAny('waves', trace.waves.map(roundBranch)),
      ...branchIfAny(
        'drafts that came to nothing',
        trace.failures.map(({ path, sample, message }) => ({ line: `${path} ${sample}: ${message}` })),
      ),
      ...branchIfAny(
        `candidates (${trace.candidates.length})`,
        trace.candidates.map(candidate => candidateBranch(candidate, trace, letters)),
      ),
      ...branchIfAny(
        `groups (${trace.groups.length})`,
        trace.groups.map((group, i) => groupBranch(group, letterOf(i), trace)),
      ),
      ...branchIfAny(
        `comparisons (${trace.comparisons.length})`,
        trace.comparisons.map(comparison => comparisonBranch(comparison, trace, letters)),
      ),
      { line: formatCost(trace) },
      ...(trace.leftOut.length > 0 ? [{ line: `left out: ${trace.leftOut.join(', ')}` }] : []),
      decisionBranch(trace, letters),
    ],
  }
}

/** A to Z, then AA, AB. */
const letterOf = (index: number): string =>
  (index >= 26 ? letterOf(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))

const branchIfAny = (line: string, branches: readonly Branch[]): readonly Branch[] =>
  branches.length > 0 ? [{ line, branches }] : []

const listBranch = (name: string, items: readonly string[]): Branch => ({
  line: `${name}: ${items.length > 0 ? items.join(', ') : 'none'}`,
})

const understandingBranch = ({ understanding }: Trace): readonly Branch[] =>
  (understanding?.spans ?? []).map(({ phrase, from, until }) => ({
    line: `period: “${phrase}” is from ${from ?? 'the beginning'} until before ${until ?? 'the end'}`,
  }))

const valuesBranch = ({ values }: Trace): Branch => {
  if (values.length === 0) return { line: 'values: none' }
  const shown = values.slice(0, MAX_VALUES)
  return {
    line: `values (${values.length})`,
    branches: [
      ...shown.map(({ keyword, table, column, value, score }) => ({
        line: `“${keyword}”: ${table}.${column} = '${value}' (${score.toFixed(2)})`,
      })),
      ...(values.length > shown.length ? [{ line: `and ${values.length - shown.length} more` }] : []),
    ],
  }
}

const roundBranch = ({ drafts, probability, gain, reason }: DraftingRoundRecord): Branch => {
  const what = drafts.length === 0 ? 'stop' : drafts.map(({ path, sample }) => `${path} ${sample}`).join(', ')
  const stand = `P ${probability.toFixed(2)}${gain === null ? '' : `, gain ${gain.toFixed(3)}`}`
  return { line: `${what} (${stand}): ${reason}` }
}

const candidateBranch = (
  candidate: Candidate,
  { outcome }: Trace,
  letters: ReadonlyMap<string, string>,
): Branch => {
  const isChosen = outcome?.status === 'answered' && outcome.candidateId === candidate.id
  const { run } = candidate
  return {
    line: `${isChosen ? 'chosen ' : ''}${candidate.id}, prior ${candidate.prior.toFixed(2)}: ${formatRunResult(run, letters)}`,
    paint: isChosen ? pc.green : run?.status === 'failed' ? pc.red : run === null ? pc.dim : line => line,
    notes: [
      ...candidate.repairs.map(repair => ({
        text: `repaired ${repair.round}: ${repair.errorClass}: ${repair.message}`,
      })),
      ...candidate.decisions.map(({ phrase, label }) => ({ text: `“${phrase}” is ${label}` })),
      ...(candidate.unused?.length ? [{ text: `not used: ${candidate.unused.join(', ')}` }] : []),
      { text: candidate.sql, paint: pc.dim },
    ],
  }
}

const formatRunResult = (run: Candidate['run'], letters: ReadonlyMap<string, string>): string => {
  if (run === null) return 'not run'
  if (run.status === 'failed') return `${run.errorClass}: ${run.message}`
  const group = letters.get(run.groupKey)
  const shape = `${formatCount(run.rowCount, 'row')}, ${formatCount(run.columnCount, 'column')}`
  return `${group === undefined ? '' : `group ${group}, `}${shape}, ${Math.round(run.milliseconds)} ms`
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
    line: `${letter}: ${score.toFixed(2)}, ${formatCount(candidateIds.length, 'candidate')}`,
    notes: [
      ...(reasons.length > 0 ? [`what weighed: ${reasons.join('; ')}`] : []),
      ...(head === null ? [] : [head.columns, ...head.rows].map(cells => cells.join(' | '))),
      ...(head !== null && isCut ? [`… ${rows} of ${run.rowCount} rows`] : []),
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
  return { line: `${letter(first)} against ${letter(second)}: ${won}, by the ${by}: ${reason}` }
}

const formatCost = ({ steps, usage }: Trace): string => {
  const took = steps.map(({ step, times, milliseconds, longest }) => {
    const many = times > 1 ? ` x${times}, longest ${Math.round(longest)} ms` : ''
    return `${step} ${Math.round(milliseconds)} ms${many}`
  })
  const tokens = usage.promptTokens + usage.completionTokens
  const money = usage.money ? `, ${usage.money.toPrecision(2)} in money` : ''
  return `cost: ${formatCount(usage.modelCalls, 'model call')}, ${tokens} tokens${money}; ${took.join('; ')}`
}

const decisionBranch = ({ outcome, groups }: Trace, letters: ReadonlyMap<string, string>): Branch => {
  if (outcome === null) return { line: 'decision: none, the run broke here', paint: pc.red }
  switch (outcome.status) {
    case 'answered': {
      const chosen = groups.find(({ candidateIds }) => candidateIds.includes(outcome.candidateId))
      const letter = letters.get(chosen?.key ?? '')
      const sure = `${Math.round(outcome.confidence * 100)} % sure`
      return { line: `decision: answered${letter ? ` with ${letter}` : ''}, ${sure}`, paint: pc.bold }
    }
    case 'needs-clarification':
      return { line: `decision: asked back: ${outcome.clarification.question}`, paint: pc.bold }
    case 'refused':
    case 'failed':
      return { line: `decision: ${outcome.status}: ${outcome.reason}`, paint: pc.bold }
    default: {
      const never: never = outcome
      return never
    }
  }
}

const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** A branch of a tree: its line, lines that belong to it, and what hangs from it. `paint` colours the first line. */
interface Branch {
  readonly line: string
  readonly paint?: (line: string) => string
  readonly notes?: readonly { readonly text: string; readonly paint?: (line: string) => string }[]
  readonly branches?: readonly Branch[]
}

/** A note is wrapped into at most so many lines; the last ends in an ellipsis where more was to come. */
const MAX_LINES = 4

/** Draws a tree in lines of at most `width` characters, colours not counted. */
export const drawTree = (root: Branch, width: number): readonly string[] => [
  ...wrap(root.line, width).map(root.paint ?? stripColors),
  ...drawUnder(root, '', width),
]

const stripColors = (line: string): string => line

const drawUnder = ({ notes = [], branches = [] }: Branch, indent: string, width: number): string[] => {
  const stem = branches.length > 0 ? '│  ' : '   '
  return [
    ...notes.flatMap(({ text, paint = stripColors }) =>
      wrap(text, width - indent.length - stem.length).map(line => `${indent}${stem}${paint(line)}`),
    ),
    ...branches.flatMap((branch, i) => drawBranch(branch, indent, i === branches.length - 1, width)),
  ]
}

const drawBranch = (branch: Branch, indent: string, isLast: boolean, width: number): string[] => {
  const { line, paint = stripColors } = branch
  const under = `${indent}${isLast ? '   ' : '│  '}`
  const [first = '', ...rest] = wrap(line, width - under.length)
  return [
    `${indent}${isLast ? '└─ ' : '├─ '}${paint(first)}`,
    ...rest.map(more => `${under}${paint(more)}`),
    ...drawUnder(branch, under, width),
  ]
}

/** Breaks text at spaces, and inside a word where it is longer than a line. White space runs together. */
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
