import { ModelError } from '../../../src/domain/errors.ts'
import type { AskForHeadline } from '../../../src/domain/model.ts'
import type { ModelUsage } from '../../../src/domain/operations/usage.ts'
import { formatCell } from '../../../src/lib/format-cell.ts'
import { formatMeant, headingOf } from '../../../src/lib/format-figure.ts'
import { checkHeadline } from './check-headline.ts'
import { type HeadlineSource, headlineFacts } from './headline-facts.ts'
import { periodText } from './period-text.ts'

/** What phrasing a headline needs beside its facts. */
interface PhraseInput extends HeadlineSource {
  /** The day (ISO) of the question. */
  readonly today: string
  readonly questionId: string
  readonly signal?: AbortSignal
}

/** Has a headline put in a person's words. Gives the composed one if the model fails, or says what does not follow. */
export type PhraseHeadline = (
  input: PhraseInput,
) => Promise<{ readonly headline: string; readonly usage: ModelUsage }>

/**
 * Makes it. The model gets the question, the composed headline, what is measured and the period; without `seesRows` no
 * row. Throws only if the question is stopped.
 */
export const makePhraseHeadline =
  (deps: { readonly askForHeadline: AskForHeadline; readonly seesRows: boolean }): PhraseHeadline =>
  async input => {
    const { question, composed, questionId, signal } = input
    try {
      const { value, usage } = await deps.askForHeadline({
        role: 'explainer',
        prompt: 'explain-answer',
        variables: {
          question,
          headline: composed,
          facts: describeFacts(input),
          rows: deps.seesRows ? describeRows(input) : 'Not shown here.',
        },
        questionId,
        ...(signal ? { signal } : {}),
      })
      return { headline: checkHeadline(value, input) ?? composed, usage }
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof ModelError)) throw error
      // A call that failed was still paid for.
      return { headline: composed, usage: error.usage }
    }
  }

const describeFacts = ({ table, subject, today }: PhraseInput): string => {
  const measures = table.columns.filter(({ meaning }) => meaning?.role.kind === 'figure').map(headingOf)
  const when = subject?.period ? periodText(subject.period, today) : ''
  return [
    ...(measures.length > 0 ? [`Measured: ${measures.join(', ')}`] : []),
    ...(when === '' ? [] : [`Period: ${when}`]),
    `Rows: ${table.truncated === null ? '' : 'more than '}${table.rows.length.toLocaleString('en-US')}`,
  ].join('\n')
}

const MOST_COLUMNS = 8

const LONGEST_CELL = 60

/** The rows that a headline may be about, in the form in which the answer shows them. */
const describeRows = (input: PhraseInput): string => {
  const { columns, rows } = input.table
  const shown = columns.slice(0, MOST_COLUMNS)
  const lines = headlineFacts(input).rows.map(row =>
    shown
      .map((column, at) => {
        const cell = rows[row]?.[at] ?? null
        const text =
          formatMeant(cell, column) ??
          formatCell(cell, { grouped: true, maxLength: LONGEST_CELL, kind: column.kind })
        return text.replace(/\s+/g, ' ').slice(0, LONGEST_CELL)
      })
      .join(' | '),
  )
  return [shown.map(headingOf).join(' | '), ...lines].join('\n')
}
