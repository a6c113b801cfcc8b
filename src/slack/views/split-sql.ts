/** A piece of SQL in an input of its own. `endsLine`: a line break came after it. */
export interface SqlPiece {
  readonly text: string
  readonly endsLine: boolean
}

/**
 * Cuts SQL into pieces of at most `most` characters, at a line break where there is one, else where no blank is on
 * either side: whoever fills in a form may get it back without the blanks at its ends.
 */
export const splitSql = (sql: string, most: number): SqlPiece[] => {
  const pieces: SqlPiece[] = []
  let rest = sql
  while (rest.length > most) {
    const lineEnd = rest.lastIndexOf('\n', most)
    const end = lineEnd > 0 ? lineEnd : betweenWords(rest, most)
    pieces.push({ text: rest.slice(0, end), endsLine: lineEnd > 0 })
    rest = rest.slice(lineEnd > 0 ? end + 1 : end)
  }
  return [...pieces, { text: rest, endsLine: false }]
}

/** The SQL again, though blanks at the ends of pieces may be gone. */
export const joinSql = (pieces: readonly SqlPiece[]): string =>
  pieces.map(({ text, endsLine }) => (endsLine ? `${text}\n` : text)).join('')

/** The last place before `most` with a character on either side, and no surrogate pair across it. */
const betweenWords = (text: string, most: number): number => {
  for (let at = most; at > 0; at -= 1) {
    if (/^[^\s\uD800-\uDBFF]\S$/.test(text.slice(at - 1, at + 1))) return at
  }
  return most
}
