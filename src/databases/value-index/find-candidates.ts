import { type ListDirectory, makeListDirectory } from './list-directory.ts'
import { eachOwner, isHeld, type TextOwners } from './text-owners.ts'
import { collectTrigrams, makeCommonTrigrams, weightTrigrams } from './trigrams.ts'
import { blockSize, type TrigramBlock, type ValueIndexData } from './value-index-data.ts'

/** At most this many trigrams of a keyword are looked up; keywords are spans of a question. */
const mostKeywordTrigrams = 96

/** The sum of the weights of a keyword's trigrams. They are integers so that counters fit into sixteen bits. */
const totalWeight = 60_000

/** Searching a list for one member costs about as much as reading this many members. */
const searchCost = 16

/**
 * Finds the texts, by number, that share most with a folded keyword. Each shares at least `minPatternShare` (0 to 1)
 * of the keyword's trigrams, weighted by rarity; `makeBest` decides how many are kept.
 */
type FindCandidates = (
  folded: string,
  options: { readonly leastShare: number; readonly makeBest: (least: number) => TopTexts },
) => readonly number[]

/**
 * Makes the search by shared trigrams, weighted by rarity. It is exact: no text that is left out shares more than one
 * that is returned, except that texts far behind the best may be left out (see `makeTopTexts`). Calls must not
 * overlap, since counters are reused between them.
 */
export const makeFindCandidates = (
  data: Pick<ValueIndexData, 'blocks' | 'textEnds' | 'owners' | 'gone' | 'common'>,
): FindCandidates => {
  const texts = data.textEnds.length - data.gone.texts
  const common = makeCommonTrigrams(data.common)
  // Made by the first lookup: many indexes are opened only to be refreshed or stored.
  let directory: ListDirectory | null = null
  const someGone = data.gone.texts > 0
  const trigrams = new Uint32Array(mostKeywordTrigrams)
  const counters = new Uint16Array(Math.min(blockSize, data.textEnds.length))
  const touched = new Uint16Array(counters.length)

  return (folded, { leastShare, makeBest }) => {
    const count = collectTrigrams(folded, trigrams, 0, mostKeywordTrigrams, common)
    directory ??= makeListDirectory(data)
    const { holdersOf, listsOf } = directory
    const weighed = weightTrigrams(trigrams.subarray(0, count), {
      texts,
      holdersOf,
      total: totalWeight,
    })
    if (weighed.length === 0) return []
    const listed = weighed.map(({ trigram, weight }) => ({ weight, lists: listsOf(trigram) }))
    const best = makeBest(Math.floor(totalWeight * leastShare))
    data.blocks.forEach((block, number) => {
      const seen = countShared(block, { number, listed }, best.floor(), counters, touched)
      for (let at = 0; at < seen; at++) {
        const member = touched[at]!
        const text = number * blockSize + member
        if (!someGone || isHeld(data.owners, text)) best.offer(text, counters[member]!)
        counters[member] = 0
      }
      best.settle()
    })
    return best.texts()
  }
}

/** A trigram of a keyword: what sharing it is worth, and by block the number of its list, or -1. */
interface ListedTrigram {
  readonly weight: number
  readonly lists: Int32Array
}

/**
 * Adds up the weights of shared trigrams for the members of a block that may exceed `floor`. Rare trigrams come
 * first. Once the remaining trigrams cannot lift a new member over the floor, they only add to members seen before,
 * and members that can no longer reach the floor are dropped (MaxScore, from document retrieval). Returns how many
 * members are in `touched`; all other counters are zero again.
 */
const countShared = (
  { starts, members }: TrigramBlock,
  { number, listed }: { readonly number: number; readonly listed: readonly ListedTrigram[] },
  floor: number,
  counters: Uint16Array,
  touched: Uint16Array,
): number => {
  let seen = 0
  let left = 0
  for (const { lists, weight } of listed) if (lists[number]! >= 0) left += weight
  for (const { lists, weight } of listed) {
    const canEnter = left > floor
    if (!canEnter && seen === 0) return 0
    const list = lists[number]!
    if (list < 0) continue
    const start = starts[list]!
    const end = starts[list + 1]!
    if (!canEnter && seen < end - start) {
      seen = giveUp(counters, touched, seen, floor - left)
      if (seen === 0) return 0
    }
    left -= weight
    if (canEnter) {
      for (let at = start; at < end; at++) {
        const member = members[at]!
        const sum = counters[member]!
        if (sum === 0) touched[seen++] = member
        counters[member] = sum + weight
      }
    } else if (seen * searchCost < end - start) {
      for (let at = 0; at < seen; at++) {
        const member = touched[at]!
        if (holds(members, start, end, member)) counters[member]! += weight
      }
    } else {
      for (let at = start; at < end; at++) {
        const member = members[at]!
        const sum = counters[member]!
        if (sum !== 0) counters[member] = sum + weight
      }
    }
  }
  return giveUp(counters, touched, seen, floor)
}

/** Keeps the touched members with a sum above `least` and zeroes the counters of the others. */
const giveUp = (counters: Uint16Array, touched: Uint16Array, seen: number, least: number): number => {
  let kept = 0
  for (let at = 0; at < seen; at++) {
    const member = touched[at]!
    if (counters[member]! > least) touched[kept++] = member
    else counters[member] = 0
  }
  return kept
}

/** Whether a sorted range of a list holds a member. */
const holds = (members: Uint16Array, start: number, end: number, member: number): boolean => {
  let low = start
  let high = end - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (members[middle]! < member) low = middle + 1
    else high = middle
  }
  return members[low] === member
}

/** Texts that share less than this part of what the best text shares are not compared. */
const minShareOfBest = 0.55

/** Collects the texts with the highest sums. */
interface TopTexts {
  /** Sums up to this are not kept. It rises as better texts come in. */
  readonly floor: () => number
  readonly offer: (text: number, sum: number) => void
  /** Raises the floor as far as the texts offered so far allow. */
  readonly settle: () => void
  readonly texts: () => readonly number[]
}

interface Kept {
  readonly text: number
  readonly sum: number
}

/**
 * Keeps the `most` texts with the highest sums; lower numbers win ties. Offers are gathered and cut from time to
 * time, which is faster than keeping them sorted.
 */
export const makeTopTexts = (most: number, least: number): TopTexts => {
  let floor = least
  // Texts far behind the best are left out even if they were offered first, so that the order of texts does not matter.
  let farBehind = least
  const kept: Kept[] = []

  const cut = (): void => {
    kept.sort(byFirst)
    kept.length = Math.min(kept.length, most)
    if (kept.length === most) floor = Math.max(floor, kept.at(-1)!.sum)
  }

  return {
    floor: () => floor,
    offer: (text, sum) => {
      if (sum <= floor) return
      farBehind = Math.max(farBehind, Math.floor(sum * minShareOfBest))
      floor = Math.max(floor, farBehind)
      kept.push({ text, sum })
      if (kept.length >= most * 4) cut()
    },
    settle: cut,
    texts: () => {
      cut()
      return kept.filter(({ sum }) => sum > farBehind).map(({ text }) => text)
    },
  }
}

/** At most this many texts are kept for all columns together. */
const mostInAll = 2048

/**
 * Keeps the `most` texts with the highest sums for every column, so that a column full of good texts does not hide
 * the best text of another; lower numbers win ties. If `isWanted` is given, only its columns count.
 */
export const makeTopTextsByColumn = (
  owners: TextOwners,
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
      eachOwner(owners, text, number => {
        if (isWanted && !isWanted(number)) return
        if (sum * minShareOfBest > floor) floor = Math.floor(sum * minShareOfBest)
        const column = columns.get(number) ?? { floor: 0, kept: [] }
        columns.set(number, column)
        if (sum <= column.floor) return
        column.kept.push({ text, sum })
        if (column.kept.length >= most * 4) cut(column)
      })
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
