import type { Column } from '../../domain/catalog.ts'

/** People know codes and short names by heart; what is longer is looked up. */
const longestMean = 24

/** A key with so few values is a list of kinds, such as states of an order. */
const fewValues = 50

/** `DE`, `EUR`, `FRA`, `LH-400`, `SKU-00017`, `de`, `en-gb`. Ids that programs make are longer or mix cases. */
const code = /^(?=.*\p{Lu})[\p{Lu}\d][\p{Lu}\d._/-]{0,11}$|^[a-z]{2,3}(?:-[a-z]{2})?$/u

/** Hexadecimal with a digit in it, such as the first letters of a hash. */
const hexadecimal = /^(?=.*\d)[0-9a-f]{6,}$/i

/**
 * Whether the values of a key mean something to people, by its profile: codes of countries, currencies, airports or
 * products, and short lists of words. Numbers, UUIDs and hashes do not: they only tell rows apart.
 */
export const isNaturalKey = ({ kind, profile }: Column): boolean => {
  if (kind !== 'text' || !profile || profile.numericText || profile.meanLength > longestMean) return false
  const values = [...profile.mostFrequent.map(({ value }) => value), ...(profile.samples ?? [])]
  const texts = values.filter(value => typeof value === 'string' && value !== '').map(String)
  if (texts.length === 0 || texts.every(text => hexadecimal.test(text))) return false
  return profile.distinctCount <= fewValues
    ? texts.some(text => /\p{L}/u.test(text))
    : texts.every(text => code.test(text)) || hasLettersInFormat(profile.format?.pattern)
}

/** A format such as `AAA-9999` or `Aa9+`; one of digits alone is a number with dashes. */
const hasLettersInFormat = (pattern: string | undefined): boolean =>
  pattern !== undefined && /a/i.test(pattern)
