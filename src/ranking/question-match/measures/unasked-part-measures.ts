import type { DescribedPart } from '../../../sql/describe/describe-sql.ts'
import { isKeyColumn, type MismatchMeasure, partsOf, type QuestionAndSql } from '../question-and-sql.ts'

const NAMED = 0.4

const asks = (reading: QuestionAndSql, part: DescribedPart): boolean =>
  part.columns.length === 0 || part.columns.some(column => reading.namesColumn(column) >= NAMED)

/** Tables that the question names with no word, but for those that only link two others. */
export const unaskedTables: MismatchMeasure = {
  name: 'unasked-tables',
  reason: 'the query reads a table that the question does not mention',
  measure: reading => {
    const tables = [...new Set(reading.sql.parts.flatMap(part => part.tables))]
    const read = new Set(
      reading.sql.parts
        .filter(part => part.kind !== 'source' && part.kind !== 'join')
        .flatMap(part => part.columns.filter(column => reading.namesColumn(column) >= NAMED))
        .flatMap(({ table }) => (table === null ? [] : [table])),
    )
    const unasked = tables.filter(table => reading.namesTable(table) < NAMED && !read.has(table))
    return tables.length === 1 ? 0 : unasked.length
  },
}

/** Outputs of the statement itself that no word of the question names; counts and the like are asked for by cues. */
export const unaskedOutputs: MismatchMeasure = {
  name: 'unasked-outputs',
  reason: 'the result has a column that the question does not ask for',
  measure: reading =>
    partsOf(reading, 'output').filter(part => part.depth === 0 && !asks(reading, part)).length,
}

/** Outputs that the question names, if at all, only behind the word that begins its condition. */
export const outputsFromConditions: MismatchMeasure = {
  name: 'outputs-from-conditions',
  reason: 'the result has a column that the question only sets a condition on',
  measure: reading => {
    const conditions = partsOf(reading, 'filter', 'having', 'order')
    return partsOf(reading, 'output').filter(
      part =>
        part.depth === 0 &&
        part.columns.length > 0 &&
        part.signs.length === 0 &&
        conditions.some(other =>
          other.columns.some(column =>
            part.columns.some(own => own.column === column.column && own.table === column.table),
          ),
        ) &&
        !isNamedInHead(reading, part),
    ).length
  },
}

const isNamedInHead = (reading: QuestionAndSql, part: DescribedPart): boolean =>
  part.columns.some(column => reading.headNames(column) >= NAMED)

/** Filters on columns that the question does not name, with no value of the question either. */
export const unaskedFilters: MismatchMeasure = {
  name: 'unasked-filters',
  reason: 'the query sets a condition that the question does not',
  measure: reading =>
    partsOf(reading, 'filter', 'having').filter(
      part =>
        part.columns.length > 0 &&
        !asks(reading, part) &&
        // Keys tie a subquery to its surroundings, and null tests tidy up.
        !part.columns.every(column => isKeyColumn(column, reading.catalog)) &&
        !part.signs.includes('missing') &&
        !part.values.some(({ value }) => reading.hasText(value)),
    ).length,
}

/** Identifiers in the result where the question does not ask for them. */
export const unaskedIdentifiers: MismatchMeasure = {
  name: 'unasked-identifiers',
  reason: 'the result has an identifier that the question does not ask for',
  measure: reading => {
    const asked = /\b(?:ids?|identifiers?|codes?|numbers?|keys?)\b/.test(reading.question.folded)
    if (asked) return 0
    return partsOf(reading, 'output').filter(
      ({ depth, signs, columns }) =>
        depth === 0 && signs.length === 0 && columns.some(({ column }) => /(?:^|_|[a-z])id$/i.test(column)),
    ).length
  },
}

/** All columns of a table where the question asks for some. */
export const allColumns: MismatchMeasure = {
  name: 'all-columns',
  reason: 'the result has all columns where the question asks for some',
  measure: reading =>
    partsOf(reading, 'output').some(({ depth, words }) => depth === 0 && words === 'all columns') &&
    !/\b(?:all|every|everything|information|details?|data|records?|rows?)\b/.test(reading.question.folded)
      ? 1
      : 0,
}
