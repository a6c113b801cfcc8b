import { hashKey, matchingKeys } from './matching-key.ts'
import { textLimit } from './value-index-data.ts'

/** The entries of `ValueIndexData.keys` for folded texts, the first of which has the number `first`; sorted. */
export const buildKeys = (folded: readonly string[], first = 0): Float64Array<ArrayBuffer> => {
  let keys = new Float64Array(folded.length * 2 + 8)
  let count = 0
  folded.forEach((text, at) => {
    const own = matchingKeys(text)
    if (count + own.length > keys.length) {
      const larger = new Float64Array(keys.length * 2)
      larger.set(keys)
      keys = larger
    }
    for (const key of own) keys[count++] = hashKey(key) * textLimit + first + at
  })
  return keys.slice(0, count).sort()
}

/** Where the first entry of a key's hash stands, or would. */
export const findKey = (keys: Float64Array, first: number): number => {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keys[middle]! < first) low = middle + 1
    else high = middle
  }
  return low
}

/** Two sorted lists as one. */
export const mergeKeys = (a: Float64Array, b: Float64Array): Float64Array => {
  const merged = new Float64Array(a.length + b.length)
  for (let at = 0, left = 0, right = 0; at < merged.length; at++)
    merged[at] = right === b.length || (left < a.length && a[left]! < b[right]!) ? a[left++]! : b[right++]!
  return merged
}
