import type { ResultTable } from '../core/result.ts'
import type { DistinctRows } from './distinct-rows.ts'
import { distinctRows } from './distinct-rows.ts'

/**
 * Soft F1 as BIRD mini-dev computes it (`evaluation_f1.py`): duplicates dropped, rows paired by position, cells of
 * a pair compared whatever their column, and everything counted in shares of the gold's width. 1 for two empty
 * results. From 0 to 1.
 */
export const softF1 = (predicted: ResultTable, gold: ResultTable): number => {
  if (predicted.rows.length === 0 && gold.rows.length === 0) return 1
  const [left, right] = distinctRows(predicted, gold)
  const paired = Math.min(left.rowCount, right.rowCount)
  const width = gold.columns.length
  let matched = 0
  let onlyPredicted = left.rowCount - paired
  let onlyGold = right.rowCount - paired
  for (let row = 0; row < paired; row++) {
    const predictedCells = cellsOf(left, row)
    const goldCells = cellsOf(right, row)
    const found = predictedCells.filter(cell => goldCells.includes(cell)).length
    const missed = goldCells.filter(cell => !predictedCells.includes(cell)).length
    matched += found / width
    onlyPredicted += (predictedCells.length - found) / width
    onlyGold += missed / width
  }
  const precision = shareOf(matched, matched + onlyPredicted)
  const recall = shareOf(matched, matched + onlyGold)
  return shareOf(2 * precision * recall, precision + recall)
}

const cellsOf = (rows: DistinctRows, row: number): number[] => rows.columns.map(column => column[row]!)

const shareOf = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)
