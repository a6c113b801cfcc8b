import type { Cell, FindChartShape, ResultColumn, ResultTable } from '../domain/result.ts'
import { formatCell } from '../lib/format-cell.ts'
import { type FigureUnit, formatMeant, scaleFigure } from '../lib/format-figure.ts'

/** Beyond these limits a table is better than a chart. */
const maxMeasures = 3

const maxCategories = 30

const maxPoints = 1_000

const maxSeries = 8

/** Two points are not a trend. */
const minMoments = 3

/** Longer labels do not fit under columns. */
const maxColumns = 8

const maxColumnLabelLength = 9

const maxLabelLength = 40

/** Numbers that identify something instead of measuring it. */
const namesThing = /(^|_)(id|no|nr|number|code|zip|year|month|week|quarter|day|hour)$/i

/**
 * Chooses the chart for a result: by what its columns mean if that is known, and by its shape. One label and one to
 * three numbers, or a date, a category and a number can be drawn. Null for every other shape and for cut results,
 * because half a trend is misleading.
 */
export const chooseChart = (given: ResultTable): ChartSpec | null => {
  if (given.rows.length < 2 || given.rows.length > maxPoints || given.truncated !== null) return null
  const table = asShown(given)
  const share = table.columns.findIndex(({ meaning }) => isShare(meaning))
  return share < 0 ? byShape(table) : (stackedShares(table, share) ?? byShape(table))
}

const byShape = (table: ResultTable): ChartSpec | null => {
  const { columns } = table
  const measures = columns.flatMap((column, i) => (isMeasure(table, column, i) ? [i] : []))
  const labels = columns.flatMap((_, i) => (measures.includes(i) ? [] : [i]))
  const moments = labels.filter(i => isMoment(table, i))
  const [label] = labels
  const [moment] = moments
  if (measures.length === 0 || measures.length > maxMeasures || label === undefined) return null
  if (labels.length === 1) {
    return moment === undefined
      ? overCategories(table, label, measures)
      : overTime(table, moment, seriesByColumn(table, measures))
  }
  const category = labels.find(i => i !== moment)
  const [measure] = measures
  return labels.length === 2 && measures.length === 1 && moment !== undefined && category !== undefined
    ? overTime(table, moment, seriesByValue(table, category, measure ?? 0))
    : null
}

const isShare = (meaning: ResultColumn['meaning']): boolean =>
  meaning?.role.kind === 'figure' && meaning.role.of === 'share'

/**
 * A result as people read it: headings for names, figures in the unit that they are shown in, first and last name as
 * one label. Without details such as ids, and without figures in other units than the first. A result whose columns
 * mean nothing known stays as it is.
 */
const asShown = (table: ResultTable): ResultTable => {
  const { columns, rows } = table
  if (columns.length === 0 || columns.some(({ meaning }) => meaning === undefined)) return table
  const places = [...columns.keys()]
  const meaningAt = (at: number) => columns[at]?.meaning
  const figures = places.filter(at => meaningAt(at)?.role.kind === 'figure')
  const shares = figures.filter(at => isShare(meaningAt(at)))
  const first = meaningAt(shares[0] ?? figures[0] ?? -1)
  const drawn = (shares.length > 0 ? shares : figures).filter(at => isBeside(meaningAt(at), first))
  const names = places.filter(at => meaningAt(at)?.role.kind === 'name')
  const others = places.filter(at => {
    const kind = meaningAt(at)?.role.kind
    return (
      kind === 'category' ||
      kind === 'flag' ||
      kind === 'period' ||
      kind === 'date-part' ||
      (kind === 'moment' && names.length === 0)
    )
  })
  const labels = [...(names.length > 0 ? [names] : []), ...others.map(at => [at])]
  return {
    ...table,
    columns: [
      ...labels.map(group => shownLabel(group.flatMap(at => columns[at] ?? []))),
      ...drawn.flatMap(at => shownFigure(columns[at])),
    ],
    rows: rows.map(row => [
      ...labels.map(group => labelCell(group, row, columns)),
      ...drawn.map(at => scaledCell(row[at] ?? null, meaningAt(at)?.unit ?? null)),
    ]),
  }
}

/** Whether a figure can stand on the axis of another; changes stand in the table. */
const isBeside = (meaning: ResultColumn['meaning'], first: ResultColumn['meaning']): boolean =>
  meaning?.role.kind === 'figure' &&
  meaning.role.of !== 'change' &&
  meaning.role.of !== 'growth' &&
  JSON.stringify(meaning.unit) === JSON.stringify(first?.unit)

const shownLabel = (columns: readonly ResultColumn[]): ResultColumn => {
  const [first] = columns
  const isName = columns.length > 1
  return {
    name: isName ? 'Name' : (first?.meaning?.label ?? ''),
    kind: isName ? 'text' : (first?.kind ?? 'text'),
    ...(first?.meaning && { meaning: first.meaning }),
  }
}

const shownFigure = (column: ResultColumn | undefined): readonly ResultColumn[] => {
  const meaning = column?.meaning
  if (meaning === undefined) return []
  const unit = unitName(meaning.unit)
  return [{ name: unit === null ? meaning.label : `${meaning.label} (${unit})`, kind: 'number', meaning }]
}

/** What an axis is measured in. */
const unitName = (unit: FigureUnit | null): string | null => {
  switch (unit?.kind) {
    case 'currency':
      return unit.code
    case 'percent':
      return '%'
    case 'duration':
      return `${unit.unit}s`
    case 'other':
      return unit.suffix
    default:
      return null
  }
}

/** Moments stay what they are, for the axis of time; numbers of weekdays and months become words. */
const labelCell = (
  group: readonly number[],
  row: readonly Cell[],
  columns: readonly ResultColumn[],
): Cell => {
  const [at = 0] = group
  if (group.length > 1)
    return group
      .map(one => row[one] ?? '')
      .join(' ')
      .trim()
  const cell = row[at] ?? null
  return columns[at]?.meaning?.role.kind === 'date-part'
    ? formatMeant(cell, columns[at] ?? { kind: '' })
    : cell
}

const scaledCell = (cell: Cell, unit: FigureUnit | null): Cell => {
  const number = asNumber(cell)
  return number === null ? null : scaleFigure(number, unit)
}

/** Shares of a whole stand on top of each other, over time if there is a time. */
const stackedShares = (table: ResultTable, share: number): ChartSpec | null => {
  const { columns, rows } = table
  const keys = [...columns.keys()].filter(at => columns[at]?.meaning?.role.kind !== 'figure')
  const period = keys.find(at => columns[at]?.meaning?.role.kind === 'period')
  const category = keys.find(at => at !== period)
  if (category === undefined || keys.length > (period === undefined ? 1 : 2)) return null
  const points = rows.flatMap(row => {
    const y = asNumber(row[share] ?? null)
    const x = period === undefined ? '' : labelOf(row[period] ?? null, columns[period])
    return y === null ? [] : [{ x, series: labelOf(row[category] ?? null, columns[category]), y }]
  })
  const series = [...new Set(points.map(point => point.series))]
  if (series.length > maxSeries || points.some(({ y }) => y < 0)) return null
  return {
    kind: 'stacked',
    xTitle: humanizeName(columns[period ?? category]),
    yTitle: humanizeName(columns[share]),
    series,
    points,
    labelOf: String,
  }
}

/** The kind of chart a result can have. */
export const findChartShape: FindChartShape = table => {
  const spec = chooseChart(table)
  if (!spec) return 'none'
  return spec.kind === 'lines' ? 'series' : 'categories'
}

/** The marks of a row, without their position on the x axis. */
type ReadMarks = (row: readonly Cell[]) => readonly Omit<ChartPoint, 'x'>[]

const seriesByColumn =
  ({ columns }: ResultTable, measures: readonly number[]): ReadMarks =>
  row =>
    measures.flatMap(i => {
      const y = asNumber(row[i] ?? null)
      return y === null ? [] : [{ series: humanizeName(columns[i]), y }]
    })

const seriesByValue =
  ({ columns }: ResultTable, category: number, measure: number): ReadMarks =>
  row => {
    const y = asNumber(row[measure] ?? null)
    return y === null ? [] : [{ series: labelOf(row[category] ?? null, columns[category]), y }]
  }

const overTime = (table: ResultTable, moment: number, marksOf: ReadMarks): ChartSpec | null => {
  const column = table.columns[moment] as ResultColumn
  const written = new Map<string | number, string>()
  const points = table.rows.flatMap(row => {
    const x = parseMoment(row[moment] ?? null, column)
    if (x === null) return []
    written.set(x, labelOf(row[moment] ?? null, column))
    return marksOf(row).map(mark => ({ ...mark, x }))
  })
  const series = [...new Set(points.map(point => point.series))]
  // Two values of one series at the same time are no trend: something else distinguishes the rows.
  const places = new Set(points.map(point => `${point.x} ${point.series}`))
  if (written.size < minMoments || series.length > maxSeries || places.size < points.length) return null
  return {
    kind: 'lines',
    ...titlesOf(table, moment, series),
    xTitle: momentTitle(table, moment),
    series,
    points: points.toSorted((a, b) => a.x - b.x),
    labelOf: x => written.get(x) ?? String(x),
  }
}

const overCategories = (table: ResultTable, label: number, measures: readonly number[]): ChartSpec | null => {
  const marksOf = seriesByColumn(table, measures)
  const names = table.rows.map(row => labelOf(row[label] ?? null, table.columns[label]))
  if (names.length > maxCategories || new Set(names).size < names.length) return null
  const points = table.rows.flatMap((row, i) => marksOf(row).map(mark => ({ ...mark, x: names[i] ?? '' })))
  if (points.length === 0) return null
  const stands = names.length <= maxColumns && names.every(name => name.length <= maxColumnLabelLength)
  const series = [...new Set(points.map(point => point.series))]
  return {
    kind: stands ? 'columns' : 'bars',
    ...titlesOf(table, label, series),
    series,
    points,
    labelOf: String,
  }
}

/** The heading of the axis of time, with the last period if it is not over: `Month (Nov 2026 so far)`. */
const momentTitle = ({ columns, rows }: ResultTable, moment: number): string => {
  const title = humanizeName(columns[moment])
  const running = rows
    .map(row => labelOf(row[moment] ?? null, columns[moment]))
    .find(text => text.endsWith(' so far'))
  return running === undefined ? title : `${title} (${running})`
}

const titlesOf = (
  table: ResultTable,
  label: number,
  series: readonly string[],
): Pick<ChartSpec, 'xTitle' | 'yTitle'> => {
  const measures = table.columns.filter((column, i) => i !== label && isMeasure(table, column, i))
  const [only] = measures
  return {
    xTitle: humanizeName(table.columns[label]),
    yTitle: measures.length === 1 ? humanizeName(only) : series.join(', '),
  }
}

const isMeasure = ({ rows }: ResultTable, { name, kind, meaning }: ResultColumn, i: number): boolean => {
  if (meaning !== undefined) return meaning.role.kind === 'figure'
  if (namesThing.test(name) || !['integer', 'number', 'unknown'].includes(kind)) return false
  const cells = rows.map(row => row[i] ?? null).filter(cell => cell !== null)
  return (
    cells.length > 0 &&
    cells.every(cell => asNumber(cell) !== null && (kind !== 'unknown' || typeof cell !== 'string'))
  )
}

const isMoment = ({ columns, rows }: ResultTable, i: number): boolean =>
  rows.every(row => parseMoment(row[i] ?? null, columns[i] as ResultColumn) !== null)

/** A decimal that no double can hold arrives as text. */
const asNumber = (cell: Cell): number | null => {
  const value =
    typeof cell === 'number'
      ? cell
      : typeof cell === 'bigint' || (typeof cell === 'string' && /^-?\d+(\.\d+)?$/.test(cell))
        ? Number(cell)
        : Number.NaN
  return Number.isFinite(value) ? value : null
}

const humanizeName = (column: ResultColumn | undefined): string =>
  (column?.name ?? '').replaceAll('_', ' ') || '–'

const labelOf = (cell: Cell, column: ResultColumn | undefined): string =>
  (column?.meaning && formatMeant(cell, column)) ??
  formatCell(cell, { maxLength: maxLabelLength, kind: column?.kind ?? 'unknown' })

const iso =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-]00(?::?00)?)?)?)?)?$/

/**
 * Milliseconds since 1970 of a cell that names a year, month, day or time; null for anything else. Times are read as
 * written, in UTC, so that the chart matches the table.
 */
const parseMoment = (cell: Cell, column: ResultColumn): number | null => {
  if (typeof cell === 'number') return isYearColumn(column) && isYear(cell) ? Date.UTC(cell, 0, 1) : null
  if (typeof cell !== 'string') return null
  const parts = iso.exec(cell.trim())
  if (!parts) return null
  const [year, month, day, hour, minute, second] = parts.slice(1).map(part => Number(part ?? Number.NaN))
  const hasMonth = !Number.isNaN(month)
  // A four-digit text is a year only if the column is named like one: it may be any code.
  if (!hasMonth && !isYearColumn(column)) return null
  const or = (value: number | undefined, other: number): number =>
    value === undefined || Number.isNaN(value) ? other : value
  return Date.UTC(or(year, 0), or(month, 1) - 1, or(day, 1), or(hour, 0), or(minute, 0), or(second, 0))
}

const isYearColumn = ({ name, meaning }: ResultColumn): boolean =>
  meaning?.role.kind === 'period' ? meaning.role.grain === 'year' : /year/i.test(name)

const isYear = (value: number): boolean => Number.isInteger(value) && value >= 1000 && value <= 9999

/** One mark of a chart: position, series and value. Missing values are left out by the caller. */
export interface ChartPoint {
  /** A category, or milliseconds since 1970 on a time axis. */
  readonly x: string | number
  readonly series: string
  readonly y: number
}

/**
 * The kinds of charts. `lines` run over time, `columns` are for few short categories, `bars` for many or long ones;
 * several series are placed side by side. `stacked` are shares of a whole.
 */
export interface ChartSpec {
  readonly kind: 'lines' | 'columns' | 'bars' | 'stacked'
  readonly xTitle: string
  readonly yTitle: string
  /** In display order. */
  readonly series: readonly string[]
  readonly points: readonly ChartPoint[]
  /** Labels of the x axis, by `x`. */
  readonly labelOf: (x: string | number) => string
}
