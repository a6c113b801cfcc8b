/** Statements stay far below the guard's 20,000 characters, and quick to parse. */
const maxStatementLength = 8_000

/** Cuts a list of pieces of SQL into groups that fit into one statement each. A piece too long stands alone. */
export const chunkStatements = <Item>(items: readonly Item[], sqlOf: (item: Item) => string): Item[][] => {
  const chunks: Item[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const item of items) {
    const more = sqlOf(item).length + 2
    if (length + more > maxStatementLength) {
      chunks.push([])
      length = 0
    }
    chunks.at(-1)!.push(item)
    length += more
  }
  return chunks
}
