import type { Column } from '../../core/catalog.ts'
import { stemWord } from '../tokenise/stem-word.ts'
import type { ColumnTraits, NameWord } from './schema-index.ts'

const stems = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(stemWord))

const namingWords = stems('name title')
const yearWords = stems('year')
const momentWords = stems('date time birth')

/** Reads off what a column is used for. A profile helps; without one the declared kind and the name decide. */
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
    boolean: column.kind === 'boolean',
  }
}
