import type { Contrast } from '../../../src/domain/conversation.ts'
import type { Cell, ResultTable } from '../../../src/domain/result.ts'
import { formatCell } from '../../../src/lib/format-cell.ts'

/** What a split tells. `score` is from 0, evenly spread, to 1. */
export interface BreakdownScore {
  /** The values that stand out, those that explain most first. Never empty if the score is above 0. */
  readonly leading: readonly BreakdownPart[]
  /** What share of the change (or of the subject) they hold. */
  readonly share: number
  /** What share of the number beside they hold: what they would hold if all had moved alike. */
  readonly expected: number
  readonly score: number
}

const nothing: BreakdownScore = { leading: [], share: 0, expected: 0, score: 0 }

/** More values than these are no explanation. */
const MOST_LEADING = 3

/** A further value has to add so much. */
const LEAST_SHARE_NAMED = 0.1

/** Below this a split tells nothing: all values moved about alike. */
export const EVENLY_SPREAD = 0.15

/**
 * How much of a difference the top values of a dimension explain beyond what is theirs anyway. After Adtributor (Bhagwan
 * et al., NSDI 2014): explanatory power is the share of the change that values hold; a value that holds most of everything
 * holds most of any change too, and surprises nobody, so its share before is taken off.
 */
export const scoreParts = (parts: readonly BreakdownPart[], kind: Contrast['kind']): BreakdownScore => {
  if (parts.length < 2) return nothing
  return kind === 'period' ? scoreChange(parts) : scoreMix(parts)
}

const scoreChange = (parts: readonly BreakdownPart[]): BreakdownScore => {
  const all = sumOfParts(parts)
  const change = all.subject - all.beside
  if (change === 0) return nothing
  const rated = parts
    .map(part => ({
      part,
      share: (part.subject - part.beside) / change,
      expected: all.beside > 0 ? Math.max(0, part.beside) / all.beside : 1 / parts.length,
    }))
    .toSorted((a, b) => b.share - b.expected - (a.share - a.expected))
  const leading = rated.filter(
    ({ share, expected }, at) =>
      at < Math.min(MOST_LEADING, parts.length - 1) && share - expected >= LEAST_SHARE_NAMED,
  )
  const share = leading.reduce((sum, one) => sum + one.share, 0)
  const expected = leading.reduce((sum, one) => sum + one.expected, 0)
  const score = Math.max(0, Math.min(1, share - expected) - LEAST_SHARE_NAMED * 0.5 * (leading.length - 1))
  return { leading: leading.map(({ part }) => part), share, expected, score }
}

/** Half the sum of the differences between the two mixes (total variation); the value that differs most leads. */
const scoreMix = (parts: readonly BreakdownPart[]): BreakdownScore => {
  const all = sumOfParts(parts)
  if (all.subject <= 0 || all.beside <= 0) return nothing
  const rated = parts
    .map(part => ({ part, share: part.subject / all.subject, expected: part.beside / all.beside }))
    .toSorted((a, b) => Math.abs(b.share - b.expected) - Math.abs(a.share - a.expected))
  const [first] = rated
  if (!first) return nothing
  const score = rated.reduce((sum, one) => sum + Math.abs(one.share - one.expected), 0) / 2
  return { leading: [first.part], share: first.share, expected: first.expected, score: Math.min(1, score) }
}

/** Two numbers side by side, of a value of the dimension or of everything. */
export interface ComparedNumbers {
  readonly subject: number
  readonly beside: number
}

/** One value of the dimension with its two numbers. */
export interface BreakdownPart extends ComparedNumbers {
  readonly value: string
}

const numberOf = (cell: Cell | undefined): number => {
  const number = cell === null || cell === undefined ? 0 : Number(cell)
  return Number.isFinite(number) ? number : 0
}

const sidesOf = (kind: Contrast['kind'], [first, second]: readonly Cell[]): ComparedNumbers =>
  kind === 'period'
    ? { beside: numberOf(first), subject: numberOf(second) }
    : { subject: numberOf(first), beside: numberOf(second) }

/** The rows of a breakdown by a dimension. */
export const readParts = ({ rows }: ResultTable, kind: Contrast['kind']): readonly BreakdownPart[] =>
  rows.map(([value = null, ...numbers]) => ({
    value: value === null || value === '' ? '(none)' : formatCell(value),
    ...sidesOf(kind, numbers),
  }))

/** The one row of the totals. */
export const readTotals = ({ rows }: ResultTable, kind: Contrast['kind']): ComparedNumbers =>
  sidesOf(kind, rows[0] ?? [])

/** All parts together. */
export const sumOfParts = (parts: readonly ComparedNumbers[]): ComparedNumbers => ({
  subject: parts.reduce((sum, part) => sum + part.subject, 0),
  beside: parts.reduce((sum, part) => sum + part.beside, 0),
})

/** Sums of decimals differ in their last digits by the order in which they were added up. */
const RELATIVE_NOISE = 1e-6

/** Whether parts are all there is, once each: else rows were lost or counted twice by the split. */
export const addUpToTotals = (parts: readonly ComparedNumbers[], totals: ComparedNumbers): boolean => {
  const sum = sumOfParts(parts)
  const isSame = (a: number, b: number): boolean =>
    Math.abs(a - b) <= RELATIVE_NOISE * Math.max(1, Math.abs(a), Math.abs(b))
  return isSame(sum.subject, totals.subject) && isSame(sum.beside, totals.beside)
}
