import { hashKey, matchingKey } from './matching-key.ts'
import { textLimit } from './value-index-data.ts'

/** Texts spelled the same as a keyword that are looked at; more of them would only be other cases of one word. */
const mostSpelledSame = 64

/**
 * Makes the lookup of texts whose matching key is that of a folded keyword. By hash alone: the caller compares the
 * texts themselves. `keys` are sorted (see ValueIndexData).
 */
export const makeFindSpelledSame =
  (keys: Float64Array) =>
  (folded: string): readonly number[] => {
    const first = hashKey(matchingKey(folded)) * textLimit
    let low = 0
    let high = keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (keys[middle]! < first) low = middle + 1
      else high = middle
    }
    const texts: number[] = []
    while (low < keys.length && keys[low]! < first + textLimit && texts.length < mostSpelledSame) {
      texts.push(keys[low]! - first)
      low += 1
    }
    return texts
  }
