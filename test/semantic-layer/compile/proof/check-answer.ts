import type { Cell } from '../../../../src/domain/result.ts'
import type { Answer, AnswerRow } from './reference-answer.ts'
import type { Value } from './shop-rows.ts'

/**
 * Says how rows differ from an answer; null if they do not. Numbers are compared at nine significant digits. Rows that
 * are sorted alike can come in any order, and any of them can be cut off by a limit.
 */
export const differenceOf = (
  rows: readonly (readonly Cell[])[],
  { rows: all, directions, limit }: Answer,
): string | null => {
  const actual = rows.map(row => textOf(row))
  let at = 0
  for (const groups of byPer(all)) {
    let left = limit ?? Number.POSITIVE_INFINITY
    for (const alike of inOrder(groups, directions)) {
      const taken = actual.slice(at, at + Math.min(left, alike.length))
      const possible = alike.map(({ cells }) => textOf(cells))
      for (const text of taken) {
        const found = possible.indexOf(text)
        if (found === -1) return `row ${at + 1} is ${text}, not one of ${possible.slice(0, 5).join(' or ')}`
        possible.splice(found, 1)
      }
      if (taken.length < Math.min(left, alike.length)) return `${possible[0]} is missing`
      at += taken.length
      left -= taken.length
      if (left === 0) break
    }
  }
  return at < actual.length ? `row ${at + 1}, ${actual[at]}, is too many` : null
}

/** Rows that are cut off by themselves, in the order of what sets them apart. */
const byPer = (rows: readonly AnswerRow[]): readonly (readonly AnswerRow[])[] => {
  const groups = new Map<string, AnswerRow[]>()
  for (const row of rows) {
    const key = textOf(row.per)
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups.values()].sort((a, b) => compareSorts(a[0]!.per, b[0]!.per, []))
}

/** Rows that are sorted alike, in order. */
const inOrder = (
  rows: readonly AnswerRow[],
  directions: Answer['directions'],
): readonly (readonly AnswerRow[])[] => {
  const sorted = [...rows].sort((a, b) => compareSorts(a.sort, b.sort, directions))
  const classes: AnswerRow[][] = []
  for (const row of sorted) {
    const last = classes.at(-1)
    if (last && compareSorts(last[0]!.sort, row.sort, directions) === 0) last.push(row)
    else classes.push([row])
  }
  return classes
}

/** NULL comes last, whatever the direction. */
const compareSorts = (a: readonly Value[], b: readonly Value[], directions: Answer['directions']): number => {
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? null
    if (left === null || right === null) {
      if (left !== right) return left === null ? 1 : -1
      continue
    }
    const [x, y] = [canonical(left), canonical(right)]
    if (x !== y) return (x < y ? -1 : 1) * (directions[index] === 'desc' ? -1 : 1)
  }
  return 0
}

const textOf = (cells: readonly (Cell | Value)[]): string => JSON.stringify(cells.map(canonical))

/** One form for what databases give in several: numbers as text, truth as 0 and 1, midnights as days. */
const canonical = (cell: Cell | Value): string | number => {
  if (cell === null) return 'NULL'
  if (typeof cell === 'boolean') return Number(cell)
  if (typeof cell === 'string' && !/^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(cell))
    return cell.replace(/[T ]00:00:00(?:\.0+)?$/, '')
  const number = Number(cell)
  return Math.abs(number) < 1e-9 ? 0 : Number(number.toPrecision(9))
}
