import type { ValueIndexData } from './value-index-data.ts'

/** Pairs of a text's number and the number of a column that holds it; the first `count` of them count. */
export interface TextColumnPairs {
  readonly texts: Uint32Array
  readonly columns: Uint32Array
  readonly count: number
}

/** Counting sort of pairs by text, into the lists of the index. */
export const groupColumnsByText = (
  texts: number,
  pairs: TextColumnPairs,
): Pick<ValueIndexData, 'ownerStarts' | 'owners'> => {
  const ownerStarts = new Uint32Array(texts + 1)
  for (let pair = 0; pair < pairs.count; pair++) ownerStarts[pairs.texts[pair]! + 1]! += 1
  for (let text = 0; text < texts; text++) ownerStarts[text + 1]! += ownerStarts[text]!
  const next = ownerStarts.slice()
  const owners = new Uint32Array(pairs.count)
  for (let pair = 0; pair < pairs.count; pair++) owners[next[pairs.texts[pair]!]!++] = pairs.columns[pair]!
  return { ownerStarts, owners }
}
