/**
 * The columns that hold each text. Nearly every text has one, in an array as narrow as the number of columns allows;
 * the further ones are pairs, sorted by text.
 */
export interface TextOwners {
  /** By text, its first column; the array's largest number if no column holds the text. */
  readonly first: Uint8Array | Uint16Array | Uint32Array
  readonly moreTexts: Uint32Array
  readonly moreColumns: Uint32Array
}

/** Pairs of a text and a column that holds it, by number. Only the first `count` are used. */
export interface TextColumnPairs {
  readonly texts: Uint32Array
  readonly columns: Uint32Array
  readonly count: number
}

/** Gathers pairs, in the order in which a text's columns are to be shown. */
export const groupColumnsByText = (
  texts: number,
  columns: number,
  { texts: pairTexts, columns: pairColumns, count }: TextColumnPairs,
): TextOwners => {
  const first = makeNumbers(texts, columns)
  const none = nobody(first)
  first.fill(none)
  const more: number[] = []
  for (let pair = 0; pair < count; pair++) {
    const text = pairTexts[pair]!
    if (first[text] === none) first[text] = pairColumns[pair]!
    else more.push(pair)
  }
  more.sort((a, b) => pairTexts[a]! - pairTexts[b]! || a - b)
  return {
    first,
    moreTexts: Uint32Array.from(more, pair => pairTexts[pair]!),
    moreColumns: Uint32Array.from(more, pair => pairColumns[pair]!),
  }
}

const makeNumbers = (length: number, most: number): TextOwners['first'] => {
  if (most < 2 ** 8) return new Uint8Array(length)
  return most < 2 ** 16 ? new Uint16Array(length) : new Uint32Array(length)
}

const nobody = (first: TextOwners['first']): number => 2 ** (8 * first.BYTES_PER_ELEMENT) - 1

/** Whether any column holds a text. */
export const isHeld = ({ first }: TextOwners, text: number): boolean => first[text] !== nobody(first)

/** Calls `use` with each column that holds a text, in order. */
export const eachOwner = (owners: TextOwners, text: number, use: (column: number) => void): void => {
  const { first, moreTexts, moreColumns } = owners
  if (!isHeld(owners, text)) return
  use(first[text]!)
  for (let at = firstAt(moreTexts, text); moreTexts[at] === text; at++) use(moreColumns[at]!)
}

/** The position of the first entry that is not below `text`. */
const firstAt = (sorted: Uint32Array, text: number): number => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < text) low = middle + 1
    else high = middle
  }
  return low
}
