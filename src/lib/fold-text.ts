/** Letters that Unicode does not take apart into a base letter and a mark. */
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
 * Folds case and accents, so that `Zürich`, `ZÜRICH` and `zurich` meet. Text without anything to fold comes back
 * lower-cased at once; punctuation and spaces are left alone. `foldText(foldText(x)) === foldText(x)`.
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
