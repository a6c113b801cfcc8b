import type { SqlShape } from '../../sql/sql-shape.ts'
import type { StemmedColumn } from './catalog-words.ts'
import { classLogLikelihoods } from './class-log-likelihoods.ts'
import { columnContext, columnCues } from './column-cues.ts'
import type { ShapePriorModel } from './expectation-model.ts'
import { columnOf } from './item-mention.ts'
import type { QuestionMentions } from './read-question.ts'

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
