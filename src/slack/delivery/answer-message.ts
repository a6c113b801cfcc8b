import type { WebClient } from '@slack/web-api'
import type { AnswerDisplay, AnsweredQuestion, FindAnsweredQuestion } from '../../domain/answer.ts'
import { parseDatabaseRef } from '../../domain/database.ts'
import type { OutboundMessageLog } from '../../domain/message.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { DrawChart, FindChartShape, LoadResult, ResultTable } from '../../domain/result.ts'
import type { SlackMessage } from '../block-kit/message.ts'
import { type AnswerView, answerView } from '../views/answer.ts'
import { updateWhenFilesReady, uploadChart } from './files.ts'

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
  { display: look }: Pick<AnsweredQuestion, 'display'>,
  shape: ReturnType<FindChartShape>,
): AnswerDisplay => {
  if (shape === 'none') return 'table'
  return look ?? (shape === 'series' ? 'chart' : 'table')
}

/**
 * Puts the chart of an answer into its message, where one is wanted and is not there yet. `shown`: the message is as the
 * answer stands. `outdated`: somebody changed the answer meanwhile, and the message must be shown again. `no-chart`: the
 * message was left alone.
 */
export type ShowChart = (questionId: string) => Promise<'shown' | 'outdated' | 'no-chart'>

/**
 * Makes it. The picture is uploaded without a channel and shown by the message itself; where Slack does not take it
 * after some tries, it is shared in the thread and the message keeps its table.
 */
export const makeShowChart = (deps: {
  readonly client: WebClient
  readonly findAnswered: FindAnsweredQuestion
  readonly loadResult: LoadResult
  readonly findShape: FindChartShape
  readonly drawChart: DrawChart
  readonly answerMessage: AnswerMessage
  readonly findChart: (resultId: string) => Promise<unknown>
  readonly keepChart: (
    questionId: string,
    resultId: string,
    chart: { readonly fileId: string; readonly altText: string },
  ) => Promise<void>
  readonly keepTable: (questionId: string) => Promise<void>
  readonly outbound: Pick<OutboundMessageLog, 'find'>
  readonly log: Log
}): ShowChart => {
  const { client, log } = deps

  return async questionId => {
    const answered = await deps.findAnswered(questionId)
    const posted = answered && (await deps.outbound.find(questionId, 'reply'))
    const table = answered && (await deps.loadResult(answered.resultId))
    if (!table || !posted?.ts) return 'no-chart'
    const shape = deps.findShape(table)
    if (chooseDisplay(answered, shape) !== 'chart') return 'no-chart'
    if ((await deps.findChart(answered.resultId)) !== null) return 'no-chart'
    const chart = await deps.drawChart(table)
    if (!chart) return 'no-chart'
    const { altText } = chart
    const fileId = await uploadChart(client, chart)
    const { text, blocks } = await deps.answerMessage(answered, { fileId, altText })
    const { channel, ts } = posted
    if (
      await updateWhenFilesReady(() =>
        client.chat.update({ channel, ts, text, blocks: [...blocks] as never }),
      )
    ) {
      await deps.keepChart(questionId, answered.resultId, { fileId, altText })
      const current = await deps.findAnswered(questionId)
      const stands = current?.resultId === answered.resultId && chooseDisplay(current, shape) === 'chart'
      return stands ? 'shown' : 'outdated'
    }
    log.warn({ questionId }, 'Slack does not take the chart in the message; sharing it in the thread')
    await deps.keepTable(questionId)
    await uploadChart(client, chart, { channel_id: channel, thread_ts: answered.location.thread })
    return 'no-chart'
  }
}
