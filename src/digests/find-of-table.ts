import { createHash } from 'node:crypto'
import type { DigestFinding } from '../core/digest-run.ts'
import type { Cell, ResultTable } from '../core/result.ts'

/** Rows of a result that are told apart from those of the next; of the others only that they differ can be said. */
const MAX_ROWS = 5_000
const HASH_LENGTH = 16

/** Takes from a result what it takes to compare it with the next. */
export const findingOfTable = (table: ResultTable): DigestFinding => {
  const value = firstNumber(table)
  if (table.columns.length === 1 && table.rows.length === 1 && value !== null)
    return { kind: 'number', value }
  const rows = table.rows.slice(0, MAX_ROWS)
  const others = table.rows.slice(MAX_ROWS)
  const keys = keyColumns({ ...table, rows })
  return {
    kind: 'rows',
    complete: table.truncated === null && others.length === 0,
    value,
    rows: [
      ...rows.map(row => ({ key: hashOf(keys.map(index => row[index] ?? null)), row: hashOf(row) })),
      ...(others.length > 0 ? [{ key: 'others', row: hashOf(others.map(hashOf)) }] : []),
    ],
  }
}

/** The one cell, or the first numeric column of the first row. */
const firstNumber = ({ columns, rows }: ResultTable): number | null => {
  const [first] = rows
  if (!first) return null
  const index = columns.findIndex(
    (column, i) => isNumeric(column.kind) && numberOf(first[i] ?? null) !== null,
  )
  if (index >= 0) return numberOf(first[index] ?? null)
  return columns.length === 1 ? numberOf(first[0] ?? null) : null
}

const isNumeric = (kind: string): boolean => kind === 'integer' || kind === 'number'

const numberOf = (cell: Cell): number | null => {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : null
  if (typeof cell === 'bigint') return Number(cell)
  if (typeof cell !== 'string' || !/^-?\d+(\.\d+)?$/.test(cell)) return null
  return Number(cell)
}

/** What tells the rows apart: the first column whose values are all different, texts and days first; else all of them. */
const keyColumns = ({ columns, rows }: ResultTable): readonly number[] => {
  const every = columns.map((_, index) => index)
  const labels = every.filter(index => !isNumeric(columns[index]?.kind ?? 'unknown'))
  const isKey = (indexes: readonly number[]): boolean =>
    indexes.length > 0 &&
    new Set(rows.map(row => hashOf(indexes.map(i => row[i] ?? null)))).size === rows.length
  const single = labels.find(index => isKey([index]))
  if (single !== undefined) return [single]
  if (isKey(labels)) return labels
  return every
}

const hashOf = (cells: readonly Cell[]): string =>
  createHash('sha256')
    .update(JSON.stringify(cells.map(serializeCell)))
    .digest('hex')
    .slice(0, HASH_LENGTH)

const serializeCell = (cell: Cell): unknown => {
  if (typeof cell === 'bigint') return { n: String(cell) }
  if (cell instanceof Uint8Array) return { b: Buffer.from(cell).toString('base64') }
  return cell
}
