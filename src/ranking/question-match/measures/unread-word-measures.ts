import { stemSimilarity, stemsOfName, stemsOfText } from '../../../sql/describe/nouns.ts'
import { type MismatchMeasure, otherForms, type QuestionAndSql } from '../question-and-sql.ts'
import type { QuestionWord } from '../question-words.ts'

/** Stems of everything that a statement names: tables, columns, values. */
const spokenStems = ({ sql, catalog }: QuestionAndSql): ReadonlySet<string> =>
  new Set(
    sql.parts.flatMap(part => [
      ...part.tables.flatMap(table => stemsOfName(table, catalog)),
      ...part.columns.flatMap(({ column }) => stemsOfName(column, catalog)),
      ...part.values.flatMap(({ value }) => [value, ...otherForms(value)].flatMap(stemsOfText)),
    ]),
  )

const UNSPOKEN = 0.5

const unspoken = (reading: QuestionAndSql): readonly QuestionWord[] => {
  const spoken = spokenStems(reading)
  return reading.question.words.filter(
    word =>
      word.content &&
      !/^\d/.test(word.folded) &&
      stemSimilarity(word.stem, spoken) < UNSPOKEN &&
      !reading.sql.parts.some(part => part.values.some(({ value }) => isInValue(word.folded, value))),
  )
}

/** `Air` in `AirFrance`: values are matched inside words as well. */
const isInValue = (word: string, value: string): boolean =>
  word.length > 3 && value.toLowerCase().includes(word)

/** Words that a table or column of the catalog is named by, though this statement reads none of them. */
export const unreadSchemaWords: MismatchMeasure = {
  name: 'unread-schema-words',
  reason: 'the question names a table or column that the query does not read',
  measure: reading => {
    const { catalog } = reading
    const named = new Set(
      catalog.tables.flatMap(table => [
        ...stemsOfName(table.name, catalog),
        ...table.columns.flatMap(column => stemsOfName(column.name, catalog)),
      ]),
    )
    return unspoken(reading).filter(word => named.has(word.stem)).length
  },
}

/** The share of the question's content words that no part speaks of. */
export const unreadWords: MismatchMeasure = {
  name: 'unread-words',
  reason: 'the query leaves out words of the question',
  measure: reading => {
    const content = reading.question.words.filter(word => word.content)
    return content.length === 0 ? 0 : unspoken(reading).length / content.length
  },
}

/** Quoted and capitalised words that stand in no value and no name of the statement. */
export const unreadNames: MismatchMeasure = {
  name: 'unread-names',
  reason: 'the query leaves out a name or a quoted text of the question',
  measure: reading => unspoken(reading).filter(word => word.named).length,
}
