import type { Aggregate, ShapeTerm, SqlShape } from '../../sql/sql-shape.ts'
import type { StemmedColumn } from './catalog-words.ts'
import type { QuestionMentions } from './read-question.ts'

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
export const positionOfItem = (
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
