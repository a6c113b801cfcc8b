import type { Catalog } from '../../domain/catalog.ts'
import { foldText } from '../../lib/fold-text.ts'
import { adjectives } from '../../lib/lexicon/adjectives.ts'
import { regionForms } from '../../lib/lexicon/regions.ts'
import { codeValues } from '../../lib/lexicon/value-forms.ts'
import { stemWord } from '../../lib/stem-word.ts'
import type {
  ColumnName,
  DescribedPart,
  DescribedSql,
  PartKind,
  Sign,
} from '../../sql/describe/describe-sql.ts'
import { findTable, fold } from '../../sql/describe/name-scope.ts'
import { stemSimilarity, stemsOfName, stemsOfText } from '../../sql/describe/nouns.ts'
import {
  countRequestedColumns,
  type QuestionWords,
  type RequestedColumns,
  readQuestionWords,
} from './question-words.ts'

/** A question and a statement side by side: what every measure of their difference reads. */
export interface QuestionAndSql {
  readonly question: QuestionWords
  readonly sql: DescribedSql
  readonly catalog: Catalog
  /** How well the question names a column, from 0 to 1: by the words of its name, or by its table where it is the key. */
  readonly namesColumn: (column: ColumnName) => number
  /** The same by the words before the question's first condition. */
  readonly headNames: (column: ColumnName) => number
  /** Stems of the columns of all tables that the statement reads. */
  readonly columnStems: ReadonlySet<string>
  readonly stemsOf: (column: ColumnName) => ReadonlySet<string>
  /** How many columns the question lists to be shown. */
  readonly listed: RequestedColumns
  /** How well the question names a table, from 0 to 1. */
  readonly namesTable: (table: string) => number
  /** Whether the question has a text in it, or most of its words. */
  readonly hasText: (text: string) => boolean
}

/** Lays a question and a statement side by side. */
export const makeQuestionAndSql = (question: string, sql: DescribedSql, catalog: Catalog): QuestionAndSql => {
  const words = readQuestionWords(question)
  const stems = new Set(words.words.map(word => word.stem))
  const implied = new Set([...stems, ...impliedStems(words.folded)])
  const head = new Set(words.words.slice(0, words.head).map(word => word.stem))
  const namesTable = (table: string): number => shareOf(stemsOfName(table, catalog), stems)
  const namesColumn = ({ table, column }: ColumnName, among: ReadonlySet<string>): number => {
    const own = stemsOfName(column, catalog)
    const ofTable = table === null ? [] : stemsOfName(table, catalog)
    const bare = own.filter(stem => !ofTable.includes(stem) && !qualifiers.has(stem))
    // `singer_id` is named by "singer", and `name` by the name of its table too.
    return Math.max(
      shareOf(bare, among),
      shareOf(own, among),
      bare.length === 0 ? shareOf(ofTable, among) : 0,
    )
  }
  const read = new Set(sql.parts.flatMap(part => part.tables))
  return {
    question: words,
    sql,
    catalog,
    namesTable,
    namesColumn: column => namesColumn(column, implied),
    headNames: column => namesColumn(column, head),
    columnStems: new Set(
      catalog.tables
        .filter(table => read.has(table.name))
        .flatMap(table => table.columns.flatMap(column => stemsOfName(column.name, catalog))),
    ),
    stemsOf: ({ column }) => new Set(stemsOfName(column, catalog)),
    listed: countRequestedColumns(words),
    hasText: text =>
      [text, ...otherForms(text)].some(form => {
        const parts = stemsOfText(form)
        if (parts.length === 0) return true
        return (
          parts.filter(part => stemSimilarity(part, stems) >= ALMOST_THE_SAME).length / parts.length >= MOST
        )
      }),
  }
}

/** Names of columns that an adjective measures: `youngest` speaks of an age or a date of birth. */
const impliedStems = (folded: string): readonly string[] =>
  impliedByForm.flatMap(({ pattern, stems }) => (pattern.test(folded) ? stems : []))

const impliedByForm = adjectives.flatMap(({ forms, more, less }) => {
  const written = [forms.base, forms.comparative, forms.superlative].filter(
    form => form !== '' && form !== '-',
  )
  if (written.length === 0) return []
  return [{ pattern: new RegExp(`\\b(?:${written.join('|')})\\b`), stems: [...more, ...less].map(stemWord) }]
})

const shareOf = (names: readonly string[], stems: ReadonlySet<string>): number => {
  let met = 0
  for (const name of names) met += stemSimilarity(name, stems)
  return names.length === 0 ? 0 : met / names.length
}

/** `USA` is American to people, and `F` female. */
export const otherForms = (text: string): readonly string[] => {
  const folded = foldText(text)
  const words = [...codeValues].filter(([, codes]) => codes.includes(folded)).map(([word]) => word)
  return [...regionForms(text), ...words]
}

const qualifiers: ReadonlySet<string> = new Set(['id', 'name', 'code', 'number'])

const ALMOST_THE_SAME = 0.7

const MOST = 0.5

/** The parts of some kinds. */
export const partsOf = ({ sql }: QuestionAndSql, ...kinds: readonly PartKind[]): readonly DescribedPart[] =>
  sql.parts.filter(part => kinds.includes(part.kind))

/** Whether any part does this. */
export const hasSign = ({ sql }: QuestionAndSql, sign: Sign): boolean =>
  sql.parts.some(part => part.signs.includes(sign))

/** One way in which a question and a statement may differ. */
export interface MismatchMeasure {
  /** How the measure is named in models and reports. */
  readonly name: string
  /** What a value above 0 says, for a person. */
  readonly reason: string
  /** 0 if nothing differs; otherwise a count or a share. */
  readonly measure: (reading: QuestionAndSql) => number
}

/** Whether a column is there to join by: part of a primary or foreign key, or called an id. Nobody asks for those. */
export const isKeyColumn = ({ table, column }: ColumnName, catalog: Catalog): boolean => {
  if (/(?:^|_)id$|[a-z]I[dD]$/i.test(column)) return true
  const found = table === null ? null : findTable(catalog, table)
  if (found === null) return false
  return (
    found.primaryKey.some(one => fold(one) === fold(column)) ||
    catalog.foreignKeys.some(
      ({ from }) =>
        fold(from.table) === fold(found.name) && from.columns.some(one => fold(one) === fold(column)),
    )
  )
}
