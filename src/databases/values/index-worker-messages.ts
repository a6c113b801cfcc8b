import type { IndexedColumn, ValueIndexData } from './value-index-data.ts'

/**
 * What the thread that indexes values is told: columns, each followed by its values in parts, and then to
 * build an index of them, or to bring an old one up to date with them.
 */
export type ToIndexWorker =
  | ({ readonly kind: 'column' } & IndexedColumn)
  | ({ readonly kind: 'values' } & Pick<ValueIndexData, 'textBytes' | 'textEnds'>)
  | { readonly kind: 'build'; readonly old: OldIndex | null }

/** An index that is to be brought up to date, and whether each of its columns still holds what it held. */
export interface OldIndex {
  readonly data: ValueIndexData
  readonly kept: readonly boolean[]
}

/** What it says. `share` is from 0 to 1. */
export type FromIndexWorker =
  | { readonly kind: 'progress'; readonly share: number }
  | { readonly kind: 'built'; readonly data: ValueIndexData }
