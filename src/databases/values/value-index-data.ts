/** A column whose values are indexed. */
export interface IndexedColumn {
  readonly table: string
  readonly column: string
}

/**
 * The inverted lists of up to 65,536 texts that follow one another. `trigrams` are sorted; the texts that hold
 * `trigrams[i]` are `members[starts[i]]` to `members[starts[i + 1] - 1]`, counted from the block's first text.
 * Sixteen bits are enough for a member, and the counters of one block stay in the processor's cache.
 */
export interface TrigramBlock {
  readonly trigrams: Uint32Array
  readonly starts: Uint32Array
  readonly members: Uint16Array
}

/**
 * The whole index as plain typed arrays, so that it is stored and loaded without being parsed. Texts are different
 * from one another as written; each has the columns it occurs in (`owners`, from `ownerStarts[text]`). After a
 * refresh some texts may have no column any more: they are never found, and `gone` takes them out of the counts.
 */
export interface ValueIndexData {
  readonly columns: readonly IndexedColumn[]
  /** UTF-8 of all texts, one behind the other; text `i` ends at `textEnds[i]`. */
  readonly textBytes: Uint8Array
  readonly textEnds: Uint32Array
  readonly ownerStarts: Uint32Array
  readonly owners: Uint32Array
  /**
   * Sorted: hash of a matching key of a text (32 bits) times `textLimit`, plus the number of the text. A text of some
   * words has a key more for its initials.
   */
  readonly keys: Float64Array
  readonly blocks: readonly TrigramBlock[]
  readonly gone: RemovedTexts
}

/** How many texts have no column any more, and how many of them hold each trigram (sorted). */
export interface RemovedTexts {
  readonly texts: number
  readonly trigrams: Uint32Array
  readonly counts: Uint32Array
}

/** Texts of one block. */
export const blockSize = 65_536

/** An index holds fewer texts than this: a hash of 32 bits and a text of 21 still fit into a double. */
export const textLimit = 2 ** 21
