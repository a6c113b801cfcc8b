import pluralize from 'pluralize'
import { capitalize } from '../../lib/capitalize.ts'
import { splitName } from '../../lib/fold-text.ts'
import { abbreviations } from '../../lib/lexicon/abbreviations.ts'
import { unitWords } from './units.ts'

const prefixes = new Set(['dim', 'fact', 'fct', 'tbl', 'stg', 't'])

const suffixes = new Set(['dim', 'fact', 'fct', 'table', 'tbl'])

/** The words of a table's name in the singular, without what only says that it is a table: `dim_customers`: customer. */
export const tableWords = (name: string): readonly string[] => {
  const words = splitName(name).flatMap(expand)
  const from = words.length > 1 && prefixes.has(words[0] ?? '') ? 1 : 0
  const until = words.length - from > 1 && suffixes.has(words.at(-1) ?? '') ? words.length - 1 : words.length
  const own = words.slice(from, until)
  return own.map((word, at) => (at === own.length - 1 ? pluralize.singular(word) : word))
}

/** The words of a column's name, abbreviations spelled out. */
export const columnWords = (name: string): readonly string[] => splitName(name).flatMap(expand)

const expand = (word: string): readonly string[] => {
  const long = abbreviations.get(word)
  return long === undefined || word === 'id' ? [word] : long
}

/** Words that are written in capitals. */
const acronyms: ReadonlySet<string> = new Set(
  'id url sku mrr arr vat roi roas cpc cpm cpa ctr kpi'.split(' '),
)

/** Words as a heading: `billing country` becomes `Billing country`, `customer id` becomes `Customer ID`. */
export const labelOf = (words: readonly string[]): string => {
  const text = words.map(word => (acronyms.has(word) ? word.toUpperCase() : word)).join(' ')
  return capitalize(text)
}

/** A column's heading without units and endings such as `at`: `placed_at` becomes `Placed`, `total_cents` `Total`. */
export const columnLabel = (name: string): string => {
  const words = columnWords(name)
  const said = words.filter((word, at) => !(at > 0 && unitWords.has(word)))
  const last = said.at(-1)
  const short = said.length > 1 && (last === 'at' || last === 'on') ? said.slice(0, -1) : said
  return labelOf(short)
}

/** Words as an identifier. */
export const identifierOf = (words: readonly string[]): string => words.join('_')

/** The plural of a label, in lower case: `Order line` becomes `order lines`. */
export const pluralOf = (words: readonly string[]): string =>
  [...words.slice(0, -1), pluralize.plural(words.at(-1) ?? '')].join(' ')
