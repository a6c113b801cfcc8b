import type { RunsDiff } from './diff-runs.ts'
import type { Interval } from './paired-bootstrap.ts'
import { writeShare } from './write-share.ts'

/** How many ids are listed before the rest is only counted. */
const MOST_LISTED = 20

/** The comparison of two runs in a few lines, for the terminal. */
export const renderDiff = (diff: RunsDiff): string => {
  if (diff.questions === 0) return 'The two files have no answerable question in common.'
  const { method, p } = diff.mcnemar
  const lines = [
    `questions in both    ${diff.questions}`,
    `EX of A              ${writeShare(diff.exA)}`,
    `EX of B              ${writeShare(diff.exB)}`,
    `difference, B - A    ${writePoints(diff.difference)} points`,
    `  drawing questions  ${writeInterval(diff.interval, diff.level)}`,
    `  drawing databases  ${writeInterval(diff.intervalByDatabase, diff.level)}`,
    `McNemar              p ${p < 0.0001 ? '< .0001' : `= ${p.toFixed(4)}`} (${method}; ${diff.onlyBRight.length} won, ${diff.onlyARight.length} lost)`,
  ]
  const listed: [string, readonly string[]][] = [
    ['only A is right', diff.onlyARight],
    ['only B is right', diff.onlyBRight],
    ['only in A', diff.onlyInA],
    ['only in B', diff.onlyInB],
  ]
  for (const [name, ids] of listed) if (ids.length > 0) lines.push(`${name}: ${list(ids)}`)
  return lines.join('\n')
}

const writePoints = (share: number | null): string =>
  share === null ? '-' : `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)}`

const writeInterval = (interval: Interval | null, level: number): string =>
  interval === null
    ? '- (needs two databases)'
    : `${writePoints(interval.low)} to ${writePoints(interval.high)} (${Math.round(level * 100)} % bootstrap interval)`

const list = (ids: readonly string[]): string => {
  const rest = ids.length - MOST_LISTED
  return `${ids.slice(0, MOST_LISTED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
