import type { Column } from '../../domain/catalog.ts'
import { stemWord } from '../../lib/stem-word.ts'
import type { ColumnTraits, NameWord } from './schema-index.ts'

const stems = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(stemWord))

const namingWords = stems('name title')

const yearWords = stems('year')

const momentWords = stems('date time birth')

const yesAndNo = [
  ['yes', 'no'],
  ['y', 'n'],
  ['true', 'false'],
  ['t', 'f'],
  ['1', '0'],
] as const

/** A column with the values yes and no, however they are written. Without a profile only a boolean counts. */
const flagOf = (column: Column): ColumnTraits['flag'] => {
  if (column.kind === 'boolean') {
    const written = column.profile?.mostFrequent.find(entry => typeof entry.value === 'number')
    return written ? { yes: 1, no: 0 } : { yes: true, no: false }
  }
  const values = (column.profile?.mostFrequent ?? []).map(entry => entry.value)
  if (values.length === 0 || values.length > 2) return null
  const texts = values.map(value => String(value).toLowerCase())
  const pair = yesAndNo.find(([yes, no]) => texts.every(text => text === yes || text === no))
  if (!pair || (pair[0] === '1' && values.length < 2)) return null
  const find = (text: string): string | number => {
    const value = values.find(one => String(one).toLowerCase() === text)
    return typeof value === 'string' || typeof value === 'number' ? value : text
  }
  return { yes: find(pair[0]), no: find(pair[1]) }
}

/** Finds what a column is used for, from its profile if there is one, else from its kind and name. */
export const columnTraits = (
  column: Column,
  words: readonly NameWord[],
  keys: { readonly key: boolean; readonly foreign: boolean },
): ColumnTraits => {
  const has = (set: ReadonlySet<string>): boolean =>
    words.some(word => word.stems.some(stem => set.has(stem)))
  const samples = (column.profile?.mostFrequent ?? [])
    .map(entry => entry.value)
    .filter(value => value !== null)
  const sampledAs = (pattern: RegExp): boolean =>
    samples.length > 0 && samples.every(value => pattern.test(String(value).trim()))
  const counted = column.kind === 'integer' || column.kind === 'number'
  const textual = column.kind === 'text' || column.kind === 'unknown'
  const moment =
    column.kind === 'date' ||
    column.kind === 'timestamp' ||
    (textual && sampledAs(/^\d{4}-\d{2}-\d{2}([ T]|$)/))
  const year =
    !moment &&
    (has(yearWords) || sampledAs(/^(1[5-9]|20)\d\d$/)) &&
    (sampledAs(/^(1[5-9]|20)\d\d$/) || (samples.length === 0 && counted))
  return {
    key: keys.key,
    foreign: keys.foreign,
    numeric: !keys.foreign && !moment && (counted || (textual && sampledAs(/^-?\d+(\.\d+)?$/))),
    text: textual && !moment,
    moment: moment || (textual && samples.length === 0 && has(momentWords)),
    year,
    name: textual && has(namingWords),
    flag: flagOf(column),
  }
}
