import type { DigestPart } from '../../../domain/digest.ts'
import type { ResultTable } from '../../../domain/result.ts'
import { contextBlock, sectionBlock } from '../../block-kit/blocks.ts'
import type { SlackBlock } from '../../block-kit/schema.ts'
import { type FittedTable, monospaceTable, tableBlock } from '../../block-kit/table.ts'
import { escapeAndTruncate, slackDate, slackDay } from '../../block-kit/text.ts'
import { changeText, failedPart, formatDay, restInThread } from '../../copy/digest.ts'
import { type ChartImage, chartBlock, formatTruncation, isSingleValue } from '../result.ts'

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
export const digestPartBlocks = (part: DigestPart, display: PartDisplay): SlackBlock[] => {
  const name = escapeAndTruncate(part.question.text || '–', LONGEST_LINE)
  switch (part.status) {
    case 'failed': {
      const reason = escapeAndTruncate(part.reason, LONGEST_LINE)
      const nextStep = escapeAndTruncate(part.nextStep, LONGEST_LINE)
      return [sectionBlock(`*${name}*\n${failedPart(reason, nextStep)}`)]
    }
    case 'ran': {
      const headline = escapeAndTruncate(part.headline || '–', LONGEST_LINE)
      const change = changeText(
        part.change,
        part.since && formatDayForReader(part.since, { now: display.now }),
      )
      const shown = tableOf(part.table, display)
      const small = [
        ...part.periods
          .slice(0, MOST_PERIODS)
          .map(period => escapeAndTruncate(period, LONGEST_LINE / MOST_PERIODS)),
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
export const showsTable = (part: DigestPart): boolean => part.status === 'ran' && !hasNoTable(part.table)

/** Whether some of its rows or columns are left out. A chart counts as showing as many rows as a table can. */
export const isTruncated = (part: DigestPart, display: Pick<PartDisplay, 'chart' | 'native'>): boolean => {
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
