import { contextBlock } from '../block-kit/blocks.ts'
import { slackLimits } from '../block-kit/limits.ts'
import type { SlackBlock } from '../block-kit/schema.ts'
import type { FittedTable } from '../block-kit/table.ts'
import { escapeAndTruncate, mention } from '../block-kit/text.ts'
import {
  confirmedBy,
  formatConfidence,
  formatVotes,
  readAt,
  revisedBy,
  savedAnswerAge,
  sourceOf,
} from '../copy/answer.ts'
import { formatCount } from '../copy/counts.ts'
import type { AnswerView } from './answer.ts'
import { formatTruncation } from './result.ts'

const SEPARATOR = '  ·  '

/**
 * The one line that says what an answer is worth: who vouches for it, its period and filters, how much of the result is
 * shown, how sure I am, when the rows were read, from where, and how people voted.
 */
export const answerContext = (view: AnswerView, fitted: FittedTable | null): SlackBlock => {
  const people = [
    ...(view.revision ? [revisedBy(view.revision.kind, mention(view.revision.person))] : []),
    ...(view.approvedBy ? [confirmedBy(mention(view.approvedBy))] : []),
  ].join(SEPARATOR)
  const facts = [
    ...view.periods,
    ...view.filters,
    fitted ? formatTruncation(view.table, fitted) : null,
    view.chart ? formatCount(view.table.rows.length, 'row') : null,
    // The confidence of the first answer says nothing about what a person chose or wrote.
    view.revision ? null : formatConfidence(view.confidence),
    view.cachedForMs === undefined ? null : savedAnswerAge(view.cachedForMs),
    readAt(view.answeredAt, view.timeZone),
    sourceOf(view.database),
    formatVotes(view.votes),
  ].filter(fact => fact !== null && fact !== '')
  const room = slackLimits.sectionField - people.length - SEPARATOR.length
  const text = escapeAndTruncate(facts.join(SEPARATOR), room)
  return contextBlock(people === '' ? text : `${people}${SEPARATOR}${text}`)
}
