import type { StemmedColumn } from './catalog-words.ts'
import type { Mention, QuestionMentions } from './read-question.ts'

/** What of a question bears on any column, read once a question. */
export interface ColumnContext {
  readonly reading: QuestionMentions
  /** The words, names and values masked where a whole name stands. */
  readonly masked: readonly string[]
  readonly start: string
  readonly firstValue: number
  /** The columns that are wholly named, by the place of the first word that names them. */
  readonly named: ReadonlyMap<number, readonly StemmedColumn[]>
}

/** Reads what bears on all columns. */
export const columnContext = (reading: QuestionMentions): ColumnContext => {
  const { words, tables } = reading
  const masked = words.map(({ isValue, stem }) => (isValue ? 'V' : stem))
  for (const mention of tables)
    if (mention?.share === 1)
      for (let at = mention.at; at < mention.at + mention.length; at++) masked[at] = 'T'
  for (const mention of reading.columns)
    if (mention?.share === 1)
      for (let at = mention.at; at < mention.at + mention.length; at++)
        if (masked[at] !== 'T') masked[at] = 'C'
  const firstValue = words.findIndex(({ isValue }) => isValue)
  return {
    reading,
    masked,
    start: words[0]?.stem ?? '',
    firstValue: firstValue < 0 ? words.length : firstValue,
    named: Map.groupBy(
      reading.catalog.columns.filter(({ at }) => reading.columns[at]?.share === 1),
      ({ at }) => reading.columns[at]?.at ?? 0,
    ),
  }
}

/** What speaks for or against a column being shown, as names of features. */
export const columnCues = (column: StemmedColumn, context: ColumnContext): readonly string[] => {
  const { reading, masked, start } = context
  const mention = reading.columns[column.at] ?? null
  const table = reading.tables[column.tableAt] ?? null
  const kind = column.isKey ? 'key' : column.isName ? 'name' : column.isNumber ? 'number' : 'other'
  const owner = table?.share === 1 ? 'its table' : table === null ? 'no table' : 'half its table'
  if (mention === null)
    return [`unnamed ${kind}`, `unnamed ${kind}, ${owner}`, `unnamed ${kind}, ${owner}, ${start}`]
  const named = mention.share === 1 ? 'named' : mention.share >= 0.5 ? 'half named' : 'hardly named'
  const cues = [named, `${named} ${kind}`, `${named}, ${owner}`, `${named}, ${start}`]
  if (isInside(mention, column, reading)) cues.push(`${named}, in a longer name`)
  if (mention.share < 0.5) return cues
  const standing = rivalPositionOf(column, mention, context)
  cues.push(`${named}, ${standing}`, `${named}, ${standing}, ${owner}`)
  const before = (steps: number): string => masked[mention.at - steps] ?? '^'
  const after = (steps: number): string => masked[mention.at + mention.length - 1 + steps] ?? '$'
  cues.push(`<${before(1)}`, `<${before(2)} ${before(1)}`, `<<${before(2)}`, `<<${before(3)}`)
  cues.push(`>${after(1)}`, `>${after(1)} ${after(2)}`, `>>${after(2)}`, `${before(1)} _ ${after(1)}`)
  cues.push(mention.at < context.firstValue ? 'before values' : 'after values')
  cues.push(`at ${Math.min(12, mention.at)}`)
  if (masked.slice(0, mention.at).some(word => clause.has(word))) cues.push('in a later clause')
  if (masked.slice(0, mention.at).includes('.')) cues.push('in a later sentence')
  const asking = masked.slice(Math.max(0, mention.at - 4), mention.at).find(word => aggregating.has(word))
  if (asking !== undefined) cues.push(`behind ${asking}`)
  return cues
}

const clause = new Set([
  'whose',
  'with',
  'that',
  'which',
  'who',
  'where',
  'for',
  'have',
  'ha',
  'by',
  'when',
  'than',
])
const aggregating = new Set(
  'averag mean maximum max minimum min total sum number mani most least highest lowest largest smallest each'.split(
    ' ',
  ),
)

/** `name` in "first name" names `first_name` and not `name`. */
const isInside = (mention: Mention, column: StemmedColumn, { columns, catalog }: QuestionMentions): boolean =>
  columns.some(
    (other, index) =>
      other !== null &&
      other.share === 1 &&
      other.length > mention.length &&
      other.at <= mention.at &&
      mention.at < other.at + other.length &&
      catalog.columns[index]?.table === column.table,
  )

type RivalPosition = 'only' | 'nearest' | 'farther' | 'nobody near'

/** Of columns of several tables that the same words name, the one whose table is named nearest. */
const rivalPositionOf = (
  column: StemmedColumn,
  { at }: Mention,
  { reading, named }: ColumnContext,
): RivalPosition => {
  const rivals = (named.get(at) ?? []).filter(({ table }) => table !== column.table)
  if (rivals.length === 0) return 'only'
  const distance = ({ tableAt }: StemmedColumn): number => {
    const mention = reading.tables[tableAt] ?? null
    return mention === null || mention.share < 1 ? Number.POSITIVE_INFINITY : Math.abs(mention.at - at)
  }
  const own = distance(column)
  const nearest = Math.min(...rivals.map(distance))
  if (own === Number.POSITIVE_INFINITY && nearest === Number.POSITIVE_INFINITY) return 'nobody near'
  return own <= nearest ? 'nearest' : 'farther'
}
