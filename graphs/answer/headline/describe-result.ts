import type { AnswerSubject } from '../../../src/domain/metrics/answer-meaning.ts'
import { withMeaning } from '../../../src/domain/metrics/answer-meaning.ts'
import type { ResultTable } from '../../../src/domain/result.ts'
import { addDays, formatPeriod } from '../../../src/lib/format-figure.ts'
import { formatHeadline } from '../headline.ts'
import { composeHeadline } from './compose-headline.ts'

/** A result with its headline, and with what its columns mean if that is known. */
export interface DescribedResult {
  readonly headline: string
  readonly table: ResultTable
  readonly subject: AnswerSubject | null
}

/**
 * Puts a result in words. What cannot be described, or has other columns than its description, has a headline that
 * counts its rows.
 */
export const describeResult = (
  table: ResultTable,
  today: string,
  describe: () => AnswerSubject | null | undefined,
): DescribedResult => {
  const subject = describe() ?? null
  const headline = subject && composeHeadline(subject, table, today)
  if (subject === null || headline === null) return { headline: formatHeadline(table), table, subject: null }
  const columns = subject.columns.map(meaning =>
    meaning.role.kind === 'period' ? { ...meaning, role: { ...meaning.role, runningOn: today } } : meaning,
  )
  return { headline, table: withMeaning(table, columns) ?? table, subject }
}

/**
 * When there was something, if there was nothing in the period of a question: "The latest order is from Nov 12, 2026."
 * `extent` has the first and the last moment. Null if there was something before and after it, or never.
 */
export const nearestMoment = (subject: AnswerSubject, extent: ResultTable | null): string | null => {
  const [first, last] = (extent?.rows[0] ?? []).map(cell =>
    cell === null ? null : String(cell).slice(0, 10),
  )
  const { period, rowsOf, countsOf, conditions } = subject
  const noun = rowsOf ?? countsOf
  if (!period || !noun || !first || !last) return null
  const places = conditions.filter(({ kind }) => kind === 'place').map(({ words }) => ` from ${words}`)
  const what = `${noun.singular}${places.join('')}`
  if (period.from !== null && last < period.from)
    return `The latest ${what} is from ${formatPeriod(last, 'day')}.`
  if (period.until !== null && first > addDays(period.until, -1))
    return `The first ${what} is from ${formatPeriod(first, 'day')}.`
  return null
}
