import type { Aggregate, ShapeTerm, SqlShape } from '../../sql/analyze/sql-shape.ts'
import type { StemmedColumn } from './catalog-words.ts'
import type { QuestionMentions } from './question-mentions.ts'
import type { ShapePriorModel } from './shape-prior-model.ts'

/** More items than this are not weighed: nobody asks for so many one by one. */
const MOST_ITEMS = 12

/**
 * Judges the order of a query's items: the sum over all pairs of log P(the left one stands left). 0 is the best;
 * comparable between queries that show the same items.
 */
export const makeColumnOrderPrior =
  (model: ShapePriorModel, reading: QuestionMentions) =>
  (shape: SqlShape): number => {
    if (shape.items.length < 2 || shape.items.length > MOST_ITEMS) return 0
    const items = placeItems(shape, reading)
    let sum = 0
    for (const [at, left] of items.entries())
      for (const right of items.slice(at + 1)) {
        let logit = 0
        for (const [cue, sign] of orderCues(left, right, reading))
          if (Object.hasOwn(model.order, cue)) logit += sign * model.order[cue]!
        sum -= Math.log1p(Math.exp(-logit))
      }
    return sum
  }

/** An item of a SELECT list as its place in the list is judged. */
interface PlacedItem {
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

/** A cue and its sign: evidence for an order is as strong against the reverse. */
export type OrderCue = readonly [name: string, sign: 1 | -1]

/** Evidence that `first` comes before `second`. Exchanging them changes every sign. */
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

/** Which column of the catalog an item of a query shows; null for `*`, results of subqueries and unknown names. */
export const columnOf = (
  { column, table }: ShapeTerm,
  { tables }: Pick<SqlShape, 'tables'>,
  { catalog }: QuestionMentions,
): StemmedColumn | null => {
  const named = column === null ? [] : (catalog.byName.get(column.toLowerCase()) ?? [])
  const of = (name: string): StemmedColumn | undefined =>
    named.find(one => one.table.toLowerCase() === name.toLowerCase())
  const owner = table === null ? undefined : of(table)
  if (owner !== undefined) return owner
  for (const name of tables) {
    const found = of(name)
    if (found !== undefined) return found
  }
  return named[0] ?? null
}

/** The words that ask for an aggregate, as stems. */
const aggregateWords: Readonly<Record<Aggregate, ReadonlySet<string>>> = {
  count: new Set(['mani', 'number', 'count', 'total', 'amount', 'quantiti']),
  avg: new Set(['averag', 'mean', 'avg']),
  max: new Set([
    'maximum',
    'max',
    'highest',
    'largest',
    'most',
    'latest',
    'oldest',
    'greatest',
    'biggest',
    'longest',
  ]),
  min: new Set([
    'minimum',
    'min',
    'lowest',
    'smallest',
    'least',
    'earliest',
    'youngest',
    'shortest',
    'fewest',
  ]),
  sum: new Set(['total', 'sum', 'overal', 'combin']),
}

/**
 * Where the question names what an item shows, as the place of a word; null where it does not. An aggregate stands
 * at the last word asking for it before its column is named, else at the first.
 */
const positionOfItem = (
  item: ShapeTerm,
  column: StemmedColumn | null,
  reading: QuestionMentions,
): number | null => {
  const mention = column === null ? null : (reading.columns[column.at] ?? null)
  if (item.aggregate === null) return mention?.at ?? null
  const asking = aggregateWords[item.aggregate]
  const cues = reading.words.flatMap(({ stem }, at) => (asking.has(stem) ? [at] : []))
  const before = mention === null ? [] : cues.filter(at => at <= mention.at && mention.at - at <= NEAR)
  return before.at(-1) ?? cues[0] ?? mention?.at ?? null
}

const NEAR = 4
