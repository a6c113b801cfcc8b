import type { Cell } from '../../../src/domain/result.ts'
import { formatFigure, isRunningPeriod } from '../../../src/lib/format-figure.ts'
import {
  contextOf,
  figureText,
  isCount,
  keyText,
  type MeantColumn,
  numberAt,
  type Shown,
} from './headline-parts.ts'

const grainWords = { day: 'day', week: 'week', month: 'month', quarter: 'quarter', year: 'year' } as const

/** How a figure developed, where it was highest, and whether the last period is still running. */
export const seriesHeadline = (shown: Shown, figure: MeantColumn, period: MeantColumn): string => {
  const { table, today } = shown
  const { role } = period.meaning
  if (role.kind !== 'period') return figure.meaning.label
  const rows = table.rows
    .filter(row => row[period.at] != null && numberAt(row, figure) !== null)
    .toSorted((a, b) => (String(a[period.at]) < String(b[period.at]) ? -1 : 1))
  const label = `${figure.meaning.label} per ${grainWords[role.grain]}`
  const [first] = rows
  const last = rows.at(-1)
  const name = (row: readonly Cell[]): string =>
    keyText(row[period.at] ?? null, role).replace(/^Week of/, 'the week of')
  if (first === undefined || last === undefined || rows.length === 1)
    return `${label}${contextOf(shown, isCount(figure))}`
  const isRunning = isRunningPeriod(String(last[period.at]), role.grain, today)
  const ended = isRunning ? rows.slice(0, -1) : rows
  const end = ended.at(-1) ?? last
  const [from, to] = [numberAt(first, figure) ?? 0, numberAt(end, figure) ?? 0]
  const peak = ended.reduce(
    (best, row) => ((numberAt(row, figure) ?? 0) > (numberAt(best, figure) ?? 0) ? row : best),
    first,
  )
  const running = shown.figures.find(
    ({ meaning: { role: own } }) => own.kind === 'figure' && own.of === 'running',
  )
  if (running) {
    const reached = `${figure.meaning.label} added up to ${figureText(last, running)} by ${name(last)}`
    return isRunning ? `${reached} so far` : reached
  }
  const compared = comparedWithYearBefore(shown, figure, ended)
  if (compared !== null) {
    const days = `from ${name(first)} to ${name(end)}`
    const sides = `${compared.now} ${first === end ? `in ${name(end)}` : days} after ${compared.before}`
    const headline = `${figure.meaning.label} ${compared.change} on a year before: ${sides}`
    return isRunning ? `${headline} · ${name(last)} is not over yet` : headline
  }
  const change = from > 0 && end !== first ? to / from - 1 : null
  const grown =
    change === null
      ? `${label}, ${name(first)} to ${name(last)}`
      : `${figure.meaning.label} ${changeText(change)} from ${name(first)} to ${name(end)}`
  return [
    grown,
    `peak ${role.grain === 'day' ? 'on' : 'in'} ${name(peak)}, ${figureText(peak, figure)}`,
    ...(isRunning ? [`${name(last)} is not over yet`] : []),
  ].join(' · ')
}

const changeText = (change: number): string => {
  const percent = formatFigure(Math.abs(change), { kind: 'percent', scale: 100 })
  return change === 0 ? 'did not change' : `${change > 0 ? 'grew' : 'fell'} ${percent}`
}

/** All periods of a series beside the same ones of the year before, if both can be added up; null otherwise. */
const comparedWithYearBefore = (
  { subject: { compare }, figures }: Shown,
  figure: MeantColumn,
  rows: readonly (readonly Cell[])[],
): { readonly now: string; readonly before: string; readonly change: string } | null => {
  const { role, unit } = figure.meaning
  const previous = figures.find(
    ({ meaning: { role: own } }) => own.kind === 'figure' && own.of === 'previous',
  )
  if (compare?.kind !== 'series' || compare.lag !== 'year' || role.kind !== 'figure' || !role.isAdditive)
    return null
  if (previous === undefined || rows.some(row => numberAt(row, previous) === null)) return null
  const totalOf = (column: MeantColumn): number =>
    rows.reduce((sum, row) => sum + (numberAt(row, column) ?? 0), 0)
  const [now, before] = [totalOf(figure), totalOf(previous)]
  if (before <= 0) return null
  return {
    now: formatFigure(now, unit),
    before: formatFigure(before, unit),
    change: changeText(now / before - 1),
  }
}
