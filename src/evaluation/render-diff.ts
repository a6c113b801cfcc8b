import type { RunsDiff } from './diff-runs.ts'
import type { Interval } from './paired-bootstrap.ts'
import { formatShare } from './write-share.ts'

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
