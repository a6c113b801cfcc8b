import { createHash } from 'node:crypto'
import type { DigestCondition, DigestFinding, FindingChange } from '../domain/digests/digest.ts'
import type { Cell, ResultColumn, ResultTable, ValueKind } from '../domain/result.ts'
import { diceSimilarityTo } from '../lib/dice-similarity.ts'

/** Rows compared one by one; for larger results only a difference can be reported. */
const MAX_ROWS = 5_000

const HASH_LENGTH = 16

/** Extracts from a result what is compared with the next one. */
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

/** The single cell, or the first numeric column of the first row. */
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

/**
 * The columns that identify rows: the first column with all-distinct values, texts and days first; otherwise all
 * columns.
 */
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

/** Compares two runs. `before` is null for the first run. */
export const compareFindings = (before: DigestFinding | null, now: DigestFinding): FindingChange => {
  if (before === null) return { kind: 'first' }
  if (before.kind === 'number' && now.kind === 'number') {
    if (before.value === now.value) return { kind: 'same' }
    return {
      kind: 'number',
      before: before.value,
      now: now.value,
      percent: before.value === 0 ? null : ((now.value - before.value) / Math.abs(before.value)) * 100,
    }
  }
  const change = compareRows(rowsOf(before), rowsOf(now))
  // Rows that a cap cut may be the ones that were added or removed.
  return change.kind === 'rows' && !(isComplete(before) && isComplete(now)) ? { kind: 'differs' } : change
}

const isComplete = (finding: DigestFinding): boolean => finding.kind === 'number' || finding.complete

type FindingRows = readonly { readonly key: string; readonly row: string }[]

/** A number that became a table, or the reverse, counts as other rows. */
const rowsOf = (finding: DigestFinding): FindingRows =>
  finding.kind === 'rows' ? finding.rows : [{ key: 'number', row: String(finding.value) }]

/** Rows can repeat: among equal keys, each row is matched at most once. */
const compareRows = (before: FindingRows, now: FindingRows): FindingChange => {
  const left = new Map<string, string[]>()
  for (const { key, row } of before) left.set(key, [...(left.get(key) ?? []), row])
  const unmatched = now.filter(({ key, row }) => !takeRow(left, key, row))
  const changed = unmatched.filter(({ key }) => takeKey(left, key)).length
  const added = unmatched.length - changed
  const removed = [...left.values()].reduce((sum, rows) => sum + rows.length, 0)
  return added + removed + changed === 0 ? { kind: 'same' } : { kind: 'rows', added, removed, changed }
}

const takeRow = (left: ReadonlyMap<string, string[]>, key: string, row: string): boolean => {
  const rows = left.get(key)
  const index = rows?.indexOf(row) ?? -1
  if (!rows || index < 0) return false
  rows.splice(index, 1)
  return true
}

const takeKey = (left: ReadonlyMap<string, string[]>, key: string): boolean =>
  left.get(key)?.pop() !== undefined

/**
 * Whether one question's result is a reason to post the run. The first run has nothing to compare with and is posted,
 * so that people know the starting point. A condition on a number is not met without a number.
 */
export const meetsCondition = (
  condition: DigestCondition,
  now: DigestFinding,
  { change, before }: { readonly change: FindingChange; readonly before: DigestFinding | null },
): boolean => {
  switch (condition.kind) {
    case 'always':
      return true
    case 'changed':
      return change.kind !== 'same'
    case 'above':
      return now.value !== null && now.value > condition.value
    case 'below':
      return now.value !== null && now.value < condition.value
    case 'moved':
      return before === null || movedBy(before.value, now.value) >= condition.percent
    default: {
      const never: never = condition
      return never
    }
  }
}

/** In percent, without a sign. A change from zero exceeds any percentage. */
const movedBy = (before: number | null, now: number | null): number => {
  if (before === null || now === null) return before === now ? 0 : Number.POSITIVE_INFINITY
  if (before === now) return 0
  return before === 0 ? Number.POSITIVE_INFINITY : (Math.abs(now - before) / Math.abs(before)) * 100
}

/** What is known about the earlier results of a statement. */
interface PastResult {
  /** Its columns and row count; null if unknown. */
  readonly shape: { readonly columns: readonly ResultColumn[]; readonly rows: number } | null
  /** Finding of the last posted run; null if there is none. */
  readonly finding: DigestFinding | null
}

/** Weight of each signal; unknown ones weigh nothing. */
const signalWeights = { kinds: 3, names: 1, rows: 1, keys: 2, same: 1, value: 1 } as const

/** How similar a result is to the earlier ones, 0 to 1; null if nothing is known about them. Pure. */
export const resultSimilarity = (
  before: PastResult,
  now: { readonly table: ResultTable; readonly finding: DigestFinding },
): number | null => {
  const { shape, finding } = before
  const signs = [
    ...(shape ? shapeSignals(shape, now.table) : []),
    ...(finding ? findingSignals(finding, now.finding) : []),
  ]
  const weight = signs.reduce((sum, sign) => sum + sign.weight, 0)
  return weight === 0 ? null : signs.reduce((sum, sign) => sum + sign.weight * sign.likeness, 0) / weight
}

interface SimilaritySignal {
  readonly weight: number
  readonly likeness: number
}

const shapeSignals = (
  shape: NonNullable<PastResult['shape']>,
  table: ResultTable,
): readonly SimilaritySignal[] => {
  const [before, now] = [shape.columns, table.columns]
  const alike = before.filter((column, at) => familyOf(column.kind) === familyOf(now[at]?.kind)).length
  const namesOf = (columns: readonly ResultColumn[]) => columns.map(({ name }) => name.toLowerCase())
  return [
    { weight: signalWeights.kinds, likeness: alike / Math.max(1, before.length, now.length) },
    { weight: signalWeights.names, likeness: diceSimilarityTo(namesOf(before))(namesOf(now)) },
    { weight: signalWeights.rows, likeness: ratio(shape.rows, table.rows.length) },
  ]
}

const findingSignals = (before: DigestFinding, now: DigestFinding): readonly SimilaritySignal[] => {
  if (before.kind === 'number' || now.kind === 'number')
    return before.kind === 'number' && now.kind === 'number'
      ? [{ weight: signalWeights.value, likeness: ratio(Math.abs(before.value), Math.abs(now.value)) }]
      : [{ weight: signalWeights.value, likeness: 0 }]
  return [
    { weight: signalWeights.rows, likeness: ratio(before.rows.length, now.rows.length) },
    {
      weight: signalWeights.keys,
      likeness: diceSimilarityTo(before.rows.map(({ key }) => key))(now.rows.map(({ key }) => key)),
    },
    {
      weight: signalWeights.same,
      likeness: diceSimilarityTo(before.rows.map(({ row }) => row))(now.rows.map(({ row }) => row)),
    },
  ]
}

const ratio = (one: number, other: number): number => (Math.min(one, other) + 1) / (Math.max(one, other) + 1)

/** Drivers tell integers from decimals, and days from timestamps, only by the values they see. */
const familyOf = (kind: ValueKind | undefined): string => {
  if (kind === 'integer' || kind === 'number') return 'number'
  return kind === 'date' || kind === 'timestamp' ? 'day' : (kind ?? 'none')
}
