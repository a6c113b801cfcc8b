import type { Catalog } from '../../src/domain/catalog.ts'
import { splitName } from '../../src/lib/fold-text.ts'

/** A question that its database cannot answer, as far as words tell. */
export interface Unanswerable {
  readonly question: string
  readonly database: string
}

/** What a question is made unanswerable from. */
export interface Answerable extends Unanswerable {
  readonly catalogs: ReadonlyMap<string, Catalog>
  /** From 0 to 1. */
  readonly random: () => number
}

const adjectives =
  `active premium retired blue foreign digital rural urgent local seasonal certified inactive vintage
  wooden organic annual private junior spicy suspended loyal returning vegetarian wireless overdue bankrupt refurbished
  anonymous`.split(/\s+/)

const additions = ['with a', 'of the', 'per', 'without', 'and the', 'in each', 'who own a', 'by']

/**
 * Takes the question to another database, or puts an adjective before a table's name that the database knows nothing
 * of, or adds a thing that only another database has. Null where that does not work for this question.
 */
export const makeUnanswerable = (answerable: Answerable): Unanswerable | null => {
  const { question, database, catalogs, random } = answerable
  const others = [...catalogs.keys()].filter(id => id !== database)
  const other = pick(others, random)
  const own = catalogs.get(database)
  if (other === undefined || !own) return null
  const kind = random()
  if (kind < 0.25) return { question, database: other }
  const changed =
    kind < 0.6 ? describe(question, own, random) : add(question, own, catalogs.get(other)!, random)
  return changed === null ? null : { question: changed, database }
}

const pick = <Item>(items: readonly Item[], random: () => number): Item | undefined =>
  items[Math.floor(random() * items.length)]

const singular = (word: string): string =>
  word
    .toLowerCase()
    .replace(/[^a-z_]/g, '')
    .replace(/s$/, '')

const describe = (question: string, { tables }: Catalog, random: () => number): string | null => {
  const adjective = pick(adjectives, random)!
  const words = question.split(' ')
  const at = words.findIndex(
    (word, i) => i > 0 && tables.some(({ name }) => singular(name) === singular(word)),
  )
  return at < 0 ? null : words.toSpliced(at, 0, adjective).join(' ')
}

const add = (question: string, own: Catalog, other: Catalog, random: () => number): string | null => {
  const nouns = other.tables.map(({ name }) => name.toLowerCase()).filter(name => /^[a-z]{4,}$/.test(name))
  const noun = pick(nouns, random)
  if (noun === undefined) return null
  const known = own.tables
    .flatMap(({ name, columns }) => [name, ...columns.map(column => column.name)])
    .flatMap(name => splitName(name))
    .map(word => word.toLowerCase())
  const isKnown = known.some(
    word => word.length > 2 && (word.startsWith(noun.slice(0, 5)) || noun.startsWith(word.slice(0, 5))),
  )
  if (isKnown) return null
  const [end = ''] = /[?.\s]*$/.exec(question) ?? []
  return `${question.slice(0, question.length - end.length)} ${pick(additions, random)} ${noun}${end}`
}
