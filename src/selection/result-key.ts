import { createHash } from 'node:crypto'
import type { ResultKey, ResultTable } from '../core/result.ts'
import { canonicalCell } from './canonical-cell.ts'

/**
 * A hash that two results share when they are the same bag of rows, whatever the order of columns (and of rows,
 * unless `ordered`). Columns are not sorted but refined: each row is hashed over its cells as a bag, each column
 * over (row, cell) pairs, twice in turn, as graph colouring does; permuted columns then meet without trying
 * permutations, and columns with the same values in another pairing stay apart.
 */
export const resultKey: ResultKey = (table, { ordered }) => {
  const cells = table.rows.map(row =>
    row.map((cell, i) => canonicalCell(cell, table.columns[i]?.kind ?? 'unknown')),
  )
  let rowHashes = cells.map(() => '')
  let columnHashes = table.columns.map(() => '')
  for (let round = 0; round < 2; round++) {
    rowHashes = cells.map((row, r) =>
      digest([ordered ? String(r) : '', ...sorted(row.map((cell, c) => `${columnHashes[c]}\u0000${cell}`))]),
    )
    columnHashes = table.columns.map((_, c) =>
      digest(sorted(cells.map((row, r) => `${rowHashes[r]}\u0000${row[c]}`))),
    )
  }
  return digest([shapeOf(table), ...sorted(columnHashes), ...sorted(rowHashes)])
}

const shapeOf = (table: ResultTable): string => `${table.columns.length}x${table.rows.length}`

const sorted = (texts: readonly string[]): string[] => [...texts].sort()

const digest = (parts: readonly string[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\u0001')
  return hash.digest('hex').slice(0, 32)
}
