import { foldText } from './fold-text.ts'

/** One word inside a name: an ordinal (`2nd`), a number, an acronym before a capitalised word, or a word. */
const wordPattern = /\d+(?:st|nd|rd|th)(?!\p{Ll})|\d+|\p{Lu}+(?![\p{Ll}\p{M}])|\p{Lu}?[\p{Ll}\p{M}\p{Lo}]+/gu

/**
 * Splits the name of a table or column into its words, folded (lower case, no accents), in order:
 * `ShippingCountry` and `shipping_country` both give `shipping`, `country`; `T_ORDER_ID` gives `t`, `order`, `id`;
 * `HTTPStatus2` gives `http`, `status`, `2`. Nothing is dropped or stemmed: what a prefix such as `t` is worth is
 * for the caller to say. A name written as one lower-case run (`countrycode`) stays one word.
 */
export const splitName = (name: string): readonly string[] => (name.match(wordPattern) ?? []).map(foldText)
