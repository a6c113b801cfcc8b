import type { EvaluatedQuestion } from './out-file.ts'
import { type BootstrapOptions, type Interval, type McNemar, mcnemar, pairedBootstrap } from './statistics.ts'
import { formatShare } from './summary.ts'

/** Two runs over the same questions, paired: what `eval diff --json` prints. EX throughout, shares from 0 to 1. */
export interface RunsDiff {
  /** Answerable questions in both runs; everything below is about them. */
  readonly questions: number
  readonly exA: number | null
  readonly exB: number | null
  /** B minus A. */
  readonly difference: number | null
  /** Bootstrap intervals of the difference: drawing questions, and drawing whole databases. */
  readonly interval: Interval | null
  readonly intervalByDatabase: Interval | null
  readonly level: number
  readonly mcnemar: McNemar
  /** Ids that only one run got right. */
  readonly onlyARight: readonly string[]
  readonly onlyBRight: readonly string[]
  /** Ids that stand in one file alone. */
  readonly onlyInA: readonly string[]
  readonly onlyInB: readonly string[]
}

/** Compares two runs question by question. Drawing databases needs two of them; with one, that interval is null. */
export const diffRuns = (
  a: readonly EvaluatedQuestion[],
  b: readonly EvaluatedQuestion[],
  { level = 0.95, ...options }: Omit<BootstrapOptions, 'by'> = {},
): RunsDiff => {
  const inA = new Map(a.map(question => [question.id, question]))
  const inB = new Map(b.map(question => [question.id, question]))
  const pairs = [...inA.values()].flatMap(left => {
    const right = inB.get(left.id)
    return right && left.ex !== null && right.ex !== null ? [{ left, right }] : []
  })
  const scores = pairs.map(({ left, right }) => ({
    a: Number(left.ex),
    b: Number(right.ex),
    database: left.db_id,
  }))
  const onlyARight = pairs.filter(({ left, right }) => left.ex && !right.ex).map(({ left }) => left.id)
  const onlyBRight = pairs.filter(({ left, right }) => !left.ex && right.ex).map(({ left }) => left.id)
  const share = (count: number) => (pairs.length === 0 ? null : count / pairs.length)
  const databases = new Set(scores.map(score => score.database))
  return {
    questions: pairs.length,
    exA: share(pairs.filter(({ left }) => left.ex).length),
    exB: share(pairs.filter(({ right }) => right.ex).length),
    difference: share(onlyBRight.length - onlyARight.length),
    interval: pairedBootstrap(scores, { ...options, level, by: 'question' }),
    intervalByDatabase:
      databases.size < 2 ? null : pairedBootstrap(scores, { ...options, level, by: 'database' }),
    level,
    mcnemar: mcnemar(onlyARight.length, onlyBRight.length),
    onlyARight,
    onlyBRight,
    onlyInA: [...inA.keys()].filter(id => !inB.has(id)),
    onlyInB: [...inB.keys()].filter(id => !inA.has(id)),
  }
}

/** How many ids are listed before the rest is only counted. */
const MAX_LISTED = 20

/** The comparison of two runs in a few lines, for the terminal. */
export const renderDiff = (diff: RunsDiff): string => {
  if (diff.questions === 0) return 'The two files have no answerable question in common.'
  const { method, p } = diff.mcnemar
  const lines = [
    `questions in both    ${diff.questions}`,
    `EX of A              ${formatShare(diff.exA)}`,
    `EX of B              ${formatShare(diff.exB)}`,
    `difference, B - A    ${formatPoints(diff.difference)} points`,
    `  drawing questions  ${formatInterval(diff.interval, diff.level)}`,
    `  drawing databases  ${formatInterval(diff.intervalByDatabase, diff.level)}`,
    `McNemar              p ${p < 0.0001 ? '< .0001' : `= ${p.toFixed(4)}`} (${method}; ${diff.onlyBRight.length} won, ${diff.onlyARight.length} lost)`,
  ]
  const listed: [string, readonly string[]][] = [
    ['only A is right', diff.onlyARight],
    ['only B is right', diff.onlyBRight],
    ['only in A', diff.onlyInA],
    ['only in B', diff.onlyInB],
  ]
  for (const [name, ids] of listed) if (ids.length > 0) lines.push(`${name}: ${formatIds(ids)}`)
  return lines.join('\n')
}

const formatPoints = (share: number | null): string =>
  share === null ? '-' : `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)}`

const formatInterval = (interval: Interval | null, level: number): string =>
  interval === null
    ? '- (needs two databases)'
    : `${formatPoints(interval.low)} to ${formatPoints(interval.high)} (${Math.round(level * 100)} % bootstrap interval)`

const formatIds = (ids: readonly string[]): string => {
  const rest = ids.length - MAX_LISTED
  return `${ids.slice(0, MAX_LISTED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
