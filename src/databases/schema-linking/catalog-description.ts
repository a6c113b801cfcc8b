import { type Catalog, type Column, nameTables, type Table } from '../../domain/catalog.ts'
import { type KeyGraph, makeKeyGraph } from '../../domain/key-graph.ts'
import { foldText, splitName } from '../../lib/fold-text.ts'
import { abbreviations, splitCompound } from '../../lib/lexicon/abbreviations.ts'
import { oncePerObject } from '../../lib/once.ts'
import { stemWord } from '../../lib/stem-word.ts'

/** A column as the linker knows it. Words are numbers of the description's vocabulary. */
export interface LinkerColumn {
  readonly at: number
  readonly column: Column
  readonly table: LinkerTable
  /** Number of its name; columns with the same name in several tables share it. */
  readonly nameAt: number
  readonly words: readonly number[]
  /** The same without the words of its table's name, unless nothing is left. */
  readonly ownWords: readonly number[]
  readonly said: DescriptionWords
  readonly isPrimary: boolean
  /** Columns that this one refers to by a foreign key, and columns that refer to it. */
  readonly leadsTo: LinkerColumn[]
  readonly ledToBy: LinkerColumn[]
  readonly kind: ColumnKind
  /** Named like a name, or the first text column of its table: what people expect to see. */
  readonly isLabel: boolean
}

type ColumnKind = 'number' | 'date' | 'text' | 'other'

export interface LinkerTable {
  readonly at: number
  readonly name: string
  readonly table: Table
  readonly words: readonly number[]
  readonly said: DescriptionWords
  readonly columns: LinkerColumn[]
  /** Tables that a foreign key joins to this one. */
  readonly neighbours: Set<LinkerTable>
}

/** The words of a description and the other names of a table or column. */
export interface DescriptionWords {
  readonly comment: readonly number[]
  readonly synonyms: readonly (readonly number[])[]
}

/** What linking needs to know about a catalog for every question: thousands of names, split and indexed once. */
export interface CatalogDescription {
  readonly tables: readonly LinkerTable[]
  readonly columns: readonly LinkerColumn[]
  /** How many different names columns have. */
  readonly names: number
  readonly vocabulary: readonly string[]
  readonly wordAt: ReadonlyMap<string, number>
  /** How rare each word is among the columns: log(1 + all columns / columns that have it). */
  readonly rarity: Float64Array
  readonly columnsByKey: ReadonlyMap<string, LinkerColumn>
  readonly byTableName: ReadonlyMap<string, LinkerTable>
  /** Tables by their `at`. */
  readonly keys: KeyGraph<LinkerColumn>
}

/** The description of a catalog, built once per catalog. */
export const describeCatalog = oncePerObject((catalog: Catalog): CatalogDescription => describe(catalog))

/** The key of a column in `columnsByKey`. */
export const columnKey = (table: string, column: string): string => JSON.stringify([table, column])

const describe = (catalog: Catalog): CatalogDescription => {
  const names = nameTables(catalog)
  const whole = vocabularyOf(catalog)
  const vocabulary: string[] = []
  const wordAt = new Map<string, number>()
  const number = (stem: string): number => {
    const known = wordAt.get(stem)
    if (known !== undefined) return known
    wordAt.set(stem, vocabulary.length)
    return vocabulary.push(stem) - 1
  }
  const wordsOf = (name: string): number[] => [...new Set(nameStems(name, whole).map(number))]
  const numbersIn = (text: string): number[] => [...new Set(contentStems(foldText(text)).map(number))]
  const saidOf = ({ comment, synonyms = [] }: Pick<Column, 'comment' | 'synonyms'>): DescriptionWords => ({
    comment: numbersIn(comment ?? ''),
    synonyms: synonyms.map(numbersIn).filter(words => words.length > 0),
  })

  const nameNumbers = new Map<string, number>()
  const nameAt = (name: string): number => {
    const at = nameNumbers.get(name) ?? nameNumbers.size
    nameNumbers.set(name, at)
    return at
  }

  const tables: LinkerTable[] = []
  const columns: LinkerColumn[] = []
  for (const table of catalog.tables) {
    const known: LinkerTable = {
      at: tables.length,
      name: names.get(table) ?? table.name,
      table,
      words: wordsOf(table.name),
      said: saidOf(table),
      columns: [],
      neighbours: new Set(),
    }
    tables.push(known)
    const label = labelOf(table)
    for (const column of table.columns) {
      const words = wordsOf(column.name)
      const own = words.filter(word => !known.words.includes(word))
      const made: LinkerColumn = {
        at: columns.length,
        column,
        table: known,
        nameAt: nameAt(column.name.toLowerCase()),
        words,
        ownWords: own.length === 0 ? words : own,
        said: saidOf(column),
        isPrimary: table.primaryKey.includes(column.name),
        leadsTo: [],
        ledToBy: [],
        kind: kindOf(column),
        isLabel:
          column === label ||
          (kindOf(column) === 'text' && words.some(word => naming.has(vocabulary[word] ?? ''))),
      }
      known.columns.push(made)
      columns.push(made)
    }
  }

  const byPlace = new Map(columns.map(known => [columnKey(known.table.name, known.column.name), known]))
  const byTableName = new Map(tables.map(table => [table.name, table]))
  const keys = makeKeyGraph(catalog, (table, column) => tables[table]!.columns[column]!)
  for (const { from, to } of keys.edges) {
    const [near, far] = [tables[from.table]!, tables[to.table]!]
    if (near !== far) {
      near.neighbours.add(far)
      far.neighbours.add(near)
    }
    for (const [i, child] of from.columns.entries()) {
      const parent = to.columns[i]!
      child.leadsTo.push(parent)
      parent.ledToBy.push(child)
    }
  }
  const holders = new Float64Array(vocabulary.length)
  for (const { words } of columns) for (const word of words) holders[word]! += 1
  const rarity = holders.map(count => Math.log1p(columns.length / Math.max(1, count)))
  return {
    tables,
    columns,
    names: nameNumbers.size,
    vocabulary,
    wordAt,
    rarity,
    columnsByKey: byPlace,
    byTableName,
    keys,
  }
}

const naming: ReadonlySet<string> = new Set(['name', 'title', 'label'].map(stemWord))

const labelOf = (table: Table): Column | undefined => {
  const texts = table.columns.filter(
    column => kindOf(column) === 'text' && !table.primaryKey.includes(column.name),
  )
  return texts[0]
}

const kindOf = ({ kind, profile, name }: Column): ColumnKind => {
  switch (kind) {
    case 'integer':
    case 'number':
      return 'number'
    case 'date':
    case 'timestamp':
    case 'time':
      return 'date'
    case 'text':
    case 'unknown':
      if (profile?.numericText === true) return 'number'
      return /date|time\b/i.test(name) ? 'date' : 'text'
    default:
      return 'other'
  }
}

/** Words of everyday English that carry no meaning of their own, even if a schema uses them. */
const questionWords: ReadonlySet<string> = new Set(
  `a an the of in on at by for from to with without and or not is are was were be been do does did has have had
  how what which who whom whose when where why many much there their its it that this these those all any each every
  me my our we i you show list give find tell get display return per than more less most least between into over
  under as also both only please`.split(/\s+/),
)

/** Whether a folded word carries no meaning of its own. */
export const isQuestionWord = (folded: string): boolean => questionWords.has(folded)

/** The folded words of a text, in order. */
export const wordsIn = (folded: string): readonly string[] => folded.match(/[\p{L}\p{N}]+/gu) ?? []

/** The stems of the content words of a folded text, in order, with repetitions. */
const contentStems = (folded: string): readonly string[] =>
  wordsIn(folded)
    .filter(word => !questionWords.has(word))
    .map(stemWord)

/** Every word of a catalog's names. Names that run together may be split into them. */
const vocabularyOf = ({ tables }: Pick<Catalog, 'tables'>): ReadonlySet<string> =>
  new Set(
    tables.flatMap(({ name, columns }) =>
      [name, ...columns.map(column => column.name)].flatMap(splitName).filter(word => word.length > 2),
    ),
  )

/** The stems of a name's words, with run-together words split and abbreviations spelled out. */
const nameStems = (name: string, vocabulary: ReadonlySet<string>): readonly string[] =>
  splitName(name).flatMap(
    word =>
      expandAbbreviation(word) ??
      splitCompound(word, vocabulary)?.flatMap(part => expandAbbreviation(part) ?? [stemWord(part)]) ?? [
        stemWord(word),
      ],
  )

const expandAbbreviation = (word: string): readonly string[] | null =>
  abbreviations.get(word)?.map(stemWord) ?? null
