import type { TextOwners } from './text-owners.ts'

/** A column whose values are indexed. */
export interface IndexedColumn {
  readonly table: string
  readonly column: string
}

/**
 * The inverted lists of up to 65,536 consecutive texts. `trigrams` are sorted; the texts that hold `trigrams[i]` are
 * `members[starts[i]]` to `members[starts[i + 1] - 1]`, counted from the block's first text. Sixteen bits are enough
 * for a member, and the counters of one block fit into the processor's cache.
 */
export interface TrigramBlock {
  readonly trigrams: Uint32Array
  readonly starts: Uint32Array
  readonly members: Uint16Array
}

/**
 * The whole index as typed arrays, so that it is stored and loaded without parsing. Texts are distinct as written;
 * each has the columns that hold it. After a refresh some texts may have no
 * column any more: they are never found, and `gone` subtracts them from the counts.
 */
export interface ValueIndexData {
  readonly columns: readonly IndexedColumn[]
  /** UTF-8 of all texts, one after the other; text `i` ends at `textEnds[i]`. */
  readonly textBytes: Uint8Array
  readonly textEnds: Uint32Array
  readonly owners: TextOwners
  /**
   * Sorted: the 29-bit hash of a text's matching key times `textLimit`, plus the number of the text. A text of
   * several words has another key for its initials.
   */
  readonly keys: Float64Array
  /** Sorted: trigrams that are told apart by a fourth letter, because many texts hold them. None in most indexes. */
  readonly common: Uint32Array
  readonly blocks: readonly TrigramBlock[]
  readonly gone: RemovedTexts
}

/** The number of texts that no column holds any more, and how many of them hold each trigram (sorted). */
export interface RemovedTexts {
  readonly texts: number
  readonly trigrams: Uint32Array
  readonly counts: Uint32Array
}

/** Number of texts in a block. */
export const blockSize = 65_536

/** An index holds fewer texts than this: a 29-bit hash and a 24-bit text number fit into a double. */
export const textLimit = 2 ** 24

/** A block whose lists are stored as gaps between members, seven bits to a byte: two thirds of the size. */
interface PackedBlock {
  readonly trigrams: Uint32Array
  readonly starts: Uint32Array
  readonly gaps: Uint8Array
}

/** An index as it is stored: typed arrays for `v8.serialize`. */
export interface PackedValueIndex extends Omit<ValueIndexData, 'blocks'> {
  readonly blocks: readonly PackedBlock[]
}

/** Compresses an index for storing. A general compressor is slower and finds less in the lists. */
export const packValueIndex = (data: ValueIndexData): PackedValueIndex => ({
  ...data,
  blocks: data.blocks.map(packBlock),
})

/** Restores a packed index. Expects the contents of a file that is known to be complete. */
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

/** Texts as UTF-8, one after the other, and where each ends. */
export const packTexts = (texts: readonly string[]): Pick<ValueIndexData, 'textBytes' | 'textEnds'> => {
  const textEnds = new Uint32Array(texts.length)
  let end = 0
  for (let text = 0; text < texts.length; text++) {
    end += Buffer.byteLength(texts[text]!)
    textEnds[text] = end
  }
  // A buffer of its own: a small Buffer is part of a pool, which cannot be transferred to a worker.
  const textBytes = new Uint8Array(end)
  const bytes = Buffer.from(textBytes.buffer)
  for (let text = 0; text < texts.length; text++)
    bytes.write(texts[text]!, text === 0 ? 0 : textEnds[text - 1]!, 'utf8')
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
