import { formatDays } from '../../lib/format-figure.ts'
import type { Assumption, BreakdownAssumption } from '../interpretation.ts'
import { changeText } from './follow-ups.ts'
import { modelFailureText } from './unanswered.ts'

/**
 * Words an assumption in one sentence.
 *
 * @example assumptionText({ kind: 'value', phrase: 'Norway', column: 'country of the order', value: 'Norway' })
 * // I took “Norway” as the country of the order.
 */
export const assumptionText = (assumption: Assumption): string => {
  switch (assumption.kind) {
    case 'period':
      return periodText(assumption)
    case 'value': {
      const { phrase, column, value } = assumption
      const isSpelledOut = phrase.toLowerCase() === value.toLowerCase()
      return `I took “${phrase}” as ${isSpelledOut ? '' : `“${value}”, `}the ${column}.`
    }
    case 'definition':
      return `${assumption.label} is the ${assumption.meaning}.`
    case 'counted-by': {
      const { what, date, days, timeZone } = assumption
      return `${what} by ${date}: ${days}${timeZone === null ? '' : ` (${timeZone})`}.`
    }
    case 'spelling':
      return `I took “${assumption.from}” as “${assumption.to}”.`
    case 'ignored':
      return `I ignored ${assumption.words.map(word => `“${word}”`).join(' and ')}.`
    case 'follow-up':
      return `Same as before, ${assumption.changes.map(changeText).join(', ')}.`
    case 'rewritten':
      return `I read this as “${assumption.question}”.`
    case 'meaning': {
      const { phrase, meaning } = assumption
      return phrase === null ? `I took it as: ${meaning}.` : `I took “${phrase}” as: ${meaning}.`
    }
    case 'option':
      return `${optionText[assumption.chosenBy]}: ${assumption.label}.`
    case 'verified-query': {
      const { question, replaced } = assumption
      const changes = replaced.map(({ from, to }) => `“${to}” instead of “${from}”`)
      return `This follows the verified question “${question}”${changes.length === 0 ? '' : `, with ${changes.join(', ')}`}.`
    }
    case 'newest-rows': {
      const { table, rows, by } = assumption
      return `I read only the newest ${rows.toLocaleString('en-US')} rows of ${table}, by ${by}.`
    }
    case 'no-model':
      return modelFailureText(assumption.failure)
    default:
      return breakdownText(assumption)
  }
}

const optionText = {
  person: 'You chose',
  'no-reply': 'Nobody replied, so I took',
  'unclear-reply': 'Your reply named no option, so I took',
} as const

const periodText = ({
  phrase,
  from,
  until,
  column,
  timeZone,
}: Extract<Assumption, { readonly kind: 'period' }>): string =>
  `“${phrase}” means ${formatDays(from, until)} (${column}${timeZone === null ? '' : `, ${timeZone} time`}).`

const breakdownText = (assumption: BreakdownAssumption): string => {
  switch (assumption.kind) {
    case 'compared-periods':
      return `I compared ${assumption.subject} with ${assumption.beside}, by ${assumption.column}.`
    case 'unfinished-period':
      return `${assumption.period} is not over yet, so its numbers are those so far.`
    case 'compared-with-all':
      return `I compared “${assumption.value}” (${assumption.column}) with all of them together.`
    case 'one-measure':
      return `I broke down only ${assumption.column === null ? 'the number of rows' : `the ${assumption.column}`}.`
    case 'no-breakdown':
      return 'No column has few enough values to break this down by.'
    case 'weak-breakdown':
      return `No breakdown tells much more than the one by ${assumption.dimension}.`
    case 'other-breakdowns':
      return `I also looked at ${assumption.dimensions.join(', ')}.`
    case 'breakdown-is-no-cause':
      return 'A breakdown shows where a number comes from, not what caused it.'
    default: {
      const never: never = assumption
      return never
    }
  }
}
