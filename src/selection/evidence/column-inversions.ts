import { stemmer } from 'stemmer'
import type { ResultColumn } from '../../core/result.ts'
import { foldText } from '../../lib/fold-text.ts'
import { splitName } from '../../lib/split-name.ts'
import { toSingular } from '../../lib/to-singular.ts'

/**
 * Pairs of result columns that stand the other way round than the question names them. Columns that the question
 * does not name are left out. People read a table from left to right as they asked for it, and so do annotators.
 */
export const countColumnInversions = (question: string, columns: readonly ResultColumn[]): number => {
  const words = foldText(question).match(/[\p{L}\p{N}]+/gu) ?? []
  const stems = words.map(stem)
  const places = columns.map(({ name }) => placeOf(name, words, stems)).filter(place => place !== null)
  let inversions = 0
  for (let right = 1; right < places.length; right++)
    for (let left = 0; left < right; left++) if (places[left]! > places[right]!) inversions += 1
  return inversions
}

/** The words that ask for an aggregate; its column may be named anywhere. */
const cues: readonly (readonly [RegExp, ReadonlySet<string>])[] = [
  [/^count\b|^count$|^(?:num|number|total)_/i, new Set(['many', 'number', 'count', 'total'])],
  [/^avg\b|^average_|^mean_/i, new Set(['average', 'mean', 'avg'])],
  [/^max\b|^max_/i, new Set(['maximum', 'max', 'highest', 'largest', 'most', 'latest', 'oldest'])],
  [/^min\b|^min_/i, new Set(['minimum', 'min', 'lowest', 'smallest', 'least', 'earliest', 'youngest'])],
  [/^sum\b|^total_/i, new Set(['total', 'sum'])],
]

/** Where the question names a column: its cue for an aggregate, else the word that most of its name is found at. */
const placeOf = (name: string, words: readonly string[], stems: readonly string[]): number | null => {
  const cue = cues.find(([pattern]) => pattern.test(name))
  if (cue !== undefined) {
    const at = words.findIndex(word => cue[1].has(word))
    return at < 0 ? null : at
  }
  const parts = splitName(name.replace(/^.*\./, '')).map(stem)
  if (parts.length === 0) return null
  let best: number | null = null
  let most = 0
  for (let at = 0; at < stems.length; at++) {
    const found = parts.filter(part => stems.slice(at, at + parts.length).includes(part)).length
    if (found > most && parts.includes(stems[at]!)) {
      most = found
      best = at
    }
  }
  return best
}

const stem = (folded: string): string => stemmer(toSingular(folded))
