import { stemsOfName, stemsOfText } from '../../../sql/describe/nouns.ts'
import { type MismatchMeasure, partsOf } from '../question-and-sql.ts'

/** Words before the condition that name a column of the tables read, which no part of the statement uses. */
export const missingOutputs: MismatchMeasure = {
  name: 'missing-outputs',
  reason: 'the question asks for a column that the query does not use',
  measure: reading => {
    const outputs = partsOf(reading, 'output').filter(part => part.depth === 0)
    if (outputs.some(part => part.words === 'all columns')) return 0
    const used = new Set(
      reading.sql.parts.flatMap(part => [
        ...part.columns.flatMap(column => [...reading.stemsOf(column)]),
        ...part.tables.flatMap(table => stemsOfName(table, reading.catalog)),
        ...part.values.flatMap(({ value }) => stemsOfText(value)),
      ]),
    )
    const asked = reading.question.words
      .slice(0, reading.question.head)
      .filter(word => word.content && reading.columnStems.has(word.stem))
    return new Set(asked.map(word => word.stem).filter(stem => !used.has(stem))).size
  },
}

/** How far the number of outputs is from what the head of the question lists. */
export const outputCount: MismatchMeasure = {
  name: 'output-count',
  reason: 'the result has more or fewer columns than the question lists',
  measure: reading => {
    const outputs = partsOf(reading, 'output').filter(part => part.depth === 0)
    if (outputs.some(part => part.words === 'all columns')) return 0
    return Math.max(0, reading.listed.least - outputs.length, outputs.length - reading.listed.most)
  },
}
