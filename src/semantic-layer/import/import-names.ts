import pluralize from 'pluralize'
import type { Unit } from '../../domain/metrics/semantic-layer.ts'
import { capitalize } from '../../lib/capitalize.ts'
import { foldText, splitName } from '../../lib/fold-text.ts'
import { columnLabel, columnWords, identifierOf, labelOf, pluralOf, tableWords } from '../propose/names.ts'

/** A name of another tool as an identifier: `Order Items` becomes `order_items`. */
export const identifier = (name: string): string => {
  const plain = foldText(name)
  const own = /^[a-z_][a-z0-9_]*$/.test(plain) && !/\p{Ll}\p{Lu}/u.test(name) ? plain : null
  const made = own ?? (identifierOf(splitName(name)) || plain.replace(/[^\p{L}\p{N}]+/gu, '_'))
  return /^\d/.test(made) ? `n_${made}` : made || 'unnamed'
}

/** A name that is not taken yet, which it then is. */
export const takeName = (taken: Set<string>, ...wanted: readonly [string, ...string[]]): string => {
  const last = wanted.at(-1) ?? wanted[0]
  let name = wanted.find(one => !taken.has(one)) ?? last
  for (let number = 2; taken.has(name); number++) name = `${last}_${number}`
  taken.add(name)
  return name
}

/** A heading in sentence case: `Total Sale Price` becomes `Total sale price`, `USA Sales` `USA sales`. */
export const sentenceCase = (label: string): string => {
  const all = label.trim().split(/\s+/)
  const isTitle = all.length > 1 && all.filter(word => /^\p{Ll}/u.test(word)).every(word => minor.has(word))
  const kept = all.map((word, at) =>
    at > 0 && isTitle && /^\p{Lu}\p{Ll}+$/u.test(word) ? word.toLowerCase() : word,
  )
  const text = kept.join(' ')
  return capitalize(text)
}

const minor = new Set('a an and at by for from in of on or per the to vs with'.split(' '))

/** The label of a dimension. */
export const dimensionLabel = (name: string, given: string | null): string =>
  given === null ? columnLabel(name) || sentenceCase(name) : sentenceCase(given)

/** The label of a metric. */
export const metricLabel = (name: string, given: string | null): string =>
  given === null ? labelOf(columnWords(name)) || sentenceCase(name) : sentenceCase(given)

/** Label and plural of a model: `Order item`, `order items`. */
export const modelLabels = (
  name: string,
  given: string | null,
): { readonly label: string; readonly plural: string } => {
  if (given !== null && given.trim() !== '') {
    const own = sentenceCase(given).split(' ')
    const singular = [...own.slice(0, -1), pluralize.singular(own.at(-1) ?? '')]
    const [first = '', ...rest] = singular
    const start = /^\p{Lu}\p{Ll}+$/u.test(first) ? first.toLowerCase() : first
    return { label: singular.join(' '), plural: pluralOf([start, ...rest]) }
  }
  const own = tableWords(name)
  return own.length === 0
    ? { label: sentenceCase(name), plural: pluralize.plural(name.toLowerCase()) }
    : { label: labelOf(own), plural: pluralOf(own) }
}

/** Other words for a model or dimension, in the singular, each once, without its own label. */
export const synonymsOf = (given: readonly string[] | null | undefined, label: string): readonly string[] => [
  ...new Set(
    (given ?? [])
      .map(word => word.trim())
      .filter(word => word !== '')
      .map(word => (/\s/.test(word) ? word : pluralize.singular(word)))
      .filter(word => word.toLowerCase() !== label.toLowerCase()),
  ),
]

/** A description, trimmed; null if there is none. */
export const descriptionOf = (text: string | null | undefined): string | null => {
  const trimmed = text?.replace(/\s+/g, ' ').trim() ?? ''
  return trimmed === '' ? null : trimmed
}

const symbols: readonly (readonly [RegExp, string])[] = [
  [/\busd\b|\$/i, 'USD'],
  [/\beur\b|€/i, 'EUR'],
  [/\bgbp\b|£/i, 'GBP'],
  [/\bchf\b/i, 'CHF'],
  [/\bjpy\b|¥/i, 'JPY'],
]

/** The unit that a format says: `usd_0`, `percent_1`, `$#,##0.00`, `0.0%`. Null if it says none. */
export const unitOfFormat = (format: string | null | undefined): Unit | null => {
  if (format === null || format === undefined) return null
  // In a number format, `\%` and `"%"` only write the sign; a bare one multiplies by 100.
  if (/\\%|"%"/.test(format)) return { kind: 'percent', scale: 1 }
  if (/%$|^percent(_\d)?$/i.test(format)) return { kind: 'percent', scale: 100 }
  const words = format.replaceAll('_', ' ')
  const code = symbols.find(([pattern]) => pattern.test(words))?.[1]
  if (code !== undefined && !/\d\s*,+\s*"?[KMB]/i.test(format.replace('#,##0', '')))
    return { kind: 'currency', code, scale: 1 }
  return code === undefined ? null : { kind: 'currency', code, scale: 1 }
}

/** The unit that a description states outright: "in US dollars", "in cents". Null if it does not. */
export const unitOfDescription = (text: string | null | undefined): Unit | null => {
  const said =
    /(?:\bin\s+|\()(us |euro )?(usd|dollars|eur|euros?|gbp|cents|percent|seconds|minutes|hours|days)\b/i.exec(
      text ?? '',
    )
  const word = said?.[2]?.toLowerCase()
  if (word === undefined) return null
  const prefix = said?.[1]?.trim().toLowerCase()
  if (word === 'cents')
    return { kind: 'currency', code: prefix === 'us' ? 'USD' : prefix === 'euro' ? 'EUR' : null, scale: 0.01 }
  if (word === 'percent') return { kind: 'percent', scale: 1 }
  if (/^(seconds|minutes|hours|days)$/.test(word))
    return { kind: 'duration', unit: word.slice(0, -1) as 'second' | 'minute' | 'hour' | 'day' }
  const code = word.startsWith('eur')
    ? 'EUR'
    : word === 'gbp'
      ? 'GBP'
      : word === 'usd' || prefix === 'us'
        ? 'USD'
        : null
  return { kind: 'currency', code, scale: 1 }
}

/** Names that say nothing without their model. */
export const isGeneric = (name: string): boolean =>
  /^(count|total|sum|average|avg|number|amount|value|min|max)$/.test(name)
