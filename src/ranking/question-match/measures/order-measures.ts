import { adjectives } from '../../../lib/lexicon/adjectives.ts'
import type { DescribedPart } from '../../../sql/describe/describe-sql.ts'
import { type MismatchMeasure, partsOf, type QuestionAndSql } from '../question-and-sql.ts'

type SortDirection = 'up' | 'down'

/**
 * Which end of an order the question asks for: by "highest" and "lowest", or by an adjective that measures, which goes
 * the other way over some columns (the oldest has the earliest date of birth). Null where it says nothing, or both.
 */
const askedEnd = ({ question }: QuestionAndSql, part: DescribedPart): SortDirection | null => {
  const { folded } = question
  const ways = new Set<SortDirection>()
  const names = part.columns.flatMap(({ column }) => column.toLowerCase().split(/[^a-z]+/))
  for (const { forms, more, less } of adjectives) {
    if (forms.superlative === '' || forms.base === '-') continue
    if (!new RegExp(`\\b${forms.superlative}\\b`).test(folded)) continue
    const hits = (list: readonly string[]) => names.some(name => list.some(word => name.includes(word)))
    if (hits(more)) ways.add('up')
    else if (hits(less)) ways.add('down')
  }
  if (ways.size === 0) {
    if (/\b(?:highest|largest|greatest|biggest|maximum|max)\b|(?<!at )\bmost\b/.test(folded)) ways.add('up')
    if (/\b(?:lowest|smallest|fewest|minimum|min)\b|(?<!at )\bleast\b/.test(folded)) ways.add('down')
  }
  const [way, other] = [...ways]
  return way === undefined || other !== undefined ? null : way
}

/** The order behind a LIMIT, or MIN and MAX, at the other end than the question asks for. */
export const wrongEnd: MismatchMeasure = {
  name: 'wrong-end',
  reason: 'the query takes the opposite end from the one the question asks for',
  measure: reading => {
    const limited = partsOf(reading, 'limit').length > 0
    const orders = limited
      ? partsOf(reading, 'order').map(part => ({
          part,
          way: part.signs.includes('descending') ? 'up' : 'down',
        }))
      : []
    const extremes = reading.sql.parts
      .filter(part => part.signs.includes('highest') !== part.signs.includes('lowest'))
      .map(part => ({ part, way: part.signs.includes('highest') ? 'up' : 'down' }))
    return [...orders, ...extremes].filter(({ part, way }) => {
      const asked = askedEnd(reading, part)
      return asked !== null && asked !== way
    }).length > 0
      ? 1
      : 0
  },
}

/** ORDER BY in the other direction than the question says. */
export const wrongDirection: MismatchMeasure = {
  name: 'wrong-direction',
  reason: 'the rows are ordered in the other direction than the question says',
  measure: reading => {
    if (partsOf(reading, 'limit').length > 0) return 0
    const { folded } = reading.question
    const down =
      /\b(?:descending|decreasing|desc|reverse|from (?:the )?(?:highest|oldest|most|largest|latest|high))\b/.test(
        folded,
      )
    const up =
      /\b(?:ascending|increasing|asc|alphabetical(?:ly)?|from (?:the )?(?:lowest|youngest|least|smallest|earliest|low))\b/.test(
        folded,
      )
    const [order] = partsOf(reading, 'order').filter(part => part.depth === 0)
    if (order === undefined || down === up) return 0
    // "From the oldest" over a date of birth is ascending.
    const turned =
      /\b(?:oldest|youngest)\b/.test(folded) &&
      order.columns.some(({ column }) => /birth|date|year/i.test(column))
    const asked = down !== turned ? 'descending' : 'ascending'
    return order.signs.includes(asked) ? 0 : 1
  },
}

/** Ranks by a column that no word of the question names, where it names another one that could be ranked by. */
export const unaskedRanking: MismatchMeasure = {
  name: 'unasked-ranking',
  reason: 'the rows are ranked by something that the question does not name',
  measure: reading =>
    partsOf(reading, 'order').filter(
      part =>
        part.columns.length > 0 &&
        !part.signs.includes('count') &&
        part.columns.every(column => reading.namesColumn(column) < 0.4) &&
        !adjectives.some(({ forms, more, less }) =>
          [forms.superlative, forms.comparative].some(
            form =>
              form !== '' &&
              reading.question.folded.includes(form) &&
              part.columns.some(({ column }) =>
                [...more, ...less].some(word => column.toLowerCase().includes(word)),
              ),
          ),
        ),
    ).length,
}
