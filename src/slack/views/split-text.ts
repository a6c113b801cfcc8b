/**
 * Cuts text into pieces of at most `most` characters, after the last line break of a piece where there is one. Joined,
 * the pieces are the text again. Never splits a surrogate pair.
 */
export const splitText = (text: string, most: number): string[] => {
  const pieces: string[] = []
  let rest = text
  while (rest.length > most) {
    const lineEnd = rest.lastIndexOf('\n', most - 1) + 1
    const splitsPair = /[\uD800-\uDBFF]/.test(rest[most - 1] ?? '')
    const end = lineEnd > 0 ? lineEnd : splitsPair ? most - 1 : most
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return [...pieces, rest]
}
