import type { ResultTable } from '../core/result.ts'
import type { DistinctRows } from './distinct-rows.ts'
import { distinctRows } from './distinct-rows.ts'

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

/** Splits the classes on both sides by one more column each; null when the new classes differ in size. */
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
