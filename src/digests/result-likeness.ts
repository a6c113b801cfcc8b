import type { DigestFinding } from '../core/digest-run.ts'
import type { ResultColumn, ResultTable, ValueKind } from '../core/result.ts'
import { diceSimilarityTo } from '../lib/dice-with.ts'

/** What is known of the results that a statement gave. */
export interface PastResult {
  /** Its columns, and how many rows it had; null where nobody looked. */
  readonly shape: { readonly columns: readonly ResultColumn[]; readonly rows: number } | null
  /** What the last run that was told found; null where there was none. */
  readonly finding: DigestFinding | null
}

/** What each sign weighs; those of which nothing is known weigh nothing. */
const signalWeights = { kinds: 3, names: 1, rows: 1, keys: 2, same: 1, value: 1 } as const

/** How much a result looks like those before it, from 0 to 1; null where nothing of them is known. Pure. */
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

/** Drivers tell whole numbers and others apart by what they see; days by whether they have a time. */
const familyOf = (kind: ValueKind | undefined): string => {
  if (kind === 'integer' || kind === 'number') return 'number'
  return kind === 'date' || kind === 'timestamp' ? 'day' : (kind ?? 'none')
}
