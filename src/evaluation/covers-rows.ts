import type { Cell, ResultTable, ValueKind } from '../domain/result.ts'

/**
 * Whether an answer has the rows of a gold with all of its columns; further columns of the answer do not matter. This
 * is how a person judges "top 5 customers by revenue": names and revenue must be right, a rank or share beside them
 * does no harm. Rows are a bag; their order and that of columns do not matter. Numbers are compared at seven significant
 * digits, dates at midnight as days, a month as its first day, and weekdays by name or number.
 */
export const coversRows = (answer: ResultTable, gold: ResultTable): boolean => {
  if (answer.rows.length !== gold.rows.length) return false
  if (gold.rows.length === 0) return true
  const [own, wanted] = [valuesOf(answer), valuesOf(gold)]
  const bags = own.map(bagOf)
  const partners = wanted.map(column => {
    const bag = bagOf(column)
    return bags.flatMap((one, at) => (one === bag ? [at] : []))
  })
  let tries = MOST_TRIES
  const assign = (at: number, taken: readonly number[]): boolean => {
    if (at === wanted.length) return rowBag(taken.map(column => own[column]!)) === rowBag(wanted)
    return partners[at]!.some(
      column => !taken.includes(column) && tries-- > 0 && assign(at + 1, [...taken, column]),
    )
  }
  return assign(0, [])
}

/** Assignments of columns that are tried; results with so many columns alike do not occur. */
const MOST_TRIES = 2_000

/** The columns of a result, as comparable texts. */
const valuesOf = ({ columns, rows }: ResultTable): readonly (readonly string[])[] =>
  columns.map(({ kind }, at) => rows.map(row => comparable(row[at] ?? null, kind)))

const bagOf = (column: readonly string[]): string => JSON.stringify(column.toSorted())

const rowBag = (columns: readonly (readonly string[])[]): string =>
  JSON.stringify(columns[0]!.map((_, row) => columns.map(column => column[row]!).join('\u0001')).toSorted())

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

const DIGITS = 7

const comparable = (cell: Cell, kind: ValueKind): string => {
  if (cell === null) return '-'
  if (typeof cell === 'boolean' || typeof cell === 'number' || typeof cell === 'bigint')
    return number(Number(cell))
  if (typeof cell !== 'string') return `b${Buffer.from(cell).toString('hex')}`
  if ((kind === 'number' || kind === 'integer') && cell.trim() !== '' && !Number.isNaN(Number(cell)))
    return number(Number(cell))
  const day = /^(\d{4}-\d{2})(-\d{2})?(?:[ T]00:00:00.*)?$/.exec(cell)
  if (day) return `d${day[1]}${day[2] ?? '-01'}`
  const weekday = weekdays.indexOf(cell.toLowerCase())
  return weekday === -1 ? `t${cell}` : number(weekday + 1)
}

const number = (value: number): string => `n${value === 0 ? 0 : Number(value.toPrecision(DIGITS))}`
