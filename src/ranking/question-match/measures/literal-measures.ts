import { type MismatchMeasure, partsOf } from '../question-and-sql.ts'

/** Texts that the statement compares to and the question does not have. */
export const inventedTexts: MismatchMeasure = {
  name: 'invented-texts',
  reason: 'the query looks for a text that the question does not have',
  measure: reading =>
    reading.sql.parts.flatMap(part =>
      part.values.filter(
        ({ value, kind }) => kind === 'text' && !reading.hasText(value.replaceAll('%', ' ')),
      ),
    ).length,
}

/** Numbers of conditions that the question does not have. 0 and 1 are often only how "none" and "any" are written. */
export const inventedNumbers: MismatchMeasure = {
  name: 'invented-numbers',
  reason: 'the query has a number that the question does not',
  measure: reading =>
    partsOf(reading, 'filter', 'having', 'limit', 'join').flatMap(part =>
      part.values.filter(
        ({ value, kind }) =>
          kind === 'number' &&
          Number(value) > 1 &&
          !reading.question.numbers.some(one => isNear(one, Number(value))),
      ),
    ).length,
}

/** `more than 5` may be written as `>= 6`. */
const isNear = (asked: number, written: number): boolean =>
  asked === written || (Number.isInteger(asked) && Math.abs(asked - written) === 1)

/** Numbers of the question that no part has, be it inside a text. */
export const missingNumbers: MismatchMeasure = {
  name: 'missing-numbers',
  reason: 'the question has a number that the query does not',
  measure: reading => {
    const values = reading.sql.parts.flatMap(part => part.values)
    return reading.question.numbers.filter(
      // 0 and 1 are often only spoken of, and 1 may be the limit of a superlative.
      number =>
        number > 1 &&
        !values.some(({ value, kind }) =>
          kind === 'number' ? isNear(number, Number(value)) : value.includes(String(number)),
        ),
    ).length
  },
}

/** Texts of the question in quotation marks that no literal has. */
export const missingQuotes: MismatchMeasure = {
  name: 'missing-quotes',
  reason: 'the question quotes a text that the query does not look for',
  measure: reading => {
    const values = reading.sql.parts.flatMap(part => part.values.map(({ value }) => value.toLowerCase()))
    return reading.question.quotes.filter(quote => !values.some(value => value.includes(quote.toLowerCase())))
      .length
  },
}

/** Texts whose letters differ in case from how the question writes them: equality is exact in most databases. */
export const recasedTexts: MismatchMeasure = {
  name: 'recased-quotes',
  reason: 'the query spells a quoted text differently from the question',
  measure: reading => {
    const values = reading.sql.parts.flatMap(part => part.values.map(({ value }) => value))
    return reading.question.quotes.filter(
      quote =>
        !values.some(value => value.includes(quote)) &&
        values.some(value => value.toLowerCase().includes(quote.toLowerCase())),
    ).length
  },
}
