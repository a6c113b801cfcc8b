import type { WebClient } from '@slack/web-api'
import type { FindAnsweredQuestion } from '../../core/answered-question.ts'
import type { DrawChart, FindChartShape } from '../../core/chart.ts'
import type { Log } from '../../core/log.ts'
import type { OutboundMessageLog } from '../../core/outbound.ts'
import type { LoadResult } from '../../core/saved-result.ts'
import { type AnswerMessage, chooseDisplay } from '../answer-message.ts'
import { updateWhenFilesReady } from './place-pictures.ts'
import { uploadChart } from './upload-chart.ts'

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
    await uploadChart(client, chart, { channel_id: channel, thread_ts: answered.place.thread })
    return 'no-chart'
  }
}
