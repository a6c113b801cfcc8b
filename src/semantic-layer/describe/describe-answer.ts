import type { DescribeAnswer } from '../../domain/metrics/answer-meaning.ts'
import { prepareLayer } from '../read-metric-question.ts'
import { describeMetricQuery } from './describe-metric-query.ts'
import { describeStatement } from './describe-statement.ts'

/** How questions begin that want a yes or no. */
const yesNo =
  /^(?:did|do|does|is|are|was|were|has|have)\s+(?:there|we|any|anyone|anybody|somebody|someone)\b/i

/** Describes an answer by the layer of its database; without one, by what its catalog suggests. */
export const describeAnswer: DescribeAnswer = ({ sql, meaning, understanding, database }) => {
  const { index, compile } = prepareLayer(database)
  const { text, spans, today, timeZone } = understanding
  if (meaning?.sql === sql) return describeMetricQuery(meaning, { index, compile, today, timeZone })
  const subject = describeStatement(sql, { index, catalog: database.catalog, spans })
  return subject && { ...subject, isYesNo: yesNo.test(text.trim()) }
}
