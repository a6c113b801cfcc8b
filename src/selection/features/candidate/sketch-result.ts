import type { ResultSketch } from '../../../core/observation.ts'
import type { ResultTable } from '../../../core/result.ts'
import { canonicalCell } from '../../canonical-cell.ts'
import { shortHash } from '../short-hash.ts'

/** Rows that are looked at: results that differ only further down are told apart by their keys anyway. */
const MOST_ROWS = 2_000
const KEPT = 32

/** Hashes of the parts of a result, and what was counted on the way. */
export const sketchResult = (
  table: ResultTable,
): { readonly sketch: ResultSketch; readonly distinctRows: number; readonly nullShare: number } => {
  const rows = table.rows
    .slice(0, MOST_ROWS)
    .map(row => row.map((cell, at) => canonicalCell(cell, table.columns[at]?.kind ?? 'unknown')))
  const cells = rows.flat()
  return {
    sketch: {
      rows: smallest(rows.map(row => [...row].sort().join('\u0001'))),
      columns: table.columns
        .map((_, at) => shortHash([...new Set(rows.map(row => row[at]))].sort().join('\u0001')))
        .sort(),
      cells: smallest(cells),
    },
    distinctRows:
      new Set(rows.map(row => row.join('\u0001'))).size + Math.max(0, table.rows.length - MOST_ROWS),
    nullShare: cells.length === 0 ? 0 : cells.filter(cell => cell === 'null').length / cells.length,
  }
}

/** The smallest hashes: an unbiased sample, so that what two sketches share is what the sets share (Broder 1997). */
const smallest = (texts: readonly string[]): readonly string[] =>
  [...new Set(texts)].map(shortHash).sort().slice(0, KEPT)
