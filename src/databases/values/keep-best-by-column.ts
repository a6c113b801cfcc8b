import { minShareOfBest, type TopTexts } from './keep-best-texts.ts'
import type { ValueIndexData } from './value-index-data.ts'

/** Texts kept in all, however many columns there are. */
const mostInAll = 2048

interface Kept {
  readonly text: number
  readonly sum: number
}

/**
 * Keeps the `most` texts of highest sum of every column, lower numbers first among equals, so that a column full of
 * good texts does not crowd out the best of another. Only columns that `isWanted` takes count, where it is given.
 */
export const makeTopTextsByColumn = (
  { owners, ownerStarts }: Pick<ValueIndexData, 'owners' | 'ownerStarts'>,
  options: { readonly most: number; readonly least: number; readonly isWanted?: (column: number) => boolean },
): TopTexts => {
  const { most, isWanted } = options
  let floor = options.least
  const columns = new Map<number, { floor: number; kept: Kept[] }>()

  const cut = (column: { floor: number; kept: Kept[] }): void => {
    column.kept.sort(byFirst)
    column.kept.length = Math.min(column.kept.length, most)
    if (column.kept.length === most) column.floor = column.kept.at(-1)!.sum
  }

  return {
    floor: () => floor,
    offer: (text, sum) => {
      if (sum <= floor) return
      for (let at = ownerStarts[text]!; at < ownerStarts[text + 1]!; at++) {
        const number = owners[at]!
        if (isWanted && !isWanted(number)) continue
        if (sum * minShareOfBest > floor) floor = Math.floor(sum * minShareOfBest)
        const column = columns.get(number) ?? { floor: 0, kept: [] }
        columns.set(number, column)
        if (sum <= column.floor) continue
        column.kept.push({ text, sum })
        if (column.kept.length >= most * 4) cut(column)
      }
    },
    settle: () => {},
    texts: () => {
      for (const column of columns.values()) cut(column)
      const all = [...columns.values()].flatMap(({ kept }) => kept).filter(({ sum }) => sum > floor)
      return [...new Set(all.sort(byFirst).map(({ text }) => text))].slice(0, mostInAll)
    },
  }
}

const byFirst = (a: Kept, b: Kept): number => b.sum - a.sum || a.text - b.text
