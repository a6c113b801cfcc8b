import type { FindValues, ValueMatch } from '../../domain/question-context.ts'
import { foldText } from '../../lib/fold-text.ts'
import { makeFindCandidates, makeTopTexts, makeTopTextsByColumn } from './find-candidates.ts'
import { initialsKey, initialsOf, isInitials, makeFindByKey, matchingKey } from './matching-key.ts'
import { isShort, prepareText, scoreMatch } from './score-match.ts'
import { eachOwner, isHeld } from './text-owners.ts'
import { type IndexedColumn, makeReadText, type ValueIndexData } from './value-index-data.ts'

/** At most this many texts are compared in full per keyword. */
const mostCompared = 64

/** The same per column, if the best matches of every column are wanted. */
const mostComparedOfColumn = 24

/** Two typos in a short name leave this share of its trigrams; with less it could be anything. */
const leastShareOfMisspelled = 0.28

/** If the keyword itself is found, only texts that share most of it are worth showing too. */
const leastShareBesideSame = 0.55

/** Below this a match says nothing. */
const leastScore = 0.3

const usualLimit = 10

/** A value index that can be searched. */
export interface ValueIndex {
  readonly find: FindValues
  /** Number of distinct texts. */
  readonly size: number
  /** Size of the index in memory without its texts. */
  readonly bytes: number
  readonly data: ValueIndexData
}

/** Opens stored or newly built index data for searching. Costs next to nothing. */
export const openValueIndex = (data: ValueIndexData): ValueIndex => {
  const findCandidates = makeFindCandidates(data)
  const findSpelledSame = makeFindByKey(data.keys)
  const textAt = makeReadText(data)

  const find: FindValues = (keyword, { limit = usualLimit, perColumn, columns } = {}) => {
    const trimmed = keyword.trim()
    if (trimmed === '' || limit < 1 || (perColumn !== undefined && perColumn < 1)) return []
    const isWanted = columns && makeIsWanted(data.columns, columns)
    const prepared = prepareText(trimmed)
    const texts = new Set(
      // Other keys share the hash.
      findSpelledSame(prepared.key).filter(
        text => isHeld(data.owners, text) && matchingKey(foldText(textAt(text))) === prepared.key,
      ),
    )
    const leastShare = texts.size === 0 ? leastShareOfMisspelled : leastShareBesideSame
    for (const key of keysByInitials(prepared.words))
      for (const text of findSpelledSame(key)) if (isHeld(data.owners, text)) texts.add(text)
    if (!isShort(prepared.folded)) {
      const makeBest = (least: number) =>
        perColumn === undefined && isWanted === undefined
          ? makeTopTexts(mostCompared, least)
          : makeTopTextsByColumn(data.owners, {
              most: perColumn === undefined ? mostCompared : Math.max(mostComparedOfColumn, perColumn * 4),
              least,
              ...(isWanted && { isWanted }),
            })
      for (const text of findCandidates(prepared.folded, { leastShare, makeBest })) texts.add(text)
    }
    const matches: ValueMatch[] = []
    for (const text of texts) {
      const value = textAt(text)
      const score = scoreMatch(prepared, prepareText(value))
      if (score < leastScore) continue
      eachOwner(data.owners, text, owner => {
        if (isWanted && !isWanted(owner)) return
        const { table, column } = data.columns[owner]!
        matches.push({ keyword, table, column, value, score })
      })
    }
    return pickMatches(matches, { limit, perColumn })
  }

  return { find, size: data.textEnds.length - data.gone.texts, bytes: sizeOf(data), data }
}

/** The keys under which texts are found that a keyword abbreviates by initials, or that abbreviate it. */
const keysByInitials = (words: readonly string[]): readonly string[] =>
  isInitials(words) ? [initialsKey(words[0]!)] : initialsOf(words)

/** Makes a test whether a column, by number, is among those asked for. */
const makeIsWanted = (
  all: readonly IndexedColumn[],
  wanted: readonly IndexedColumn[],
): ((column: number) => boolean) => {
  const keyOf = ({ table, column }: IndexedColumn): string => JSON.stringify([table, column])
  const keys = new Set(wanted.map(keyOf))
  const numbers = new Set(all.flatMap((column, number) => (keys.has(keyOf(column)) ? [number] : [])))
  return column => numbers.has(column)
}

const sizeOf = (data: ValueIndexData): number =>
  data.blocks.reduce(
    (sum, block) => sum + block.trigrams.byteLength + block.starts.byteLength + block.members.byteLength,
    data.keys.byteLength +
      data.gone.trigrams.byteLength +
      data.gone.counts.byteLength +
      data.textEnds.byteLength +
      data.owners.first.byteLength +
      data.owners.moreTexts.byteLength +
      data.owners.moreColumns.byteLength,
  )

/**
 * The best `limit` matches, best first. With `perColumn`, at most that many per column. Without it, a column gets
 * half of the places at first and more only if no other match is left, so that one column full of similar values does
 * not hide the others. Ties go by table and column name, shorter values first.
 */
const pickMatches = (
  matches: readonly ValueMatch[],
  { limit, perColumn }: { readonly limit: number; readonly perColumn?: number | undefined },
): readonly ValueMatch[] => {
  const sorted = [...matches].sort(byScore)
  if (perColumn === undefined && sorted.length <= limit) return sorted
  const share = perColumn ?? Math.ceil(limit / 2)
  const taken = new Map<string, number>()
  const picked: ValueMatch[] = []
  const leftOver: ValueMatch[] = []
  for (const match of sorted) {
    const place = JSON.stringify([match.table, match.column])
    const count = taken.get(place) ?? 0
    if (count >= share) leftOver.push(match)
    else {
      taken.set(place, count + 1)
      picked.push(match)
      if (picked.length === limit) break
    }
  }
  if (perColumn === undefined && picked.length < limit)
    picked.push(...leftOver.slice(0, limit - picked.length))
  return picked.sort(byScore)
}

const byScore = (a: ValueMatch, b: ValueMatch): number =>
  b.score - a.score ||
  a.value.length - b.value.length ||
  compare(a.table, b.table) ||
  compare(a.column, b.column) ||
  compare(a.value, b.value)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
