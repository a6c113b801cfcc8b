import type { Sign } from '../../../sql/describe/describe-sql.ts'
import {
  hasSign,
  isKeyColumn,
  type MismatchMeasure,
  partsOf,
  type QuestionAndSql,
} from '../question-and-sql.ts'
import type { Cue } from '../question-cues.ts'

const asksFor = ({ question }: QuestionAndSql, ...cues: readonly Cue[]): boolean =>
  cues.some(cue => question.cues.has(cue))

const flag = (yes: boolean): number => (yes ? 1 : 0)

const hasAny = (reading: QuestionAndSql, ...signs: readonly Sign[]): boolean =>
  signs.some(sign => hasSign(reading, sign))

const ranks = (reading: QuestionAndSql): boolean =>
  partsOf(reading, 'limit').length > 0 || hasAny(reading, 'highest', 'lowest')

export const unaskedCount: MismatchMeasure = {
  name: 'unasked-count',
  reason: 'the result counts where the question does not ask how many',
  measure: reading =>
    flag(
      partsOf(reading, 'output').some(part => part.depth === 0 && part.signs.includes('count')) &&
        !asksFor(reading, 'count'),
    ),
}

export const missingCount: MismatchMeasure = {
  name: 'missing-count',
  reason: 'the question asks how many, and nothing is counted or added up',
  measure: reading =>
    flag(/\bhow many\b|\bcount\b/.test(reading.question.folded) && !hasAny(reading, 'count', 'sum')),
}

export const missingAverage: MismatchMeasure = {
  name: 'missing-average',
  reason: 'the question asks for an average that the query does not take',
  measure: reading => flag(asksFor(reading, 'average') && !hasAny(reading, 'average')),
}

export const unaskedAverage: MismatchMeasure = {
  name: 'unasked-average',
  reason: 'the query takes an average that the question does not ask for',
  measure: reading => flag(!asksFor(reading, 'average') && hasAny(reading, 'average')),
}

export const missingSum: MismatchMeasure = {
  name: 'missing-sum',
  reason: 'the question asks for a total, and nothing is added up or counted',
  measure: reading => flag(asksFor(reading, 'sum') && !hasAny(reading, 'sum', 'count')),
}

export const unaskedSum: MismatchMeasure = {
  name: 'unasked-sum',
  reason: 'the query adds up where the question asks for no total',
  measure: reading => flag(!asksFor(reading, 'sum', 'count') && hasAny(reading, 'sum')),
}

export const missingSuperlative: MismatchMeasure = {
  name: 'missing-superlative',
  reason: 'the question asks for the most or least of something, and the query does not rank',
  measure: reading =>
    flag(asksFor(reading, 'superlative') && !ranks(reading) && partsOf(reading, 'order').length === 0),
}

export const unaskedSuperlative: MismatchMeasure = {
  name: 'unasked-superlative',
  reason: 'the query keeps only the first rows, and the question does not ask for the most or least',
  measure: reading =>
    flag(partsOf(reading, 'limit').length > 0 && !asksFor(reading, 'superlative', 'highest', 'lowest')),
}

export const missingNegation: MismatchMeasure = {
  name: 'missing-negation',
  reason: 'the question says "not" or "without", and the query does not',
  measure: reading =>
    flag(
      asksFor(reading, 'negation') && !hasAny(reading, 'negation', 'missing', 'except', 'less', 'at-most'),
    ),
}

export const unaskedNegation: MismatchMeasure = {
  name: 'unasked-negation',
  reason: 'the query leaves something out that the question does not exclude',
  measure: reading =>
    flag(
      !asksFor(reading, 'negation') &&
        reading.sql.parts.some(({ kind, signs, values }) =>
          // Two keys that differ are how SQL pairs rows of one table.
          kind === 'set' ? signs.includes('except') : signs.includes('negation') && values.length > 0,
        ),
    ),
}

export const missingGroups: MismatchMeasure = {
  name: 'missing-groups',
  reason: 'the question asks for each of something, and the query does not group',
  measure: reading =>
    flag(
      asksForGroups(reading) &&
        hasAny(reading, 'count', 'sum', 'average', 'highest', 'lowest') &&
        partsOf(reading, 'group').length === 0,
    ),
}

/** "Each" with a word behind it that names something of the tables read; "each time" names nothing. */
const asksForGroups = ({ question, columnStems, namesTable, sql }: QuestionAndSql): boolean => {
  const tables = sql.parts.flatMap(part => part.tables)
  return question.words.some(
    ({ folded }, at) =>
      /^(?:each|per|every)$/.test(folded) &&
      question.words
        .slice(at + 1, at + 3)
        .some(
          ({ stem }) =>
            columnStems.has(stem) ||
            tables.some(
              table => namesTable(table) > 0 && stem.length > 2 && table.toLowerCase().includes(stem),
            ),
        ),
  )
}

export const unaskedGroups: MismatchMeasure = {
  name: 'unasked-groups',
  reason: 'the result is split by something that the question does not name',
  measure: reading =>
    partsOf(reading, 'group').filter(
      part =>
        part.depth === 0 &&
        part.columns.every(
          column =>
            reading.namesColumn(column) < NAMED &&
            // Grouping by a key is asking for each of its table.
            !(
              isKeyColumn(column, reading.catalog) &&
              column.table !== null &&
              reading.namesTable(column.table) >= NAMED
            ),
        ),
    ).length,
}

const NAMED = 0.4

export const missingDistinct: MismatchMeasure = {
  name: 'missing-distinct',
  reason: 'the question asks for distinct values, and the query may repeat them',
  measure: reading =>
    flag(
      asksFor(reading, 'distinct') &&
        !hasAny(reading, 'distinct', 'both', 'either', 'except') &&
        partsOf(reading, 'group').length === 0,
    ),
}

export const missingOrder: MismatchMeasure = {
  name: 'missing-order',
  reason: 'the question asks for an order that the query does not give',
  measure: reading => flag(asksFor(reading, 'order') && partsOf(reading, 'order').length === 0),
}

export const unaskedOrder: MismatchMeasure = {
  name: 'unasked-order',
  reason: 'the query orders rows in a way that the question does not ask for',
  measure: reading =>
    flag(
      !asksFor(reading, 'order', 'superlative', 'highest', 'lowest', 'ascending', 'descending') &&
        partsOf(reading, 'order').some(part => part.depth === 0),
    ),
}

export const missingComparison: MismatchMeasure = {
  name: 'missing-comparison',
  reason: 'the question says "more than", "before" or the like, and the query has no such comparison',
  measure: reading =>
    flag(
      asksFor(reading, 'comparative') &&
        !hasAny(reading, 'more', 'less', 'at-least', 'at-most', 'between', 'pattern') &&
        partsOf(reading, 'limit').length === 0,
    ),
}

export const unaskedComparison: MismatchMeasure = {
  name: 'unasked-comparison',
  reason: 'the query compares by size, and the question does not',
  measure: reading =>
    flag(
      !asksFor(reading, 'more', 'less', 'at-least', 'at-most', 'between', 'comparative') &&
        hasAny(reading, 'more', 'less', 'at-least', 'at-most'),
    ),
}

/** "More than 3" leaves 3 out, "at least 3" keeps it. */
export const wrongBound: MismatchMeasure = {
  name: 'wrong-bound',
  reason: 'the query includes or excludes the boundary value, where the question says otherwise',
  measure: reading => {
    const { folded } = reading.question
    const keeps = asksFor(reading, 'at-least', 'at-most')
    const strict = /\b(?:more|less|fewer|greater|larger|smaller|higher|lower|older|younger) than\b/.test(
      folded.replace(/\b(?:no|not) (?:more|less|fewer|greater|larger|smaller|higher|lower) than\b/g, ''),
    )
    const values = reading.sql.parts.some(part =>
      part.values.some(
        ({ value, kind }) => kind === 'number' && reading.question.numbers.includes(Number(value)),
      ),
    )
    if (!values || keeps === strict) return 0
    return flag(keeps ? hasAny(reading, 'more', 'less') : hasAny(reading, 'at-least', 'at-most'))
  },
}

export const missingBoth: MismatchMeasure = {
  name: 'missing-both',
  reason: 'the question asks for what meets two conditions at once, and the query does not',
  measure: reading =>
    flag(
      /\bboth\b.*\band\b/.test(reading.question.folded) &&
        !hasAny(reading, 'both') &&
        reading.sql.parts.every(part => part.depth === 0),
    ),
}

export const missingEither: MismatchMeasure = {
  name: 'missing-either',
  reason: 'the question says "or", and the query does not',
  measure: reading =>
    flag(
      /\bor\b(?! (?:more|less|fewer|higher|lower|above|below|later|earlier|older|equal))/.test(
        reading.question.folded,
      ) && !hasAny(reading, 'or', 'either', 'between', 'at-least', 'at-most'),
    ),
}

export const unaskedEither: MismatchMeasure = {
  name: 'unasked-either',
  reason: 'the query accepts any of several values, and the question does not',
  measure: reading =>
    flag(
      !asksFor(reading, 'or', 'either') &&
        reading.sql.parts.some(
          ({ signs }) => (signs.includes('or') || signs.includes('either')) && !signs.includes('missing'),
        ),
    ),
}

export const unaskedKeeping: MismatchMeasure = {
  name: 'unasked-keeping',
  reason: 'the query keeps rows without partners, and the question does not ask for them',
  measure: reading => // A test for missing partners is how SQL says "without".
    flag(hasAny(reading, 'all-kept') && !hasAny(reading, 'missing') && !asksFor(reading, 'all-kept')),
}
