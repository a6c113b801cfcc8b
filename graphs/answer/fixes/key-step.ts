import type { Catalog, KeySide } from '../../../src/core/catalog.ts'

/** One join along a foreign key: the columns that are equal, whichever way the key points. */
export type ForeignKeyJoin = readonly { readonly from: string; readonly to: string }[]

/** The one key that leads from one table to another; null when there is none, or more than one. */
export const foreignKeyJoin = (from: string, to: string, { foreignKeys }: Catalog): ForeignKeyJoin | null => {
  const steps = foreignKeys.flatMap(key => [
    ...(key.from.table === from && key.to.table === to ? [stepOf(key.from, key.to)] : []),
    ...(key.to.table === from && key.from.table === to ? [stepOf(key.to, key.from)] : []),
  ])
  // A key may be declared and derived too.
  const different = [...new Map(steps.map(step => [JSON.stringify(step), step])).values()]
  return different.length === 1 ? (different[0] ?? null) : null
}

const stepOf = (own: KeySide, other: KeySide): ForeignKeyJoin =>
  own.columns.map((from, at) => ({ from, to: other.columns[at] ?? '' }))
