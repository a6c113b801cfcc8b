/** Letters that Unicode does not decompose into a base letter and a mark. */
const ligatures: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is "all of ASCII"
const plain = /^[\x00-\x7f]*$/

/**
 * Folds case and accents, so that `Zürich`, `ZÜRICH` and `zurich` match. Text without accents is only lower-cased;
 * punctuation and spaces stay. `foldText(foldText(x)) === foldText(x)`.
 */
export const foldText = (text: string): string => {
  if (plain.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøđðłþħı]/g, letter => ligatures[letter] ?? letter)
}

/** One word inside a name: an ordinal (`2nd`), a number, an acronym before a capitalized word, or a word. */
const wordPattern = /\d+(?:st|nd|rd|th)(?!\p{Ll})|\d+|\p{Lu}+(?![\p{Ll}\p{M}])|\p{Lu}?[\p{Ll}\p{M}\p{Lo}]+/gu

/**
 * Splits a table or column name into its folded words, in order: `ShippingCountry` and `shipping_country` both give
 * `shipping`, `country`; `T_ORDER_ID` gives `t`, `order`, `id`; `HTTPStatus2` gives `http`, `status`, `2`. Nothing is
 * dropped or stemmed; what a prefix like `t` means is up to the caller. A name in one lower-case run (`countrycode`)
 * stays one word.
 */
export const splitName = (name: string): readonly string[] => (name.match(wordPattern) ?? []).map(foldText)
