import pc from 'picocolors'
import type { Candidate } from '../../core/candidate.ts'
import type { ComparisonRecord } from '../../core/comparison.ts'
import type { Trace, TracedGroup } from '../../core/trace.ts'
import type { DraftingRoundRecord } from '../../core/wave.ts'
import type { Branch } from './draw-tree.ts'

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
