import type { SqlShape } from '../../sql/analyze/sql-shape.ts'
import type { StemmedColumn } from './catalog-words.ts'
import { columnOf } from './column-order.ts'
import type { Mention, QuestionMentions } from './question-mentions.ts'
import { classLogLikelihoods, type ShapePriorModel } from './shape-prior-model.ts'

/** What a query shows beside what the question asks for. Columns are `table.column`. */
export interface ColumnsScore {
  /**
   * Log likelihood of the columns shown, over that of showing nothing, from -`MOST` upwards: higher is better, between
   * queries of one question.
   */
  readonly score: number
  /** Asked for more likely than not, and not shown. */
  readonly missing: readonly string[]
  /** Shown, although it was hardly asked for. */
  readonly extra: readonly string[]
  /** Sums of the log odds against `extra` and for `missing`, both from 0 to `MOST`. */
  readonly extraWeight: number
  readonly missingWeight: number
}

/** Ten columns too many are no worse than three: beyond this a sum says nothing more. */
const MOST = 10

type Role = 'plain' | 'aggregated'

/** Reads which columns a question asks for, then judges any number of queries by it. */
export const makeColumnsPrior = (model: ShapePriorModel, reading: QuestionMentions) => {
  const context = columnContext(reading)
  const known = new Map<StemmedColumn, Readonly<Record<Role, number>>>()
  /** log P(shown so) - log P(not shown). */
  const oddsOf = (column: StemmedColumn): Readonly<Record<Role, number>> => {
    const remembered = known.get(column)
    if (remembered !== undefined) return remembered
    const likelihoods = classLogLikelihoods(model.columns, columnCues(column, context))
    const of = (name: string): number => likelihoods[model.columns.classes.indexOf(name)] ?? 0
    const odds = { plain: of('plain') - of('none'), aggregated: of('aggregated') - of('none') }
    known.set(column, odds)
    return odds
  }
  // Only what is named can be missed, so a wide database costs no more than its question names.
  const asked = reading.catalog.columns.filter((column, at) => {
    const share = reading.columns[at]?.share ?? 0
    return share >= 0.5 && oddsOf(column).plain > 0
  })
  return (shape: SqlShape): ColumnsScore => {
    let score = 0
    let extraWeight = 0
    const extra: string[] = []
    const shown = new Set<string>()
    const isAll = shape.items.some(({ star, aggregate }) => star && aggregate === null)
    for (const item of shape.items) {
      const column = columnOf(item, shape, reading)
      if (column === null || shown.has(nameOf(column))) continue
      shown.add(nameOf(column))
      const role = item.aggregate === null ? 'plain' : 'aggregated'
      const odds = bestOf(column, shape, reading).reduce(
        (most, one) => Math.max(most, oddsOf(one)[role]),
        Number.NEGATIVE_INFINITY,
      )
      score += odds
      if (odds >= 0) continue
      extra.push(nameOf(column))
      extraWeight -= odds
    }
    const names = new Set([...shown].map(name => name.replace(/^.*\./, '').toLowerCase()))
    const missed = isAll ? [] : asked.filter(({ name }) => !names.has(name.toLowerCase()))
    return {
      score: Math.max(-MOST, score),
      missing: missed.map(nameOf),
      extra,
      extraWeight: Math.min(MOST, extraWeight),
      missingWeight: Math.min(
        MOST,
        missed.reduce((sum, column) => sum + oddsOf(column).plain, 0),
      ),
    }
  }
}

/** Either side of a join may be shown: a key stands for its namesakes in the tables that are read. */
const bestOf = (
  column: StemmedColumn,
  { tables }: SqlShape,
  { catalog }: QuestionMentions,
): readonly StemmedColumn[] => {
  if (!column.isKey) return [column]
  const namesakes = catalog.byName.get(column.name.toLowerCase()) ?? []
  return [column, ...namesakes.filter(({ table }) => tables.includes(table.toLowerCase()))]
}

const nameOf = ({ table, name }: StemmedColumn): string => `${table}.${name}`

/** What of a question bears on any column, read once a question. */
interface ColumnContext {
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

/** Cues for and against showing a column, as names of features. */
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
  const position = rivalPositionOf(column, mention, context)
  cues.push(`${named}, ${position}`, `${named}, ${position}, ${owner}`)
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
