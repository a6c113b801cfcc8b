import type { ResultTable } from './result.ts'

/** A picture of a result. `altText` says in words what it shows, for those who cannot see it. */
export interface Chart {
  readonly png: Uint8Array
  readonly altText: string
}

/** Draws a result as a chart; null when its shape is not one that a chart shows better than a table. Never throws at data. */
export type DrawChart = (table: ResultTable) => Promise<Chart | null>

/**
 * How a result is best looked at: `series` runs over time and is a line, `categories` can be bars, `none` is for
 * a table alone.
 */
export type ChartShape = 'series' | 'categories' | 'none'

/** Tells what kind of chart a result can be. Pure; looks at columns and rows, never at the question. */
export type FindChartShape = (table: ResultTable) => ChartShape
