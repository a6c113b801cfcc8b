import type { DigestFinding } from '../core/digest-run.ts'
import type { ResultColumn, ResultTable, ValueKind } from '../core/result.ts'
import { diceWith } from '../lib/dice-with.ts'

/** What is known of the results that a statement gave. */
export interface PastResult {
  /** Its columns, and how many rows it had; null where nobody looked. */
  readonly shape: { readonly columns: readonly ResultColumn[]; readonly rows: number } | null
  /** What the last run that was told found; null where there was none. */
  readonly finding: DigestFinding | null
}

/** What each sign weighs; those of which nothing is known weigh nothing. */
const weights = { kinds: 3, names: 1, rows: 1, keys: 2, same: 1, value: 1 } as const

/** How much a result looks like those before it, from 0 to 1; null where nothing of them is known. Pure. */
export const resultLikeness = (
  before: PastResult,
  now: { readonly table: ResultTable; readonly finding: DigestFinding },
): number | null => {
  const { shape, finding } = before
  const signs = [
    ...(shape ? shapeSigns(shape, now.table) : []),
    ...(finding ? findingSigns(finding, now.finding) : []),
  ]
  const weight = signs.reduce((sum, sign) => sum + sign.weight, 0)
  return weight === 0 ? null : signs.reduce((sum, sign) => sum + sign.weight * sign.likeness, 0) / weight
}

interface Sign {
  readonly weight: number
  readonly likeness: number
}

const shapeSigns = (shape: NonNullable<PastResult['shape']>, table: ResultTable): readonly Sign[] => {
  const [before, now] = [shape.columns, table.columns]
  const alike = before.filter((column, at) => familyOf(column.kind) === familyOf(now[at]?.kind)).length
  const namesOf = (columns: readonly ResultColumn[]) => columns.map(({ name }) => name.toLowerCase())
  return [
    { weight: weights.kinds, likeness: alike / Math.max(1, before.length, now.length) },
    { weight: weights.names, likeness: diceWith(namesOf(before))(namesOf(now)) },
    { weight: weights.rows, likeness: ratio(shape.rows, table.rows.length) },
  ]
}

const findingSigns = (before: DigestFinding, now: DigestFinding): readonly Sign[] => {
  if (before.kind === 'number' || now.kind === 'number')
    return before.kind === 'number' && now.kind === 'number'
      ? [{ weight: weights.value, likeness: ratio(Math.abs(before.value), Math.abs(now.value)) }]
      : [{ weight: weights.value, likeness: 0 }]
  return [
    { weight: weights.rows, likeness: ratio(before.rows.length, now.rows.length) },
    {
      weight: weights.keys,
      likeness: diceWith(before.rows.map(({ key }) => key))(now.rows.map(({ key }) => key)),
    },
    {
      weight: weights.same,
      likeness: diceWith(before.rows.map(({ row }) => row))(now.rows.map(({ row }) => row)),
    },
  ]
}

const ratio = (one: number, other: number): number => (Math.min(one, other) + 1) / (Math.max(one, other) + 1)

/** Drivers tell whole numbers and others apart by what they see; days by whether they have a time. */
const familyOf = (kind: ValueKind | undefined): string => {
  if (kind === 'integer' || kind === 'number') return 'number'
  return kind === 'date' || kind === 'timestamp' ? 'day' : (kind ?? 'none')
}
