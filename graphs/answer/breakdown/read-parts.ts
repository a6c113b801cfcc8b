import type { Contrast } from '../../../src/core/breakdown.ts'
import type { Cell, ResultTable } from '../../../src/core/result.ts'
import { formatCell } from '../../../src/lib/format-cell.ts'

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
