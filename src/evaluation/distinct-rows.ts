import type { ResultTable } from '../core/result.ts'
import { canonicalValue } from './canonical-value.ts'

/** The distinct rows of a result, by column: equal numbers stand for equal values. Order of first appearance. */
export interface DistinctRows {
  readonly rowCount: number
  readonly columns: readonly Int32Array[]
  /** One key a row, equal for rows with equal values in equal places. */
  readonly keys: ReadonlySet<string>
}

/** Two results under one numbering of their values, so that comparing them is comparing small whole numbers. */
export const distinctRows = (a: ResultTable, b: ResultTable): [DistinctRows, DistinctRows] => {
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
