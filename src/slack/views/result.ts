import type { ResultTable } from '../../domain/result.ts'
import { slackLimits } from '../block-kit/limits.ts'
import type { SlackBlock } from '../block-kit/schema.ts'
import type { FittedTable } from '../block-kit/table.ts'
import { chartAltText } from '../copy/answer.ts'
import { formatShare } from '../copy/counts.ts'

/** An uploaded picture that is shown in the place of a table. */
export interface ChartImage {
  readonly fileId: string
  readonly altText: string
}

export const chartBlock = ({ fileId, altText }: ChartImage): SlackBlock => ({
  type: 'image',
  slack_file: { id: fileId },
  alt_text: altText.slice(0, slackLimits.imageAltText) || chartAltText,
})

/** Whether a result is one value, which its headline says already. */
export const isSingleValue = ({ rows, columns }: Pick<ResultTable, 'rows' | 'columns'>): boolean =>
  rows.length === 1 && columns.length === 1

/** "50 of 1,204 rows, 20 of 34 columns": only what was really cut. Null if the whole result is shown. */
export const formatTruncation = (
  { rows, columns, truncated }: ResultTable,
  { rowsShown, columnsShown }: FittedTable,
): string | null => {
  const parts = [
    ...(rowsShown < rows.length || truncated
      ? [formatShare(rowsShown, rows.length, 'rows', truncated !== null)]
      : []),
    ...(columnsShown < columns.length ? [formatShare(columnsShown, columns.length, 'columns')] : []),
  ]
  return parts.length === 0 ? null : parts.join(', ')
}
