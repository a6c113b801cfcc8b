import { parseDatabaseRef } from '../../../domain/database.ts'
import type { DigestPart, DigestPost } from '../../../domain/digests/digest.ts'
import type { ResultTable } from '../../../domain/result.ts'
import { actionIds } from '../../action-ids.ts'
import {
  buttonRow,
  contextBlock,
  headerBlock,
  type SlackMessage,
  sectionBlock,
} from '../../block-kit/blocks.ts'
import { type SlackBlock, slackLimits } from '../../block-kit/schema.ts'
import { type FittedTable, monospaceTable, tableBlock } from '../../block-kit/table.ts'
import {
  escapeAndTruncate,
  escapeMrkdwn,
  escapeSentence,
  fallbackText,
  mention,
  slackDate,
  slackDay,
  truncateText,
} from '../../block-kit/text.ts'
import {
  changeText,
  failedPart,
  failedPartSummary,
  formatDay,
  partSummary,
  restInThread,
  runContext,
  runReasonTexts,
  runSummary,
} from '../../copy/digest.ts'
import { labels } from '../../copy/phrases.ts'
import { type ChartImage, chartBlock, formatTruncation, isSingleValue } from '../answer.ts'
import { formatSchedule, writeDigestKey } from './format.ts'

/** The charts of a run, by the id of the question in the digest. */
export type DigestCharts = ReadonlyMap<string, ChartImage>

/** A run of a digest: title, its questions one after the other, whose permissions and when, actions. */
export const digestMessage = (post: DigestPost, charts: DigestCharts = new Map()): SlackMessage => {
  const { digest, parts, scheduledFor } = post
  const firstTable = firstTableOf(parts, charts)
  return {
    text: fallbackText(
      runSummary(
        digest.title,
        parts.map(part => formatPart(part, post)),
      ),
    ),
    blocks: [
      headerBlock(truncateText(digest.title, slackLimits.headerText) || '–'),
      ...runReasonBlocks(post),
      ...parts.flatMap((part, i) =>
        digestPartBlocks(part, {
          chart: charts.get(part.question.id) ?? null,
          native: i === firstTable,
          named: parts.length > 1,
          now: scheduledFor,
        }),
      ),
      contextBlock(
        runContext(escapeMrkdwn(formatDatabases(parts)), mention(digest.owner), formatSchedule(digest)),
      ),
      buttonRow(writeDigestKey({ digestId: digest.id, offset: null, run: scheduledFor }), [
        [actionIds.digestRun, labels.runNow],
        [actionIds.digestPause, labels.pause],
        [actionIds.digestEdit, labels.edit],
        [actionIds.digestShowSql, labels.showSql],
      ]),
    ],
  }
}

/** Slack takes one native table a message. */
const firstTableOf = (parts: DigestPost['parts'], charts: DigestCharts): number =>
  parts.findIndex(part => showsTable(part) && !charts.has(part.question.id))

/** The questions of which the message leaves something out. A plainer form of it may leave out whole tables. */
export const truncatedParts = (
  { parts }: Pick<DigestPost, 'parts'>,
  { charts, isPlainer }: { readonly charts: DigestCharts; readonly isPlainer: boolean },
): readonly Extract<DigestPart, { status: 'ran' }>[] => {
  const firstTable = firstTableOf(parts, charts)
  return parts.flatMap((part, i) => {
    if (part.status !== 'ran') return []
    const display = { chart: charts.get(part.question.id) ?? null, native: i === firstTable }
    return (isPlainer && showsTable(part)) || isTruncated(part, display) ? [part] : []
  })
}

/** What notifications and old clients show, and what is left if Slack takes nothing else. */
const formatPart = (part: DigestPart, { scheduledFor, digest }: DigestPost): string => {
  if (part.status === 'failed') return failedPartSummary(part.question.text, part.reason)
  const formatRunDay = formatDayInZone(digest.schedule.timeZone)
  const day = part.since && formatRunDay(part.since, { now: scheduledFor })
  return partSummary(part.headline, changeText(part.change, day))
}

/** Why a run comes at another time than planned; nothing for one that is on time. */
const runReasonBlocks = ({ kind, missed, scheduledFor }: DigestPost): SlackBlock[] => {
  switch (kind) {
    case 'due':
      return []
    case 'late':
      return [contextBlock(runReasonTexts.late(slackDate(scheduledFor), missed))]
    case 'by-hand':
      return [contextBlock(runReasonTexts.byHand)]
    default: {
      const never: never = kind
      return never
    }
  }
}

const formatDatabases = (parts: readonly DigestPart[]): string => {
  const names = new Set(parts.map(({ question }) => parseDatabaseRef(question.database).database))
  return truncateText([...names].join(', '), 300)
}

/** Of a table in a section, since Slack takes only one native table in a message. */
const ROWS_IN_TEXT = 8

const COLUMNS_IN_TEXT = 5

const LONGEST_LINE = 400

const MOST_PERIODS = 4

/** How one question of a run is shown. `native`: it may use the one native table of the message. */
interface PartDisplay {
  readonly chart: ChartImage | null
  readonly native: boolean
  /** Names the question above its result, if there are several. */
  readonly named: boolean
  readonly now: Date
}

/** One question of a run: headline, what changed, picture or table, and its periods. */
const digestPartBlocks = (part: DigestPart, display: PartDisplay): SlackBlock[] => {
  const name = escapeAndTruncate(part.question.text || '–', LONGEST_LINE, escapeSentence)
  switch (part.status) {
    case 'failed': {
      const reason = escapeAndTruncate(part.reason, LONGEST_LINE, escapeSentence)
      const nextStep = escapeAndTruncate(part.nextStep, LONGEST_LINE, escapeSentence)
      return [sectionBlock(`*${name}*\n${failedPart(reason, nextStep)}`)]
    }
    case 'ran': {
      const headline = escapeAndTruncate(part.headline || '–', LONGEST_LINE, escapeSentence)
      const change = changeText(
        part.change,
        part.since && formatDayForReader(part.since, { now: display.now }),
      )
      const shown = tableOf(part.table, display)
      const small = [
        ...part.periods
          .slice(0, MOST_PERIODS)
          .map(period => escapeAndTruncate(period, LONGEST_LINE / MOST_PERIODS, escapeSentence)),
        ...(shown?.cut ? [shown.cut] : []),
      ]
      return [
        sectionBlock(display.named ? `*${name}*\n${headline}\n${change}` : `*${headline}*\n${change}`),
        ...(display.chart ? [chartBlock(display.chart)] : shown ? [shown.block] : []),
        ...(small.length === 0 ? [] : [contextBlock(small.join('  ·  '))]),
      ]
    }
    default: {
      const never: never = part
      return never
    }
  }
}

/** Whether a part shows a table: a single value is its headline. */
const showsTable = (part: DigestPart): boolean => part.status === 'ran' && !hasNoTable(part.table)

/** Whether some of its rows or columns are left out. A chart counts as showing as many rows as a table can. */
const isTruncated = (part: DigestPart, display: Pick<PartDisplay, 'chart' | 'native'>): boolean => {
  if (part.status !== 'ran' || hasNoTable(part.table)) return false
  const fitted = fitTable(part.table, { native: display.native || display.chart !== null })
  return fitted !== null && formatTruncation(part.table, fitted) !== null
}

const hasNoTable = (table: ResultTable): boolean =>
  table.rows.length === 0 || table.columns.length === 0 || isSingleValue(table)

const tableOf = (
  table: ResultTable,
  display: PartDisplay,
): { readonly block: SlackBlock; readonly cut: string | null } | null => {
  if (hasNoTable(table) || display.chart) return null
  const fitted = fitTable(table, display)
  if (!fitted) return null
  const cut = formatTruncation(table, fitted)
  return {
    block: display.native ? fitted.block : monospaceTable(fitted.block, { isInCsv: false }),
    cut: cut && restInThread(cut),
  }
}

const fitTable = (table: ResultTable, { native }: Pick<PartDisplay, 'native'>): FittedTable | null =>
  tableBlock(
    native
      ? table
      : {
          ...table,
          columns: table.columns.slice(0, COLUMNS_IN_TEXT),
          rows: table.rows.slice(0, ROWS_IN_TEXT),
        },
  )

const HOURS_36 = 36 * 60 * 60 * 1_000

/** Formats when a run was, with the hour if that is not long before `now`. */
type FormatRunDay = (at: Date, given: { readonly now: Date }) => string

/** As Slack shows it: in the time zone of the person who reads, like the times of the messages around it. */
export const formatDayForReader: FormatRunDay = (at, { now }) =>
  isRecent(at, now) ? slackDate(at) : slackDay(at)

/** For texts that Slack does not format; an hour names its time zone, which may not be the reader's. */
export const formatDayInZone =
  (timeZone: string): FormatRunDay =>
  (at, { now }) =>
    formatDay(at, { timeZone, withHour: isRecent(at, now) })

/** Less than a day and a half: the day alone could be today's. */
const isRecent = (at: Date, now: Date): boolean => now.getTime() - at.getTime() < HOURS_36
