import type { AnswerSubject } from '../../../src/domain/metrics/answer-meaning.ts'
import type { Cell, ResultColumn, ResultTable } from '../../../src/domain/result.ts'
import { foldText } from '../../../src/lib/fold-text.ts'
import { formatCell } from '../../../src/lib/format-cell.ts'
import { formatMeant, formatPeriod, headingOf, scaleFigure } from '../../../src/lib/format-figure.ts'
import { readNumbers, type ShownDate, type ShownFigure } from './figures.ts'

/** What a headline is about: everything that it may say. */
export interface HeadlineSource {
  readonly question: string
  /** The headline that code wrote. */
  readonly composed: string
  readonly table: ResultTable
  readonly subject: AnswerSubject | null
}

/** A figure that follows from the result. `value` has its sign. */
interface FactFigure {
  readonly value: number
  /** What its last known digit counts; 0 if it is exact. */
  readonly step: number
  readonly unit: string
  /** The rows that it is a figure of; null if it is one of the whole. */
  readonly rows: ReadonlySet<number> | null
  /** It says by how much something changed, so its sign is said in words. */
  readonly isChange: boolean
  /** Of the whole, it may stand only behind these words: a total behind "of", a number of the question behind its own. */
  readonly behind?: readonly string[]
  /** Of the whole, it may stand only before these words: the number of rows before what they are. */
  readonly before?: readonly string[]
  /** The last word of its column's label. */
  readonly label?: string
  /** The composed headline says it. */
  readonly isComposed?: boolean
}

/** What names rows: a word of a key column, or a moment. */
export interface RowName {
  readonly text: string
  readonly dates: readonly ShownDate[]
  readonly row: number
}

/** What a headline may say of its result. */
export interface HeadlineFacts {
  readonly figures: readonly FactFigure[]
  readonly dates: readonly ShownDate[]
  readonly names: readonly RowName[]
  /** Texts whose words and names may be repeated. */
  readonly texts: readonly string[]
  /** The last words of the labels of columns with figures. */
  readonly labels: readonly string[]
  /** Rows that are worth telling: the first few, the last, and the ends of each figure. */
  readonly rows: readonly number[]
}

/** Rows from the top that a headline may be about. */
const FIRST_ROWS = 5

const MOST_ROWS = 9

/** Rows whose names are known, so that no figure of another row is given to them. */
const MOST_NAMED_ROWS = 2_000

/** Gathers the facts of a result: its cells as they are shown, counts, totals, shares, and what code has said of it. */
export const headlineFacts = (source: HeadlineSource): HeadlineFacts => {
  const { table, composed, question } = source
  const figures = table.columns.flatMap((column, at) => (isFigure(column, table, at) ? [at] : []))
  const keys = table.columns.flatMap((_, at) => (figures.includes(at) ? [] : [at]))
  const rows = tellingRows(table, figures)
  const names = table.rows.slice(0, MOST_NAMED_ROWS).flatMap((_, row) => namesOfRow(table, keys, row))
  const bound = rows.flatMap(row =>
    figuresOfRow(
      source,
      figures,
      row,
      names.some(name => name.row === row),
    ),
  )
  const known = [...bound, ...figuresOfAll(source, figures)]
  const composedFigures = readNumbers(composed)
    .figures.map(figure => ({ ...asFact(figure, null), isComposed: true }))
    .filter(one => !known.some(fact => isSameFigure(one, fact)))
  // A headline that was composed from a description says itself which names and periods of the question count.
  const said = source.subject === null ? [composed, question] : [composed]
  const moments = figures.flatMap(at => rows.flatMap(row => cellTexts(table, row, at)))
  const labels = table.columns.map(headingOf)
  const cells = rows.flatMap(row => keys.flatMap(at => cellTexts(table, row, at)))
  return {
    rows,
    names,
    labels: figures.flatMap(at => labelOf(table.columns[at]) ?? []),
    figures: [...known, ...composedFigures, ...askedFigures(question)],
    dates: [...said, ...cells, ...moments].flatMap(text => readNumbers(text).dates),
    texts: [...said, ...labels, ...cells],
  }
}

const isFigure = ({ meaning, kind }: ResultColumn, { rows }: ResultTable, at: number): boolean =>
  meaning
    ? meaning.role.kind === 'figure'
    : kind === 'integer' ||
      kind === 'number' ||
      rows.some(row => typeof row[at] === 'number' || typeof row[at] === 'bigint')

const numberOf = (cell: Cell | undefined): number | null => {
  if (cell == null || cell === '' || typeof cell === 'boolean' || cell instanceof Uint8Array) return null
  const number = Number(cell)
  return Number.isFinite(number) ? number : null
}

const tellingRows = ({ rows }: ResultTable, figures: readonly number[]): readonly number[] => {
  const all = rows.map((_, row) => row)
  const ends = figures.flatMap(at => {
    const valued = all.flatMap(row => {
      const value = numberOf(rows[row]?.[at])
      return value === null ? [] : [{ row, value }]
    })
    const sorted = valued.toSorted((a, b) => b.value - a.value)
    return [sorted[0], sorted.at(-1)].flatMap(end => end?.row ?? [])
  })
  return [...new Set([...all.slice(0, FIRST_ROWS), ...all.slice(-1), ...ends])].slice(0, MOST_ROWS)
}

/** A cell as it is shown, and as it is stored. */
const cellTexts = ({ columns, rows }: ResultTable, row: number, at: number): readonly string[] => {
  const cell = rows[row]?.[at] ?? null
  const column = columns[at]
  if (cell === null || column === undefined || cell instanceof Uint8Array) return []
  const shown = formatMeant(cell, column) ?? formatCell(cell, { grouped: true, kind: column.kind })
  return [...new Set([shown, String(cell)])]
}

const namesOfRow = (table: ResultTable, keys: readonly number[], row: number): readonly RowName[] => {
  const dated = keys.flatMap((at): readonly RowName[] => {
    const role = table.columns[at]?.meaning?.role
    const cell = String(table.rows[row]?.[at] ?? '')
    const text = role?.kind === 'period' ? formatPeriod(cell, role.grain) : null
    const dates = (text === null ? cellTexts(table, row, at) : [text]).flatMap(one => readNumbers(one).dates)
    return dates.length === 0 ? [] : [{ text: '', dates: dates.slice(0, 1), row }]
  })
  const worded = keys
    .flatMap(at => cellTexts(table, row, at))
    .filter(text => /\p{L}/u.test(text) && readNumbers(text).dates.length === 0)
    .map(text => ({ text, dates: [], row }))
  return [...worded, ...dated]
}

const labelOf = (column: ResultColumn | undefined): string | undefined =>
  column && wordsOf(headingOf(column)).at(-1)

/** The exact figure of a cell, and the figure as it is shown, which may be in a smaller unit. */
const figuresOfCell = (
  cell: Cell | undefined,
  column: ResultColumn | undefined,
  rows: FactFigure['rows'],
): readonly FactFigure[] => {
  const number = numberOf(cell)
  if (number === null || column === undefined) return []
  const role = column.meaning?.role
  const isChange = role?.kind === 'figure' && (role.of === 'growth' || role.of === 'change')
  const shown = readNumbers(formatMeant(number, column) ?? formatCell(number, { grouped: true })).figures[0]
  const value = scaleFigure(number, column.meaning?.unit ?? null)
  const label = labelOf(column)
  const own = { isChange, ...(label !== undefined && { label }) }
  const exact = { value, step: 0, unit: shown?.unit ?? '', rows, ...own }
  // A time below one hour is shown in minutes.
  const isConverted = shown !== undefined && Math.abs(shown.value - Math.abs(value)) > shown.step
  return [...(isConverted ? [{ ...asFact(shown, rows), ...own }] : [exact])]
}

const figuresOfRow = (
  { table, subject }: HeadlineSource,
  figures: readonly number[],
  row: number,
  isNamed: boolean,
): readonly FactFigure[] => {
  const isOnly = table.rows.length === 1
  if (!isOnly && !isNamed) return []
  const rows = isOnly ? null : new Set([row])
  return figures.flatMap(at => {
    const column = table.columns[at]
    const whole = isOnly ? null : totalOf(table, subject, at)
    const part = numberOf(table.rows[row]?.[at])
    const share =
      whole === null || part === null
        ? []
        : [{ value: (part / whole) * 100, step: 0, unit: '%', rows, isChange: false }]
    return [...figuresOfCell(table.rows[row]?.[at], column, rows), ...share]
  })
}

/** Words for the rows of any result. */
const rowWords = ['row', 'rows', 'result', 'results']

const totalWords = ['of', 'total', 'totaling', 'totaled', 'sum']

/** How many rows there are, and the total of what can be added up. */
const figuresOfAll = (
  { table, subject }: HeadlineSource,
  figures: readonly number[],
): readonly FactFigure[] => {
  const labels = table.columns.filter((_, at) => !figures.includes(at)).map(headingOf)
  const nouns = [subject?.rowsOf, subject?.groupsOf].flatMap(noun =>
    noun ? [noun.singular, noun.plural] : [],
  )
  const named = [...labels.flatMap(label => [label, `${label}s`]), ...nouns].map(
    text => wordsOf(text).at(-1) ?? '',
  )
  const count = { value: table.rows.length, step: 0, unit: '', rows: null, isChange: false }
  return [
    ...(table.truncated === null ? [{ ...count, before: [...rowWords, ...named] }] : []),
    ...figures
      .flatMap(at => figuresOfCell(totalOf(table, subject, at), table.columns[at], null))
      .map(total => ({ ...total, behind: totalWords })),
  ]
}

/** The total of a column; null if its rows are not all there is, or are nothing to add up. */
const totalOf = (table: ResultTable, subject: AnswerSubject | null, at: number): number | null => {
  const role = table.columns[at]?.meaning?.role
  if (role?.kind !== 'figure' || !role.isAdditive || table.truncated || subject === null) return null
  if (subject.limit !== null || table.rows.length < 2) return null
  const values = table.rows.map(row => numberOf(row[at]) ?? 0)
  const total = values.reduce((sum, value) => sum + value, 0)
  return total > 0 && values.every(value => value >= 0) ? total : null
}

const asFact = ({ value, step, unit, isNegative }: ShownFigure, rows: FactFigure['rows']): FactFigure => ({
  ...{ value: isNegative ? -value : value, step, unit, rows, isChange: false },
})

const isSameFigure = (shown: FactFigure, fact: FactFigure): boolean =>
  shown.unit === fact.unit && Math.abs(Math.abs(shown.value) - Math.abs(fact.value)) <= shown.step / 2

const askedFigures = (question: string): readonly FactFigure[] =>
  readNumbers(question).figures.map(figure => ({
    ...asFact(figure, null),
    behind: [wordBefore(question, figure.at)],
  }))

/** The words of a text, folded. */
export const wordsOf = (text: string): readonly string[] =>
  (text.match(/[\p{L}\p{N}'’-]+/gu) ?? []).map(word => foldText(word).trim()).filter(Boolean)

/** The word before a number, which says what it is a number of: `over 100`, `top 5`. Empty at the beginning. */
export const wordBefore = (sentence: string, at: number): string =>
  /[.!?:;·]\s*$/.test(sentence.slice(0, at)) ? '' : (wordsOf(sentence.slice(0, at)).at(-1) ?? '')

/** Whether one of the words follows a number: `11 large orders`. */
export const isBefore = (text: string, words: readonly string[]): boolean =>
  wordsOf(text)
    .slice(1, 4)
    .some(word => words.includes(word))
