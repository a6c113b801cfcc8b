import { findKey } from './key-texts.ts'
import { hashKey } from './matching-key.ts'
import { textLimit } from './value-index-data.ts'

/** Texts spelled the same as a keyword that are looked at; more of them would only be other cases of one word. */
const maxTextsPerKey = 64

/**
 * Makes the lookup of texts that have a matching key. By hash alone: the caller compares the texts themselves.
 * `keys` are sorted (see ValueIndexData).
 */
export const makeFindByKey =
  (keys: Float64Array) =>
  (key: string, most = maxTextsPerKey): readonly number[] => {
    const first = hashKey(key) * textLimit
    const texts: number[] = []
    for (let at = findKey(keys, first); at < keys.length && texts.length < most; at++) {
      if (keys[at]! >= first + textLimit) break
      texts.push(keys[at]! - first)
    }
    return texts
  }
