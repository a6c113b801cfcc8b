import type { TrigramBlock, ValueIndexData } from './value-index-data.ts'

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
