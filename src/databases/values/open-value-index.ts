import type { FindValues, ValueMatch } from '../../core/value-match.ts'
import { makeFindCandidates } from './find-candidates.ts'
import { makeFindByKey } from './find-spelled-same.ts'
import { initialsOf, isInitials } from './initials.ts'
import { makeTopTextsByColumn } from './keep-best-by-column.ts'
import { makeTopTexts } from './keep-best-texts.ts'
import { initialsKey } from './matching-key.ts'
import { makeReadText } from './pack-texts.ts'
import { pickMatches } from './pick-matches.ts'
import { isShort, prepareText, scoreMatch } from './score-match.ts'
import type { IndexedColumn, ValueIndexData } from './value-index-data.ts'

/** Texts compared in full for one keyword. */
const mostCompared = 64

/** The same of one column, where the best of every column are asked for. */
const mostComparedOfColumn = 24

/** Two slips of the pen in a short name leave this much of its trigrams; with less it could be anything. */
const leastShareOfMisspelled = 0.28

/** Where the keyword itself is there, only what holds most of it is worth showing beside it. */
const leastShareBesideSame = 0.55

/** Below this a match says nothing. */
const leastScore = 0.3

const usualLimit = 10

/** A value index ready to be asked. */
export interface ValueIndex {
  readonly find: FindValues
  /** Different texts. */
  readonly size: number
  /** Size of the index in memory, its texts not counted. */
  readonly bytes: number
  readonly data: ValueIndexData
}

/** Makes stored or freshly built index data searchable; costs next to nothing. */
export const openValueIndex = (data: ValueIndexData): ValueIndex => {
  const findCandidates = makeFindCandidates(data)
  const findSpelledSame = makeFindByKey(data.keys)
  const textAt = makeReadText(data)

  const find: FindValues = (keyword, { limit = usualLimit, perColumn, columns } = {}) => {
    const trimmed = keyword.trim()
    if (trimmed === '' || limit < 1 || (perColumn !== undefined && perColumn < 1)) return []
    const isWanted = columns && makeIsWanted(data.columns, columns)
    const prepared = prepareText(trimmed)
    const texts = new Set(findSpelledSame(prepared.key).filter(text => isHeld(data, text)))
    const leastShare = texts.size === 0 ? leastShareOfMisspelled : leastShareBesideSame
    for (const key of keysByInitials(prepared.words))
      for (const text of findSpelledSame(key)) if (isHeld(data, text)) texts.add(text)
    if (!isShort(prepared.folded)) {
      const makeBest = (least: number) =>
        perColumn === undefined && isWanted === undefined
          ? makeTopTexts(mostCompared, least)
          : makeTopTextsByColumn(data, {
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
      for (const owner of ownersOf(data, text)) {
        if (isWanted && !isWanted(owner)) continue
        const { table, column } = data.columns[owner]!
        matches.push({ keyword, table, column, value, score })
      }
    }
    return pickMatches(matches, { limit, perColumn })
  }

  return { find, size: data.textEnds.length - data.gone.texts, bytes: sizeOf(data), data }
}

/** Under which keys stands what a keyword is short for, or what is short for it. */
const keysByInitials = (words: readonly string[]): readonly string[] =>
  isInitials(words) ? [initialsKey(words[0]!)] : initialsOf(words)

const isHeld = ({ ownerStarts }: ValueIndexData, text: number): boolean =>
  ownerStarts[text] !== ownerStarts[text + 1]

const ownersOf = ({ owners, ownerStarts }: ValueIndexData, text: number): number[] =>
  Array.from(owners.subarray(ownerStarts[text]!, ownerStarts[text + 1]!))

/** Tells of a column's number whether it is among those asked for. */
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
      data.ownerStarts.byteLength +
      data.owners.byteLength,
  )
