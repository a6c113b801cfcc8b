/**
 * Cuts text into pieces of at most `most` characters as they are `shown`, after the last line break of a piece where there
 * is one. Joined, the pieces are the text again. Never splits a surrogate pair.
 */
export const splitText = (
  text: string,
  most: number,
  shown: (piece: string) => string = piece => piece,
): string[] => {
  const pieces: string[] = []
  let rest = text
  while (shown(rest).length > most) {
    const fits = fitting(rest, most, shown)
    const lineEnd = rest.lastIndexOf('\n', fits - 1) + 1
    const splitsPair = /[\uD800-\uDBFF]/.test(rest[fits - 1] ?? '')
    const end = lineEnd > 0 ? lineEnd : splitsPair && fits > 1 ? fits - 1 : fits
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return [...pieces, rest]
}

/** How many characters from the beginning fit, one at least. */
const fitting = (text: string, most: number, shown: (piece: string) => string): number => {
  let [fits, tooMany] = [1, Math.min(text.length, most) + 1]
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1
    if (shown(text.slice(0, middle)).length <= most) fits = middle
    else tooMany = middle
  }
  return fits
}
