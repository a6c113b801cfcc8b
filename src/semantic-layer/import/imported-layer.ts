import type { SemanticLayer } from '../../domain/metrics/semantic-layer.ts'

/** A file of another tool. */
export interface SourceFile {
  readonly name: string
  readonly text: string
}

/** A layer made from files of another tool. Every item of the files is either in `translated` or in `skipped`. */
export interface ImportedLayer {
  readonly layer: SemanticLayer
  readonly translated: readonly ImportedItem[]
  readonly skipped: readonly SkippedItem[]
}

/** Something that the files define: a model, dimension, measure, metric, join, segment and so on. */
export interface ImportedItem {
  /** The tool's own word for it: `measure`, `dimension group`. */
  readonly kind: string
  /** As in the files, with its model: `orders.total_revenue`. */
  readonly name: string
  /** What is different from the source, in a sentence; null if nothing is. */
  readonly note: string | null
}

/** An item that has no counterpart. */
export interface SkippedItem {
  readonly kind: string
  readonly name: string
  /** Why, and what to do about it. */
  readonly why: string
}

/** Why an item cannot be translated; the message is for people. */
export class UntranslatableError extends Error {
  override readonly name = 'UntranslatableError'
}

/** Stops the translation of one item. */
export const untranslatable = (why: string): never => {
  throw new UntranslatableError(why)
}
