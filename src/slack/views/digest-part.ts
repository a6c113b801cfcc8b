import type { DigestPart } from '../../core/digest.ts'
import type { ResultTable } from '../../core/result.ts'
import type { SlackBlock } from '../block-schema.ts'
import { monospaceTable } from '../delivery/monospace-table.ts'
import { escapeAndTruncate } from '../escape-within.ts'
import { slackLimits } from '../limits.ts'
import { contextBlock, sectionBlock } from './say-block.ts'
import { formatChange, formatDayForReader } from './say-change.ts'
import { type FittedTable, tableBlock } from './table-block.ts'

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
export interface PartDisplay {
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
