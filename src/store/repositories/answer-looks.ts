import { z } from 'zod'
import type { AnswerDisplay } from '../../core/answered-question.ts'
import type { Tx } from '../../core/tx.ts'
import type { Within } from '../transactions.ts'

const VIEWS = 'querent.answer_looks'
const CHARTS = 'querent.result_charts'

const ViewRow = z.object({ look: z.enum(['table', 'chart']) })
const ChartRow = z.object({ file_id: z.string(), alt_text: z.string() })

/** A picture of a result that the platform has and can show. */
export interface StoredChart {
  readonly fileId: string
  readonly altText: string
}

/** Makes the queries over how answers are looked at. */
export const makeAnswerViews = (within: Within) => ({
  /** Keeps how an answer is looked at from now on. */
  choose: async (questionId: string, look: AnswerDisplay, tx?: Tx): Promise<void> => {
    await within(tx)(VIEWS).insert({ question_id: questionId, look }).onConflict('question_id').merge()
  },

  /** Null where nobody has chosen. */
  find: async (questionId: string, tx?: Tx): Promise<AnswerDisplay | null> => {
    const row: unknown = await within(tx)(VIEWS).where({ question_id: questionId }).first('look')
    return row === undefined ? null : ViewRow.parse(row).look
  },

  /** Keeps which file shows a result. */
  keepChart: async (questionId: string, resultId: string, chart: StoredChart, tx?: Tx): Promise<void> => {
    await within(tx)(CHARTS)
      .insert({
        result_id: resultId,
        question_id: questionId,
        file_id: chart.fileId,
        alt_text: chart.altText,
      })
      .onConflict('result_id')
      .merge()
  },

  findChart: async (resultId: string, tx?: Tx): Promise<StoredChart | null> => {
    const found: unknown = await within(tx)(CHARTS).where({ result_id: resultId }).first()
    if (found === undefined) return null
    const row = ChartRow.parse(found)
    return { fileId: row.file_id, altText: row.alt_text }
  },
})
