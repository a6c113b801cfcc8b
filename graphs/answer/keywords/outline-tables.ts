import type { Catalog } from '../../../src/core/catalog.ts'

/** Enough to know what a database is about; the rest of a wide one is left out. */
const MOST_CHARACTERS = 3_500

/** Names of tables with the columns that hold texts, one table a line, as many as fit. No value is in it. */
export const outlineTables = (catalog: Catalog): string => {
  const lines: string[] = []
  let characters = 0
  for (const { name, columns } of catalog.tables) {
    const texts = columns.filter(({ kind }) => kind === 'text' || kind === 'unknown')
    const line = `${name}(${texts.map(column => column.name).join(', ')})`
    characters += line.length + 1
    if (characters > MOST_CHARACTERS) break
    lines.push(line)
  }
  return lines.join('\n')
}
