import { createHash } from 'node:crypto'
import type { Cell, ResultKey, ResultTable, ValueKind } from '../domain/result.ts'

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

/**
 * A hash that two results share when they hold the same set of rows with the columns in the same order: what tells
 * the members of one execution group apart. Row order and repeated rows do not count.
 */
export const columnsKey = (table: ResultTable): string => {
  const rows = table.rows.map(row =>
    row.map((cell, i) => canonicalCell(cell, table.columns[i]?.kind ?? 'unknown')).join('\u0001'),
  )
  const hash = createHash('sha256').update(table.rows.length === 0 ? '' : `${table.columns.length}`)
  for (const row of [...new Set(rows)].sort()) hash.update('\u0002').update(row)
  return hash.digest('hex').slice(0, 32)
}

/**
 * A cell as text that is equal for equal values: 1, 1.0, 1n and true meet, the text '1' stays apart, and doubles
 * are cut at 12 significant digits because two plans may add the same numbers in another order. Decimals that no
 * double holds come as text in a column of numbers, and are numbers here.
 */
export const canonicalCell = (cell: Cell, kind: ValueKind): string => {
  if (cell === null) return 'null'
  if (typeof cell === 'boolean') return cell ? 'n:1' : 'n:0'
  if (typeof cell === 'bigint') return `n:${cell}`
  if (typeof cell === 'number') return `n:${canonicalNumber(cell)}`
  if (typeof cell === 'string') {
    const isDecimal = kind === 'number' && /^-?\d+\.\d+$/.test(cell)
    return isDecimal ? `n:${canonicalNumber(Number(cell))}` : `t:${cell}`
  }
  return `b:${Buffer.from(cell).toString('hex')}`
}

const canonicalNumber = (value: number): string =>
  Number.isSafeInteger(value) ? String(value === 0 ? 0 : value) : String(Number(value.toPrecision(12)))
