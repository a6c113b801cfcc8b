import { setTimeout as sleep } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { FindAnswered } from '../../core/answered-question.ts'
import type { DrawChart, FindChartShape } from '../../core/chart.ts'
import type { Log } from '../../core/log.ts'
import type { OutboundLog } from '../../core/outbound.ts'
import type { LoadResult } from '../../core/saved-result.ts'
import { type AnswerMessage, wantedLook } from '../answer-message.ts'
import { slackErrorCode } from './slack-error-code.ts'

/** Slack takes a while to process a file; until then no image block may show it. */
const TRIES = 6
const FIRST_PAUSE_MS = 250

/** Slack's ways to say that the file is not there yet. */
const notYet: ReadonlySet<string> = new Set(['invalid_blocks', 'slack_file_not_found'])

const uploaded = z.object({
  files: z.array(z.object({ files: z.array(z.object({ id: z.string() })).min(1) })).min(1),
})

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
  readonly findAnswered: FindAnswered
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
  readonly outbound: Pick<OutboundLog, 'find'>
  readonly log: Log
}): ShowChart => {
  const { client, log } = deps

  const upload = async (png: Uint8Array, altText: string, to: object = {}): Promise<string> => {
    const answer: unknown = await client.filesUploadV2({
      ...to,
      file: Buffer.from(png),
      filename: 'chart.png',
      title: 'Chart',
      alt_text: altText.slice(0, 1_000),
    })
    return uploaded.parse(answer).files[0]?.files[0]?.id ?? ''
  }

  /** False when Slack does not take the picture. */
  const place = async (update: () => Promise<unknown>): Promise<boolean> => {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      try {
        await update()
        return true
      } catch (error) {
        if (!notYet.has(slackErrorCode(error) ?? '')) throw error
        if (attempt < TRIES - 1) await sleep(FIRST_PAUSE_MS * 2 ** attempt)
      }
    }
    return false
  }

  return async questionId => {
    const answered = await deps.findAnswered(questionId)
    const posted = answered && (await deps.outbound.find(questionId, 'reply'))
    const table = answered && (await deps.loadResult(answered.resultId))
    if (!table || !posted?.ts) return 'no-chart'
    const shape = deps.findShape(table)
    if (wantedLook(answered, shape) !== 'chart') return 'no-chart'
    if ((await deps.findChart(answered.resultId)) !== null) return 'no-chart'
    const chart = await deps.drawChart(table)
    if (!chart) return 'no-chart'
    const { altText } = chart
    const fileId = await upload(chart.png, altText)
    const { text, blocks } = await deps.answerMessage(answered, { fileId, altText })
    const { channel, ts } = posted
    if (await place(() => client.chat.update({ channel, ts, text, blocks: [...blocks] as never }))) {
      await deps.keepChart(questionId, answered.resultId, { fileId, altText })
      const current = await deps.findAnswered(questionId)
      const stands = current?.resultId === answered.resultId && wantedLook(current, shape) === 'chart'
      return stands ? 'shown' : 'outdated'
    }
    log.warn({ questionId }, 'Slack does not take the chart in the message; sharing it in the thread')
    await deps.keepTable(questionId)
    await upload(chart.png, altText, { channel_id: channel, thread_ts: answered.place.thread })
    return 'no-chart'
  }
}
