import type { AnswerDisplay, AnsweredQuestion } from '../core/answered-question.ts'
import type { FindChartShape } from '../core/chart.ts'
import { parseDatabaseRef } from '../core/database-view.ts'
import type { ResultTable } from '../core/result.ts'
import type { LoadResult } from '../core/saved-result.ts'
import type { SlackMessage } from './check-message.ts'
import { type AnswerView, answerView } from './views/answer.ts'

/** The message of an answer as it stands. `chart` shows a picture that is not kept yet. */
export type AnswerMessage = (answered: AnsweredQuestion, chart?: AnswerView['chart']) => Promise<SlackMessage>

const emptyResult: ResultTable = { columns: [], rows: [], truncated: null, milliseconds: 0 }

/** Makes it: what is stored about an answer, put together for the view. */
export const makeAnswerMessage =
  (deps: {
    readonly loadResult: LoadResult
    readonly findChart: (resultId: string) => Promise<AnswerView['chart']>
    readonly findShape: FindChartShape
    /** Whether there are people who look at answers. */
    readonly asksHumans: boolean
  }): AnswerMessage =>
  async (answered, chart) => {
    const { question, resultId } = answered
    const table = (await deps.loadResult(resultId)) ?? emptyResult
    const shape = deps.findShape(table)
    const wanted = chooseDisplay(answered, shape)
    return answerView({
      ...answered,
      questionId: question.id,
      database: parseDatabaseRef(question.database).database,
      timeZone: question.timeZone,
      table,
      chart: wanted === 'chart' ? (chart ?? (await deps.findChart(resultId))) : null,
      canChart: shape !== 'none',
      asksHumans: deps.asksHumans,
    })
  }

/** What runs over time is a picture unless somebody wants the table; the rest is a table unless somebody wants a picture. */
export const chooseDisplay = (
  { look }: Pick<AnsweredQuestion, 'look'>,
  shape: ReturnType<FindChartShape>,
): AnswerDisplay => {
  if (shape === 'none') return 'table'
  return look ?? (shape === 'series' ? 'chart' : 'table')
}
