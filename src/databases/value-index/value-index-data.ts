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

/** A block whose lists are written as gaps between members, seven bits to a byte: two thirds of the size. */
interface PackedBlock {
  readonly trigrams: Uint32Array
  readonly starts: Uint32Array
  readonly gaps: Uint8Array
}

/** An index in the form in which it is stored: typed arrays still, for `v8.serialize`. */
export interface PackedValueIndex extends Omit<ValueIndexData, 'blocks'> {
  readonly blocks: readonly PackedBlock[]
}

/** Makes an index small for storing; a general compressor finds less in the lists, and takes longer. */
export const packValueIndex = (data: ValueIndexData): PackedValueIndex => ({
  ...data,
  blocks: data.blocks.map(packBlock),
})

/** The index that was packed. Takes what was read from a file that is known to be whole. */
export const unpackValueIndex = (packed: PackedValueIndex): ValueIndexData => ({
  ...packed,
  blocks: packed.blocks.map(unpackBlock),
})

const packBlock = ({ trigrams, starts, members }: TrigramBlock): PackedBlock => {
  // A gap is less than 2^16, which takes three bytes at most.
  const room = new Uint8Array(members.length * 3)
  let size = 0
  for (let list = 0; list < trigrams.length; list++) {
    let before = 0
    for (let at = starts[list]!; at < starts[list + 1]!; at++) {
      let gap = members[at]! - before
      before = members[at]!
      while (gap > 127) {
        room[size++] = (gap & 127) | 128
        gap >>>= 7
      }
      room[size++] = gap
    }
  }
  return { trigrams, starts, gaps: room.slice(0, size) }
}

const unpackBlock = ({ trigrams, starts, gaps }: PackedBlock): TrigramBlock => {
  const members = new Uint16Array(starts.at(-1) ?? 0)
  let from = 0
  for (let list = 0; list < trigrams.length; list++) {
    let before = 0
    for (let at = starts[list]!; at < starts[list + 1]!; at++) {
      let byte = gaps[from++]!
      let gap = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = gaps[from++]!
        gap |= (byte & 127) << shift
      }
      before += gap
      members[at] = before
    }
  }
  return { trigrams, starts, members }
}

/** Texts as UTF-8, one behind the other, and where each ends. */
export const packTexts = (texts: readonly string[]): Pick<ValueIndexData, 'textBytes' | 'textEnds'> => {
  // A view of its own memory: a small Buffer is a part of a pool, which must not be handed to another thread.
  const textBytes = new TextEncoder().encode(texts.join(''))
  const textEnds = new Uint32Array(texts.length)
  let end = 0
  for (let text = 0; text < texts.length; text++) {
    end += Buffer.byteLength(texts[text]!)
    textEnds[text] = end
  }
  return { textBytes, textEnds }
}

/** Reads packed texts by their number. */
export const makeReadText = ({
  textBytes,
  textEnds,
}: Pick<ValueIndexData, 'textBytes' | 'textEnds'>): ((text: number) => string) => {
  const bytes = Buffer.from(textBytes.buffer, textBytes.byteOffset, textBytes.byteLength)
  return text => bytes.toString('utf8', text === 0 ? 0 : textEnds[text - 1]!, textEnds[text]!)
}
