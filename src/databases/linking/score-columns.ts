import type { Catalog, Column, Table } from '../../core/catalog.ts'
import type { ValueMatch } from '../../core/value-match.ts'
import { splitName } from '../../lib/split-name.ts'
import { nameTables } from '../catalog/name-tables.ts'
import { splitQuestion, stemWord } from './split-question.ts'

/** How much the words of a question point to a table and its columns. Zero where nothing does. */
export interface TableScore {
  readonly name: string
  readonly table: Table
  readonly score: number
  readonly columns: ReadonlyMap<Column, number>
}

/** What a word in a description is worth beside the same word in a name. */
const inDescription = 0.4

/** What the beginning of a word is worth beside the whole: `dept` for department. */
const asAbbreviation = 0.5

/** A value of the question that stands in a column says more than any name. */
const perValue = 6

/**
 * Scores tables and columns by the question's words in their names and descriptions, each word weighted by how few
 * columns have it, and by the values that were found in them.
 */
export const scoreColumns = (
  catalog: Catalog,
  question: string,
  matches: readonly ValueMatch[],
): readonly TableScore[] => {
  const { tables, rarity } = describe(catalog)
  const asked = splitQuestion(question)
  const found = bestOfColumns(matches)
  const scoreOf = (words: Words): number =>
    asked.reduce((sum, word) => sum + rarity(word) * shareOf(words, word), 0)

  return tables.map(({ name, table, own, columns }) => {
    const scores = new Map(
      columns.map(({ column, words }) => {
        const value = found.get(JSON.stringify([name, column.name])) ?? 0
        return [column, scoreOf(words) + perValue * value ** 2]
      }),
    )
    const ordered = [...scores.values()].sort((a, b) => b - a)
    const [best = 0, second = 0, third = 0] = ordered
    return { name, table, columns: scores, score: 1.5 * scoreOf(own) + best + second / 2 + third / 4 }
  })
}

const bestOfColumns = (matches: readonly ValueMatch[]): ReadonlyMap<string, number> => {
  const best = new Map<string, number>()
  for (const { table, column, score } of matches) {
    const place = JSON.stringify([table, column])
    best.set(place, Math.max(best.get(place) ?? 0, score))
  }
  return best
}

/** The words of a catalog and how rare each is: the same for every question, and thousands of names to split. */
interface Description {
  readonly tables: readonly {
    readonly name: string
    readonly table: Table
    readonly own: Words
    readonly columns: readonly { readonly column: Column; readonly words: Words }[]
  }[]
  readonly rarity: (word: string) => number
}

const descriptions = new WeakMap<Catalog, Description>()

const describe = (catalog: Catalog): Description => {
  const known = descriptions.get(catalog)
  if (known !== undefined) return known
  const names = nameTables(catalog)
  const tables = catalog.tables.map(table => ({
    name: names.get(table) ?? table.name,
    table,
    own: wordsOf(table.name, table.comment),
    columns: table.columns.map(column => ({ column, words: wordsOf(column.name, column.comment) })),
  }))
  const words = tables.flatMap(({ own, columns }) => [own, ...columns.map(column => column.words)])
  const description = { tables, rarity: makeRarity(words) }
  descriptions.set(catalog, description)
  return description
}

interface Words {
  readonly name: readonly string[]
  readonly description: ReadonlySet<string>
}

const wordsOf = (name: string, comment: string | null): Words => ({
  name: splitName(name).map(stemWord),
  description: new Set(comment === null ? [] : splitQuestion(comment)),
})

const shareOf = ({ name, description }: Words, word: string): number => {
  if (name.includes(word)) return 1
  if (name.some(part => abbreviates(part, word))) return asAbbreviation
  return description.has(word) ? inDescription : 0
}

/**
 * Whether the shorter word is short for the longer: its beginning, or its first two letters and some of the others
 * in their order (`dept`, `custmr`, `qty`).
 */
const abbreviates = (a: string, b: string): boolean => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < 3 || short.length === long.length || short[0] !== long[0]) return false
  if (long.startsWith(short)) return true
  const startsAlike = short[1] === long[1] || !/[aeiou]/.test(short)
  return startsAlike && isSkipped(short, long)
}

/** Whether the letters of one word stand in the other in their order. */
const isSkipped = (short: string, long: string): boolean => {
  let at = 0
  for (const letter of short) {
    at = long.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}

const makeRarity = (documents: readonly Words[]): ((word: string) => number) => {
  const holders = new Map<string, number>()
  for (const { name, description } of documents)
    for (const word of new Set([...name, ...description])) holders.set(word, (holders.get(word) ?? 0) + 1)
  return word => Math.log1p(documents.length / (holders.get(word) ?? 1))
}
