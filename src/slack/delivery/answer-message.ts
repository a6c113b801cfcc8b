import type { WebClient } from '@slack/web-api'
import type { AnswerDisplay, AnsweredQuestion, FindAnsweredQuestion } from '../../domain/answer.ts'
import { parseDatabaseRef } from '../../domain/database.ts'
import type { OutboundMessageLog } from '../../domain/message.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type {
  DrawChart,
  FindChartData,
  FindChartShape,
  LoadResult,
  ResultTable,
} from '../../domain/result.ts'
import type { SlackMessage } from '../block-kit/blocks.ts'
import { type NativeChart, nativeChart } from '../block-kit/chart.ts'
import { answerView, type ChartImage } from '../views/answer.ts'
import { privateView } from '../views/private-answer.ts'
import { rememberFile, updateWhenFilesReady, uploadChart } from './files.ts'
import type { FindOutcomeMessage } from './place-answer.ts'
import type { RefusedBlocks } from './refused-blocks.ts'

/** The message of an answer as it is now. `chart` shows a picture that is not stored yet. */
export type BuildAnswerMessage = (answered: AnsweredQuestion, chart?: ChartImage) => Promise<SlackMessage>

/** The chart of a result that Slack draws in a workspace; null if it does not. */
export type FindNativeChart = (table: ResultTable, team: string) => NativeChart | null

/** A workspace that refused such a chart gets pictures. */
export const makeFindNativeChart =
  (deps: {
    readonly findData: FindChartData
    readonly refusedIn: (team: string) => RefusedBlocks
  }): FindNativeChart =>
  (table, team) => {
    if (deps.refusedIn(team).has('data_visualization')) return null
    const data = deps.findData(table)
    return data && nativeChart(data)
  }

const emptyResult: ResultTable = { columns: [], rows: [], truncated: null, milliseconds: 0 }

/** Reads what is stored about an answer and puts it together for the view. */
export const makeBuildAnswerMessage =
  (deps: {
    readonly loadResult: LoadResult
    readonly findChart: (resultId: string) => Promise<ChartImage | null>
    readonly findShape: FindChartShape
    readonly findNative: FindNativeChart
    /** Whether there are people who review answers. */
    readonly asksHumans: boolean
    /** Whether everyone who can ask a database sees the same rows. */
    readonly isSameForAll: (database: string) => boolean
  }): BuildAnswerMessage =>
  async (answered, chart) => {
    const { question, location, resultId } = answered
    const table = (await deps.loadResult(resultId)) ?? emptyResult
    const shape = deps.findShape(table)
    const wanted = chooseDisplay(answered, shape)
    const { database } = parseDatabaseRef(question.database)
    const findAnyChart = async () =>
      deps.findNative(table, location.team) ?? chart ?? (await deps.findChart(resultId))
    return answerView({
      ...answered,
      questionId: question.id,
      database,
      isSameForAll: deps.isSameForAll(database),
      timeZone: question.timeZone,
      table,
      chart: wanted === 'chart' ? await findAnyChart() : null,
      canChart: shape !== 'none',
      asksHumans: deps.asksHumans,
    })
  }

/** A time series is a chart unless a person chose the table; the rest is a table unless a person chose the chart. */
export const chooseDisplay = (
  { display }: Pick<AnsweredQuestion, 'display'>,
  shape: ReturnType<FindChartShape>,
): AnswerDisplay => {
  if (shape === 'none') return 'table'
  return display ?? (shape === 'series' ? 'chart' : 'table')
}

/**
 * Puts the picture of an answer's chart into its message, if one is wanted and is not there yet. `shown`: the message matches the
 * answer. `outdated`: the answer was changed meanwhile, and the message must be updated again. `no-chart`: the message
 * was left alone.
 */
export type ShowChart = (questionId: string) => Promise<'shown' | 'outdated' | 'no-chart'>

/**
 * The picture is uploaded without a channel and shown by the message itself. If Slack does not take it after some
 * attempts, it is shared in the thread and the message keeps its table.
 */
export const makeShowChart = (deps: {
  readonly client: WebClient
  readonly findAnswered: FindAnsweredQuestion
  readonly loadResult: LoadResult
  readonly findShape: FindChartShape
  readonly findNative: FindNativeChart
  readonly drawChart: DrawChart
  readonly buildMessage: BuildAnswerMessage
  readonly findChart: (resultId: string) => Promise<unknown>
  readonly storeChart: (
    questionId: string,
    resultId: string,
    chart: { readonly fileId: string; readonly altText: string },
  ) => Promise<void>
  readonly chooseTable: (questionId: string) => Promise<void>
  readonly findOutcome: FindOutcomeMessage
  readonly outbound: Pick<OutboundMessageLog, 'claim' | 'markPosted'>
  readonly now: () => Date
  readonly log: Log
}): ShowChart => {
  const { client, log } = deps

  return async questionId => {
    const answered = await deps.findAnswered(questionId)
    const posted = answered && (await deps.findOutcome(questionId))
    const table = answered && (await deps.loadResult(answered.resultId))
    if (!table || !posted) return 'no-chart'
    const shape = deps.findShape(table)
    if (chooseDisplay(answered, shape) !== 'chart') return 'no-chart'
    if (deps.findNative(table, answered.location.team)) return 'no-chart'
    if ((await deps.findChart(answered.resultId)) !== null) return 'no-chart'
    const chart = await deps.drawChart(table)
    if (!chart) return 'no-chart'
    const { altText } = chart
    const fileId = await uploadChart(client, chart)
    const message = await deps.buildMessage(answered, { fileId, altText })
    const { channel, ts, isPrivate } = posted
    const { text, blocks } = isPrivate ? privateView(message, answered, { canPost: true }) : message
    if (
      await updateWhenFilesReady(() =>
        client.chat.update({ channel, ts, text, blocks: [...blocks] as never }),
      )
    ) {
      await deps.storeChart(questionId, answered.resultId, { fileId, altText })
      const current = await deps.findAnswered(questionId)
      const isCurrent = current?.resultId === answered.resultId && chooseDisplay(current, shape) === 'chart'
      return isCurrent ? 'shown' : 'outdated'
    }
    log.warn({ questionId }, 'Slack does not take the chart in the message; sharing it in the thread')
    await deps.chooseTable(questionId)
    const file = await uploadChart(client, chart, {
      channel_id: channel,
      thread_ts: isPrivate ? ts : answered.location.thread,
    })
    if (!isPrivate) await rememberFile(deps, { questionId, channel, file })
    return 'no-chart'
  }
}
