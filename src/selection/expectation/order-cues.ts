import type { ShapeTerm, SqlShape } from '../../sql/sql-shape.ts'
import type { StemmedColumn } from './catalog-words.ts'
import { columnOf, positionOfItem } from './item-mention.ts'
import type { QuestionMentions } from './read-question.ts'

/** An item of a SELECT list as its place in the list is judged. */
export interface PlacedItem {
  readonly kind: 'count' | 'aggregate' | 'key' | 'name' | 'number' | 'other'
  /** The place of the word that names it; null where none does. */
  readonly at: number | null
  readonly isGrouped: boolean
}

/** The items of a query with the places where the question names them. */
export const placeItems = (shape: SqlShape, reading: QuestionMentions): readonly PlacedItem[] =>
  shape.items.map(item => {
    const column = columnOf(item, shape, reading)
    return {
      kind: kindOf(item, column),
      at: positionOfItem(item, column, reading),
      isGrouped:
        item.aggregate === null &&
        shape.groupBy.some(
          key => key.column !== null && key.column.toLowerCase() === item.column?.toLowerCase(),
        ),
    }
  })

const kindOf = ({ aggregate }: ShapeTerm, column: StemmedColumn | null): PlacedItem['kind'] => {
  if (aggregate !== null) return aggregate === 'count' ? 'count' : 'aggregate'
  if (column === null) return 'other'
  if (column.isKey) return 'key'
  return column.isName ? 'name' : column.isNumber ? 'number' : 'other'
}

/** A cue and its sign: what speaks for an order speaks as strongly against the reverse. */
export type OrderCue = readonly [name: string, sign: 1 | -1]

/** What speaks for `first` standing before `second`. Exchanging them turns every sign. */
export const orderCues = (
  first: PlacedItem,
  second: PlacedItem,
  reading: QuestionMentions,
): readonly OrderCue[] => {
  const cues: OrderCue[] = []
  const kinds: readonly [string, string] = [describe(first), describe(second)]
  const isSorted = kinds[0] < kinds[1]
  const sign = isSorted ? 1 : -1
  const pair = isSorted ? kinds.join('<') : `${kinds[1]}<${kinds[0]}`
  const difference = first.at === null || second.at === null ? 0 : second.at - first.at
  if (difference !== 0) {
    const order = difference > 0 ? 1 : -1
    cues.push(['named-first', order])
    cues.push([`named-first:${Math.abs(difference) > 5 ? 'far' : 'near'}`, order])
    cues.push([`named-first:${pair}`, order])
  } else if (first.at === null && second.at !== null) cues.push(['only-one-named', -1])
  else if (second.at === null && first.at !== null) cues.push(['only-one-named', 1])
  if (kinds[0] === kinds[1]) return cues
  cues.push([pair, sign])
  const [start, next] = reading.words
  cues.push([`${pair}|${start?.stem ?? ''}`, sign])
  cues.push([`${pair}|${start?.stem ?? ''} ${next?.stem ?? ''}`, sign])
  for (const word of telling)
    if (reading.words.some(({ stem }) => stem === word)) cues.push([`${pair}|has ${word}`, sign])
  return cues
}

const describe = ({ kind, isGrouped, at }: PlacedItem): string =>
  `${kind}${isGrouped ? '-grouped' : ''}${at === null ? '-unnamed' : ''}`

/** Words around which orders turn: `for each`, `along with`, `and their`. */
const telling = [
  'each',
  'everi',
  'per',
  'along',
  'with',
  'correspond',
  'respect',
  'their',
  'differ',
  'by',
  'also',
] as const
