import type { Cell, ResultTable, ValueKind } from '../domain/result.ts'

/**
 * Execution accuracy (EX) as BIRD defines it (Li et al. 2023, section 4.1): the sets of rows are equal. Row order,
 * duplicates and column names do not matter; column order does, and an extra column is wrong. Two empty results
 * are equal whatever their columns. Linear in the number of cells.
 */
export const sameRows = (a: ResultTable, b: ResultTable): boolean => {
  if (a.rows.length === 0 || b.rows.length === 0) return a.rows.length === b.rows.length
  if (a.columns.length !== b.columns.length) return false
  const [left, right] = distinctRows(a, b)
  return left.rowCount === right.rowCount && [...left.keys].every(key => right.keys.has(key))
}

/**
 * How much is tried before two results are called different, in rows looked at. Ordinary results need a few
 * tries; only results built to be hard (many columns alike in values and in pairs) come near it.
 */
const MAX_ROW_VISITS = 50_000_000

/** EX that also accepts the same rows under one and the same rearrangement of the columns. */
export const sameRowsAnyColumnOrder = (a: ResultTable, b: ResultTable): boolean => {
  if (a.rows.length === 0 || b.rows.length === 0) return a.rows.length === b.rows.length
  if (a.columns.length !== b.columns.length) return false
  const [left, right] = distinctRows(a, b)
  return left.rowCount === right.rowCount && findRearrangement(left, right)
}

/**
 * Looks for a one-to-one assignment of columns. Rows are kept in classes, those equal in the columns assigned so
 * far; a column fits when the classes that it splits have the same sizes on both sides. Rows are distinct, so
 * once all columns are assigned the sets of rows are equal.
 */
const findRearrangement = (left: DistinctRows, right: DistinctRows): boolean => {
  const partners = findPartners(left, right)
  const order = [...left.columns.keys()].sort((a, b) => partners[a]!.length - partners[b]!.length)
  const taken = new Set<number>()
  let visits = 0

  const assign = (depth: number, leftClasses: Int32Array, rightClasses: Int32Array): boolean => {
    const column = order[depth]
    if (column === undefined) return true
    const refused: Int32Array[] = []
    for (const partner of partners[column]!) {
      const values = right.columns[partner]!
      // A column with the same cells in the same rows as one that failed here would fail too.
      if (taken.has(partner) || refused.some(other => areEqual(other, values))) continue
      visits += left.rowCount
      if (visits > MAX_ROW_VISITS) return false
      const split = splitClasses(leftClasses, left.columns[column]!, rightClasses, values)
      if (split) {
        taken.add(partner)
        if (assign(depth + 1, split.left, split.right)) return true
        taken.delete(partner)
      }
      refused.push(values)
    }
    return false
  }
  return assign(0, new Int32Array(left.rowCount), new Int32Array(right.rowCount))
}

/** For each left column the right columns that hold the same values equally often. */
const findPartners = (left: DistinctRows, right: DistinctRows): number[][] => {
  const rightBags = right.columns.map(column => column.toSorted())
  return left.columns.map(column => {
    const bag = column.toSorted()
    return [...rightBags.keys()].filter(c => areEqual(bag, rightBags[c]!))
  })
}

/** Splits the classes on both sides by one more column each; null if the new classes differ in size. */
const splitClasses = (
  leftClasses: Int32Array,
  leftValues: Int32Array,
  rightClasses: Int32Array,
  rightValues: Int32Array,
): { left: Int32Array; right: Int32Array } | null => {
  const classOf = new Map<number, number>()
  const sizes: number[] = []
  const left = leftClasses.map((before, row) => {
    const key = keyOf(before, leftValues[row]!)
    const known = classOf.get(key) ?? classOf.size
    classOf.set(key, known)
    sizes[known] = (sizes[known] ?? 0) + 1
    return known
  })
  const right = new Int32Array(rightClasses.length)
  for (const [row, before] of rightClasses.entries()) {
    const known = classOf.get(keyOf(before, rightValues[row]!))
    if (known === undefined || --sizes[known]! < 0) return null
    right[row] = known
  }
  return { left, right }
}

/** Classes and values are below 2^26 each (a result of so many cells would not fit in memory): no two keys meet. */
const keyOf = (rowClass: number, value: number): number => rowClass * 2 ** 26 + value

const areEqual = (a: Int32Array, b: Int32Array): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index])

/**
 * Soft F1 as BIRD mini-dev computes it (`evaluation_f1.py`): duplicates dropped, rows paired by position, cells of
 * a pair compared whatever their column, and everything counted in shares of the gold's width. 1 for two empty
 * results. From 0 to 1.
 */
export const softF1 = (predicted: ResultTable, gold: ResultTable): number => {
  if (predicted.rows.length === 0 && gold.rows.length === 0) return 1
  const [left, right] = distinctRows(predicted, gold)
  const paired = Math.min(left.rowCount, right.rowCount)
  const width = gold.columns.length
  let matched = 0
  let onlyPredicted = left.rowCount - paired
  let onlyGold = right.rowCount - paired
  for (let row = 0; row < paired; row++) {
    const predictedCells = cellsOf(left, row)
    const goldCells = cellsOf(right, row)
    const found = predictedCells.filter(cell => goldCells.includes(cell)).length
    const missed = goldCells.filter(cell => !predictedCells.includes(cell)).length
    matched += found / width
    onlyPredicted += (predictedCells.length - found) / width
    onlyGold += missed / width
  }
  const precision = shareOf(matched, matched + onlyPredicted)
  const recall = shareOf(matched, matched + onlyGold)
  return shareOf(2 * precision * recall, precision + recall)
}

const cellsOf = (rows: DistinctRows, row: number): number[] => rows.columns.map(column => column[row]!)

const shareOf = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)

/** The distinct rows of a result, by column: equal numbers stand for equal values. Order of first appearance. */
interface DistinctRows {
  readonly rowCount: number
  readonly columns: readonly Int32Array[]
  /** One key a row, equal for rows with equal values in equal places. */
  readonly keys: ReadonlySet<string>
}

/** Two results under one numbering of their values, so that comparing them is comparing small whole numbers. */
const distinctRows = (a: ResultTable, b: ResultTable): [DistinctRows, DistinctRows] => {
  const numbers = new Map<number | string, number>()
  const numberOf = (value: number | string): number => {
    const known = numbers.get(value)
    if (known !== undefined) return known
    numbers.set(value, numbers.size)
    return numbers.size - 1
  }
  return [numberRows(a, numberOf), numberRows(b, numberOf)]
}

const numberRows = (table: ResultTable, numberOf: (value: number | string) => number): DistinctRows => {
  const keys = new Set<string>()
  const columns = table.columns.map(() => new Int32Array(table.rows.length))
  for (const row of table.rows) {
    const at = keys.size
    let key = ''
    for (let c = 0; c < columns.length; c++) {
      const number = numberOf(canonicalValue(row[c] ?? null, table.columns[c]!.kind))
      key += `${number},`
      // A repeated row is overwritten by the next one: `at` moves on only when the key is new.
      columns[c]![at] = number
    }
    keys.add(key)
  }
  return { rowCount: keys.size, columns: columns.map(column => column.subarray(0, keys.size)), keys }
}

/** Longest run of zeros that is written out; a decimal with more of them is compared as it was printed. */
const MAX_ZEROS = 5000

/**
 * A cell as a number or tagged text that is the same (as a key of a Map) exactly for cells that compare equal in
 * Python, where BIRD's scores are computed: 1, 1.0, 1n and true meet; the text '1' stays apart; NULL equals NULL.
 * Numbers are compared exactly; a double and a decimal meet when they print alike. A string in a column of
 * numbers is a decimal (core/result.ts). Dates are ISO text by the time they are here and compare as text.
 */
export const canonicalValue = (cell: Cell, kind: ValueKind): number | string => {
  if (cell === null) return '-'
  switch (typeof cell) {
    case 'boolean':
      return Number(cell)
    case 'number':
      return Number.isInteger(cell) && !Number.isSafeInteger(cell) ? `n${BigInt(cell)}` : cell
    case 'bigint':
      return Number.isSafeInteger(Number(cell)) ? Number(cell) : `n${cell}`
    case 'string':
      return kind === 'number' || kind === 'integer' ? canonicalDecimal(cell) : `t${cell}`
    default:
      return `b${Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('hex')}`
  }
}

const canonicalDecimal = (text: string): number | string => {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return `t${text}`
  const written = expandExponent(text)
  const double = Number(written)
  const isDouble = Number.isSafeInteger(double) || !Number.isInteger(double)
  return isDouble && expandExponent(String(double)) === written ? double : `n${written}`
}

/** A decimal without exponent, leading or trailing zeros. */
const expandExponent = (text: string): string => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/0+$/, '')
  const point = whole.length + Number(exponent)
  if (Math.abs(point) > MAX_ZEROS) return text
  const padded = point <= 0 ? `${'0'.repeat(1 - point)}${digits}` : digits.padEnd(point, '0')
  const at = Math.max(point, 1)
  const integer = padded.slice(0, at).replace(/^0+(?=\d)/, '')
  const rest = padded.slice(at)
  const size = rest === '' ? integer : `${integer}.${rest}`
  return sign === '-' && size !== '0' ? `-${size}` : size
}
