import type { SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import { liftClause } from '../draft/query-draft.ts'
import { type Build, hasCue } from './build.ts'
import {
  baseOf,
  type FinishContext,
  isSomebody,
  modelNamed,
  pathBetween,
  quantityMetric,
  wholeOf,
} from './layer-facts.ts'

/** How many are shown of "top customers". */
export const TOP_COUNT = 10

/** Whether each line of a sale is of one of them. */
export const haveSales = (model: SemanticModel, context: FinishContext): boolean => {
  const sales = salesOf(context)
  return (
    sales !== null &&
    sales.name !== model.name &&
    sales.joins.some(({ to }) => to === model.name) &&
    !isOfSales(sales, model, context) &&
    !isSomebody(model)
  )
}

/** The rows that say how many pieces were sold. */
const salesOf = (context: FinishContext): SemanticModel | null => {
  const quantity = quantityMetric(context.layer)
  return quantity && baseOf(quantity, context)
}

/** Whether a model is sales themselves, or the orders that they are lines of. */
const isOfSales = (sales: SemanticModel, { name }: SemanticModel, context: FinishContext): boolean =>
  name === sales.name || name === wholeOf(sales, context).name

/** "What sold best last week", "what do business customers buy". */
const soldPattern =
  /^\W*what(?:'s| is| are| has| have|) ?(?:sells?|sold|selling|(?:been )?(?:sold|bought)|(?:(?:do|does|did) .*?\b(?:buy|order|purchase)))\b/i

/**
 * What was sold is ranked by how much of it was, where a question names no kind of thing. Who buys narrows it if something
 * is said of them. Says whether a question is of this kind.
 */
export const readBestSellers = (build: Build): boolean => {
  const { draft, context } = build
  const sales = salesOf(context)
  const sold = sales && soldModel(sales, context)
  const quantity = quantityMetric(context.layer)
  if (!sales || !sold || !quantity || !soldPattern.test(draft.words)) return false
  const isOther = ({ model, at }: Build['models'][number]): boolean =>
    at >= 0 && !isSomebody(model) && !isOfSales(sales, model, context)
  if (build.models.some(isOther) || build.groupBy.length > 0 || draft.measured.length > 0) return false
  if (hasCue(build, 'grain', 'part', 'growth', 'compare', 'versus', 'share', 'not')) return false
  if (draft.clauses.some(({ negated }) => negated)) return false
  for (const clause of [...draft.clauses]) liftClause(draft, clause)
  for (const event of draft.events) if (isOfSales(sales, event.model, context)) event.isUsed = true
  const [rank] = draft.ranks
  build.models = build.models.filter(({ model }) => isSomebody(model) && isSaidOf(build, model))
  build.subject = null
  build.isRows = false
  build.metrics = [{ use: quantity, isOrder: true, at: -1 }]
  build.groupBy = [{ kind: 'model', model: sold.name, via: null }]
  build.order = [{ kind: 'metric', metric: quantity, direction: rank?.direction ?? 'desc' }]
  build.limit = rank?.count ?? TOP_COUNT
  build.score += 0.5
  return true
}

const isSaidOf = ({ draft, context }: Build, { name }: SemanticModel): boolean =>
  draft.filters.some(
    ({ filter }) =>
      ('at' in filter && filter.at.model === name) ||
      (filter.kind === 'segment' && context.index.segments.get(filter.segment)?.model === name),
  )

const goods: ReadonlySet<string> = new Set(
  'product item article sku good part track song album book title dish meal service ticket plan'.split(' '),
)

/** What each line of a sale is of: products, tracks; null if that is not plain. */
const soldModel = (sales: SemanticModel, context: FinishContext): SemanticModel | null => {
  const others = sales.joins
    .map(({ to }) => modelNamed(context, to))
    .filter(model => model !== null)
    .filter(model => !isSomebody(model) && !isOfSales(sales, model, context))
  const named = others.filter(({ name }) => name.split('_').some(word => goods.has(word)))
  const [sold, ...rest] = named.length > 0 ? named : others
  return sold && rest.length === 0 ? sold : null
}

/**
 * Whether things are ranked by how much of them was sold: "best selling products", "which products sell best in Germany".
 * What is said of the sales then narrows the figure rather than the things.
 */
export const takeSale = ({ draft, context }: Build): boolean => {
  const base = salesOf(context)
  if (!base) return false
  if (draft.ranks.some(({ text }) => text.includes('sell'))) return true
  if (!/\b(?:sell|sells|selling|sold)\b/i.test(draft.words)) return false
  const isSale = ({
    model,
    negated,
  }: {
    readonly model: SemanticModel
    readonly negated: boolean
  }): boolean =>
    !negated &&
    (model.name === base.name ||
      pathBetween(context, base.name, model.name)?.every(step => step.isToOne) === true)
  const event = draft.events.find(isSale)
  if (event) event.isUsed = true
  const clause = draft.clauses.find(isSale)
  if (!clause) return event !== undefined
  liftClause(draft, clause)
  return true
}
