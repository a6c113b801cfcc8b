import type { DigestPart } from '../../core/digest.ts'
import type { ResultTable } from '../../core/result.ts'
import type { CheckedBlock } from '../block-schema.ts'
import { monospaceTable } from '../delivery/monospace-table.ts'
import { escapeWithin } from '../escape-within.ts'
import { slackLimits } from '../limits.ts'
import { sayBlock, smallPrint } from './say-block.ts'
import { dayForReader, sayChange } from './say-change.ts'
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
export interface PartLook {
  readonly chart: PartChart | null
  readonly native: boolean
  /** Names the question above its result: where there are several. */
  readonly named: boolean
  readonly now: Date
}

/** One question of a run: headline, what changed, picture or table, and its periods. */
export const digestPartBlocks = (part: DigestPart, look: PartLook): CheckedBlock[] => {
  const name = escapeWithin(part.question.text || '–', LONGEST_LINE)
  switch (part.status) {
    case 'failed': {
      const failed = `:warning: ${escapeWithin(part.reason, LONGEST_LINE)} ${escapeWithin(part.nextStep, LONGEST_LINE)}`
      return [sayBlock(`*${name}*\n${failed}`)]
    }
    case 'ran': {
      const headline = escapeWithin(part.headline || '–', LONGEST_LINE)
      const change = sayChange(part.change, { since: part.since, now: look.now, sayDay: dayForReader })
      const shown = tableOf(part.table, look)
      const small = [
        ...part.periods
          .slice(0, MOST_PERIODS)
          .map(period => escapeWithin(period, LONGEST_LINE / MOST_PERIODS)),
        ...(shown?.cut ? [shown.cut] : []),
      ]
      return [
        sayBlock(look.named ? `*${name}*\n${headline}\n${change}` : `*${headline}*\n${change}`),
        ...(look.chart ? [picture(look.chart)] : shown ? [shown.block] : []),
        ...(small.length === 0 ? [] : [smallPrint(small.join('  ·  '))]),
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
export const isCut = (part: DigestPart, look: Pick<PartLook, 'chart' | 'native'>): boolean => {
  if (part.status !== 'ran' || isSingle(part.table)) return false
  const fitted = fitTable(part.table, { native: look.native || look.chart !== null })
  return fitted !== null && cutOf(part.table, fitted) !== null
}

const isSingle = ({ rows, columns }: ResultTable): boolean =>
  rows.length === 0 || columns.length === 0 || (rows.length === 1 && columns.length === 1)

const tableOf = (
  table: ResultTable,
  look: PartLook,
): { readonly block: CheckedBlock; readonly cut: string | null } | null => {
  if (isSingle(table) || look.chart) return null
  const fitted = fitTable(table, look)
  if (!fitted) return null
  return {
    block: look.native ? fitted.block : monospaceTable(fitted.block, { allAt: null }),
    cut: cutOf(table, fitted),
  }
}

const fitTable = (table: ResultTable, { native }: Pick<PartLook, 'native'>): FittedTable | null =>
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
const cutOf = (table: ResultTable, fitted: FittedTable): string | null => {
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

const picture = ({ fileId, altText }: PartChart): CheckedBlock => ({
  type: 'image',
  slack_file: { id: fileId },
  alt_text: altText.slice(0, slackLimits.imageAltText) || 'A chart of the result',
})
