import type { BreakdownPlan, Contrast } from '../../src/domain/conversation.ts'
import type { Cell, ResultTable, ValueKind } from '../../src/domain/result.ts'
import { formatCell } from '../../src/lib/format-cell.ts'
import { formatMeant, headingOf } from '../../src/lib/format-figure.ts'
import {
  type BreakdownPart,
  type BreakdownScore,
  type ComparedNumbers,
  EVENLY_SPREAD,
  readParts,
  readTotals,
  scoreParts,
  sumOfParts,
} from './drafting/breakdown.ts'

/**
 * The first line of an answer that nobody can describe, from the result alone: the value itself when there is just one,
 * else how many rows there are.
 */
export const formatHeadline = (table: ResultTable): string => {
  const [first] = table.rows
  const [column] = table.columns
  if (!first) return 'Nothing found.'
  if (table.rows.length === 1 && table.columns.length === 1 && column) {
    return `${headingOf(column)}: ${formatMeant(first[0] ?? null, column) ?? formatValue(first[0] ?? null, column.kind)}`
  }
  const count = formatValue(table.rows.length, 'integer')
  return `${table.truncated ? 'More than ' : ''}${count} ${table.rows.length === 1 ? 'row' : 'rows'}`
}

const formatValue = (cell: Cell, kind: ValueKind): string => formatCell(cell, { grouped: true, kind })

/**
 * The first line of a breakdown, its numbers from the result: what was compared, and what explains the difference. Null
 * where the statement is none of the plan's, because a repair changed it.
 */
export const formatBreakdown = (
  { contrast, totals, dimensions }: BreakdownPlan,
  sql: string,
  table: ResultTable,
): string | null => {
  if (sql === totals) return compared(readTotals(table, contrast.kind), contrast)
  const dimension = dimensions.find(one => one.sql.falling === sql || one.sql.rising === sql)
  if (!dimension) return null
  const parts = readParts(table, contrast.kind)
  const all = sumOfParts(parts)
  const explained = explain(scoreParts(parts, contrast.kind), all, { ...contrast, label: dimension.label })
  return [compared(all, contrast), ...(explained === null ? [] : [explained])].join(' ')
}

const compared = ({ subject, beside }: ComparedNumbers, contrast: Contrast): string => {
  switch (contrast.kind) {
    case 'period': {
      const difference = Math.abs(subject - beside)
      const numbers = `(${formatNumber(subject)} after ${formatNumber(beside)})`
      if (difference === 0) return `${contrast.subject} was the same as ${contrast.beside} ${numbers}.`
      const side = subject < beside ? 'below' : 'above'
      return `${contrast.subject} was ${formatNumber(difference)} ${side} ${contrast.beside} ${numbers}.`
    }
    case 'group':
      return beside > 0
        ? `${contrast.subject} has ${formatNumber(subject)} of ${formatNumber(beside)}, ${formatPercent(subject / beside)} of all.`
        : `${contrast.subject} has ${formatNumber(subject)} of ${formatNumber(beside)}.`
    default: {
      const never: never = contrast.kind
      return never
    }
  }
}

const explain = (
  { leading, share, expected, score }: BreakdownScore,
  all: ComparedNumbers,
  { kind, subject, beside, label }: Contrast & { readonly label: string },
): string | null => {
  const [first] = leading
  if (kind === 'group') {
    if (!first) return null
    if (score < EVENLY_SPREAD) return `Its ${label} is about what it is everywhere.`
    return `By ${label}, ${first.value} makes up ${formatPercent(share)} of ${subject} and ${formatPercent(expected)} of all.`
  }
  if (all.subject === all.beside) return null
  if (!first || score < EVENLY_SPREAD) {
    return 'The change is spread out: no single value explains much of it.'
  }
  const names = leading.map(({ value }) => value)
  const together = `${joinNames(names)} ${leading.length === 1 ? 'explains' : 'together explain'}`
  const before = all.beside > 0 ? `, having been ${formatPercent(expected)} of ${beside}` : ''
  // Over the whole change: the others moved the other way.
  if (share > 1) {
    const moved = Math.abs(leading.reduce((sum, part) => sum + changeOf(part), 0))
    const [verb, rest] = all.subject < all.beside ? ['fell', 'rose'] : ['rose', 'fell']
    const others = moved - Math.abs(all.subject - all.beside)
    return `By ${label}, ${joinNames(names)} ${verb} by ${formatNumber(moved)}; the others ${rest} by ${formatNumber(others)} together.`
  }
  return `By ${label}, ${together} ${formatPercent(share)} of that${before}.`
}

const changeOf = ({ subject, beside }: BreakdownPart): number => subject - beside

const formatNumber = (number: number): string => formatCell(number, { grouped: true, kind: 'number' })

const formatPercent = (share: number): string => `${Math.round(share * 100)}%`

const joinNames = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
