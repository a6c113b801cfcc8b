import type { Catalog, ForeignKey } from '../../../src/core/catalog.ts'

/** One join along a foreign key: the table it leads to, and the columns that are equal. */
export interface KeyStep {
  readonly table: string
  readonly pairs: readonly { readonly from: string; readonly to: string }[]
}

/**
 * The joins that lead from one table to another along foreign keys, whichever way they point: one, or two over a third
 * table. Null when there is none, or more than one of the shortest.
 */
export const keySteps = (from: string, to: string, { foreignKeys }: Catalog): readonly KeyStep[] | null => {
  const direct = stepsFrom(from, foreignKeys).filter(step => step.table === to)
  if (direct.length > 0) return direct.length === 1 ? direct : null
  const over = stepsFrom(from, foreignKeys).flatMap(first =>
    first.table === from
      ? []
      : stepsFrom(first.table, foreignKeys)
          .filter(second => second.table === to)
          .map(second => [first, second]),
  )
  return over.length === 1 ? (over[0] ?? null) : null
}

const stepsFrom = (table: string, keys: readonly ForeignKey[]): readonly KeyStep[] => {
  const steps = keys.flatMap(({ from, to }) => [
    ...(from.table === table ? [stepOf(from.columns, to)] : []),
    ...(to.table === table ? [stepOf(to.columns, from)] : []),
  ])
  // A key may be declared and derived too.
  return [...new Map(steps.map(step => [JSON.stringify(step), step])).values()]
}

const stepOf = (columns: readonly string[], other: ForeignKey['to']): KeyStep => ({
  table: other.table,
  pairs: columns.map((from, at) => ({ from, to: other.columns[at] ?? '' })),
})
