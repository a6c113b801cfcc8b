import type { DigestPart, FindingChange } from '../../../domain/digest.ts'
import type { ResultTable } from '../../../domain/result.ts'
import { contextBlock, sectionBlock } from '../../block-kit/blocks.ts'
import { slackLimits } from '../../block-kit/limits.ts'
import type { SlackBlock } from '../../block-kit/schema.ts'
import { type FittedTable, monospaceTable, tableBlock } from '../../block-kit/table.ts'
import { escapeAndTruncate, slackDate, slackDay } from '../../block-kit/text.ts'

/** Of a table that stands in a section, since Slack takes one native table a message. */
const ROWS_IN_TEXT = 8

const COLUMNS_IN_TEXT = 5

const LONGEST_LINE = 400

const MOST_PERIODS = 4

/** A picture of a part, in the place of its table. */
export interface PartChart {
  readonly fileId: string
  readonly altText: string
}

/** How one question of a run is shown. `native`: it may use the one native table of the message. */
interface PartDisplay {
  readonly chart: PartChart | null
  readonly native: boolean
  /** Names the question above its result: where there are several. */
  readonly named: boolean
  readonly now: Date
}

/** One question of a run: headline, what changed, picture or table, and its periods. */
export const digestPartBlocks = (part: DigestPart, look: PartDisplay): SlackBlock[] => {
  const name = escapeAndTruncate(part.question.text || '–', LONGEST_LINE)
  switch (part.status) {
    case 'failed': {
      const failed = `:warning: ${escapeAndTruncate(part.reason, LONGEST_LINE)} ${escapeAndTruncate(part.nextStep, LONGEST_LINE)}`
      return [sectionBlock(`*${name}*\n${failed}`)]
    }
    case 'ran': {
      const headline = escapeAndTruncate(part.headline || '–', LONGEST_LINE)
      const change = formatChange(part.change, {
        since: part.since,
        now: look.now,
        sayDay: formatDayForReader,
      })
      const shown = tableOf(part.table, look)
      const small = [
        ...part.periods
          .slice(0, MOST_PERIODS)
          .map(period => escapeAndTruncate(period, LONGEST_LINE / MOST_PERIODS)),
        ...(shown?.cut ? [shown.cut] : []),
      ]
      return [
        sectionBlock(look.named ? `*${name}*\n${headline}\n${change}` : `*${headline}*\n${change}`),
        ...(look.chart ? [picture(look.chart)] : shown ? [shown.block] : []),
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
export const showsTable = (part: DigestPart): boolean => part.status === 'ran' && !isSingle(part.table)

/** Whether some of its rows or columns are left out. A chart shows every row, but past a table's worth nobody reads them off. */
export const isTruncated = (part: DigestPart, look: Pick<PartDisplay, 'chart' | 'native'>): boolean => {
  if (part.status !== 'ran' || isSingle(part.table)) return false
  const fitted = fitTable(part.table, { native: look.native || look.chart !== null })
  return fitted !== null && formatTruncation(part.table, fitted) !== null
}

const isSingle = ({ rows, columns }: ResultTable): boolean =>
  rows.length === 0 || columns.length === 0 || (rows.length === 1 && columns.length === 1)

const tableOf = (
  table: ResultTable,
  look: PartDisplay,
): { readonly block: SlackBlock; readonly cut: string | null } | null => {
  if (isSingle(table) || look.chart) return null
  const fitted = fitTable(table, look)
  if (!fitted) return null
  return {
    block: look.native ? fitted.block : monospaceTable(fitted.block, { allAt: null }),
    cut: formatTruncation(table, fitted),
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

/** What is left out of a table, and where it is; null where it is shown whole. */
const formatTruncation = (table: ResultTable, fitted: FittedTable): string | null => {
  const rows = table.rows.length.toLocaleString('en-US')
  const cut = [
    ...(fitted.rowsShown < table.rows.length || table.truncated
      ? [`${fitted.rowsShown} of ${table.truncated ? 'more than ' : ''}${rows} rows`]
      : []),
    ...(fitted.columnsShown < table.columns.length
      ? [`${fitted.columnsShown} of ${table.columns.length} columns`]
      : []),
  ]
  return cut.length === 0 ? null : `${cut.join(', ')}; the rest is a file in the thread`
}

const picture = ({ fileId, altText }: PartChart): SlackBlock => ({
  type: 'image',
  slack_file: { id: fileId },
  alt_text: altText.slice(0, slackLimits.imageAltText) || 'A chart of the result',
})

/** Said with one decimal, less would be 0 %. */
const LEAST_PERCENT = 0.05

const HOURS_36 = 36 * 60 * 60 * 1_000

/** Says when a run was, with the hour where that is not long before `now`. */
type FormatRunDay = (at: Date, given: { readonly now: Date }) => string

/** What a result did since the run before, in a line that needs no escapes: "+12 % since Mon 9 Nov (1,075 then)". */
export const formatChange = (
  change: FindingChange,
  given: {
    /** When the run was that it is compared with; null where there is none. */
    readonly since: Date | null
    readonly now: Date
    readonly sayDay: FormatRunDay
  },
): string => {
  const since =
    given.since === null ? 'since the last run' : `since ${given.sayDay(given.since, { now: given.now })}`
  switch (change.kind) {
    case 'first':
      return 'The first run: there is nothing to compare it with yet.'
    case 'same':
      return `Unchanged ${since}.`
    case 'number': {
      const { before, now, percent } = change
      const arrow = now >= before ? '▲' : '▼'
      const by =
        percent === null || Math.abs(percent) < LEAST_PERCENT
          ? formatSigned(now - before)
          : `${formatSigned(percent, 1)} %`
      return `${arrow} ${by} ${since} (${formatAmount(before)} then).`
    }
    case 'differs':
      return `Changed ${since}; there are too many rows to say which.`
    case 'rows': {
      const parts = [
        ...(change.added > 0 ? [`${formatRows(change.added)} new`] : []),
        ...(change.removed > 0 ? [`${formatRows(change.removed)} gone`] : []),
        ...(change.changed > 0 ? [`${formatRows(change.changed)} changed`] : []),
      ]
      return parts.length === 0 ? `Unchanged ${since}.` : `${parts.join(', ')} ${since}.`
    }
    default: {
      const never: never = change
      return never
    }
  }
}

const formatAmount = (value: number, digits = 2): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: digits })

const formatSigned = (value: number, digits = 2): string => {
  const size = formatAmount(Math.abs(value), digits)
  return value < 0 ? `−${size}` : `+${size}`
}

const formatRows = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`

/** As Slack shows it, in the time zone of whoever reads, like the times of the messages around it. */
export const formatDayForReader: FormatRunDay = (at, { now }) =>
  isRecent(at, now) ? slackDate(at) : slackDay(at)

/** "Mon 9 Nov" for texts that Slack does not format; an hour names its zone, which need not be the reader's. */
export const formatDayInZone =
  (timeZone: string): FormatRunDay =>
  (at, { now }) => {
    const format = (options: Intl.DateTimeFormatOptions): string =>
      new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(at).replace(',', '')
    const day = format({ weekday: 'short', day: 'numeric', month: 'short' })
    return isRecent(at, now) ? `${day}, ${format({ hour: '2-digit', minute: '2-digit' })} (${timeZone})` : day
  }

/** Less than a day and a half: the day alone may be today's. */
const isRecent = (at: Date, now: Date): boolean => now.getTime() - at.getTime() < HOURS_36
