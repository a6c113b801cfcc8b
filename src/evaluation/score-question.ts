import type { Cell, ResultTable, ValueKind } from '../domain/result.ts'
import type { RunStatement, SystemAnswer } from './evaluation-database.ts'
import { sameRows, sameRowsAnyColumnOrder, softF1 } from './execution-accuracy.ts'
import type { QuestionLine } from './questions-file.ts'

/** Scores of one answerable question. Without an answer all are wrong but the oracle. */
interface Scores {
  readonly ex: boolean
  readonly exAnyOrder: boolean
  readonly softF1: number
  readonly oracle: boolean
  /** R-VES's square root of the reward, 0 for a wrong answer; null if it is not measured. */
  readonly rves: number | null
  readonly error: string | null
  readonly goldError: string | null
}

/**
 * Scores an answer against the gold and its alternatives: right if it equals any of them. Golds run here too,
 * because rows of another day prove nothing. A gold that does not run is reported; with none left all is wrong.
 */
export const scoreQuestion = async (
  line: QuestionLine,
  asked: Pick<SystemAnswer, 'sql' | 'shownSql' | 'candidates'>,
  {
    run,
    oracleOver,
    timing = null,
  }: {
    readonly run: RunStatement
    readonly oracleOver: number
    /** Runs statements again each time, for R-VES. */
    readonly timing?: { readonly run: RunStatement; readonly runs: number } | null
  },
): Promise<Scores> => {
  const { golds, goldError } = await runGolds(line, run)
  const isSame = line.match === 'contains' ? coversRows : sameRows
  const isRight = async (sql: string) => {
    const ran = await run(sql)
    return 'table' in ran && golds.some(gold => isSame(ran.table, gold.table))
  }
  const judged = line.match === 'contains' ? (asked.shownSql ?? asked.sql) : asked.sql
  const answer = judged === null ? null : await run(judged)
  const table = answer && 'table' in answer ? answer.table : null
  const met = table === null ? undefined : golds.find(gold => isSame(table, gold.table))
  const ex = met !== undefined
  return {
    ex,
    exAnyOrder: ex || (table !== null && golds.some(gold => sameRowsAnyColumnOrder(table, gold.table))),
    softF1: table === null ? 0 : Math.max(0, ...golds.map(gold => softF1(table, gold.table))),
    oracle: golds.length > 0 && (await anyOf(asked.candidates.slice(0, oracleOver), isRight)),
    rves: timing && (await timeAgainstGold(asked.sql, met, timing)),
    error: answer && 'error' in answer ? answer.error : null,
    goldError,
  }
}

interface Gold {
  readonly sql: string
  readonly table: ResultTable
}

/** Measured against the gold that the answer met: an alternative may be written quite otherwise. */
const timeAgainstGold = async (
  sql: string | null,
  met: Gold | undefined,
  timing: { readonly run: RunStatement; readonly runs: number },
): Promise<number> =>
  sql === null || met === undefined ? 0 : rewardedEfficiency({ sql, gold: met.sql }, timing)

export const runGolds = async (
  line: QuestionLine,
  run: RunStatement,
): Promise<{ golds: Gold[]; goldError: string | null }> => {
  const golds: Gold[] = []
  let goldError: string | null = null
  for (const sql of [line.gold, ...line.alternatives]) {
    if (sql === null) continue
    const ran = await run(sql)
    if ('table' in ran) golds.push({ sql, table: ran.table })
    else goldError ??= ran.error
  }
  return { golds, goldError }
}

/** One at a time, stopping at the first: candidates may be slow, and the first one is right most often. */
const anyOf = async (
  items: readonly string[],
  test: (item: string) => Promise<boolean>,
): Promise<boolean> => {
  for (const item of items) if (await test(item)) return true
  return false
}

/** BIRD runs each pair a hundred times. */
export const RVES_RUNS = 100

/** Ratios further from the mean than so many standard deviations are taken for disturbances (BIRD's own rule). */
const OUTLIER = 3

/**
 * R-VES of one right answer (BIRD mini-dev, `evaluation_ves.py`): how many times as fast as the gold it is, over `runs`
 * alternating pairs without outliers, turned into a reward, of which the square root is taken. 0 when a run fails.
 */
export const rewardedEfficiency = async (
  pair: { readonly sql: string; readonly gold: string },
  { run, runs = RVES_RUNS }: { readonly run: RunStatement; readonly runs?: number },
): Promise<number> => {
  const ratios: number[] = []
  for (let i = 0; i < runs; i++) {
    const answer = tableOf(await run(pair.sql))
    const gold = tableOf(await run(pair.gold))
    if (answer === null || gold === null) return 0
    ratios.push(Math.max(gold.milliseconds, SHORTEST_MS) / Math.max(answer.milliseconds, SHORTEST_MS))
  }
  return Math.sqrt(speedReward(meanWithoutOutliers(ratios)))
}

/** Below a microsecond there is nothing left to be measured. */
const SHORTEST_MS = 0.001

const tableOf = (ran: Awaited<ReturnType<RunStatement>>): ResultTable | null =>
  'table' in ran ? ran.table : null

/** BIRD's steps: twice as fast as the gold earns a quarter more, twice as slow costs a quarter. */
export const speedReward = (ratio: number): number => {
  if (ratio >= 2) return 1.25
  if (ratio >= 1) return 1
  if (ratio >= 0.5) return 0.75
  return ratio >= 0.25 ? 0.5 : 0.25
}

const meanWithoutOutliers = (numbers: readonly number[]): number => {
  const mean = average(numbers)
  const deviation = Math.sqrt(average(numbers.map(number => (number - mean) ** 2)))
  const kept = numbers.filter(number => Math.abs(number - mean) <= OUTLIER * deviation)
  return kept.length > 0 ? average(kept) : mean
}

const average = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length

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
