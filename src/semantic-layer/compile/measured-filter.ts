import type { MetricFilter } from '../../domain/metrics/metric-query.ts'
import { literalOf, selectOf } from '../../sql/tree/compose-query.ts'
import { compareOf, type Expression } from '../../sql/tree/query-tree.ts'
import { combineFacts } from './combine-facts.ts'
import { dimensionIn, elapsed, pathTo } from './expressions.ts'
import { groupFacts } from './facts.ts'
import { keyAlong } from './keys.ts'
import { formulaExpression, isTotal, makeMeasureList } from './measures.ts'
import { holds, idsOf } from './rows.ts'
import { allOf, type Scope, UncompilableError } from './scope.ts'
import { withShortNames } from './short-names.ts'

const opposite = { '<': '>=', '<=': '>', '>': '<=', '>=': '<', '=': '<>', '<>': '=' } as const

/**
 * Whether the rows of a model that a figure is measured for meet a condition: their key is among those whose groups do.
 * A condition that no rows at all meet too ("fewer than 5 orders") asks for the opposite and leaves those out.
 */
export const measuredCondition = (
  scope: Scope,
  { of, metric, operator, value, period }: Extract<MetricFilter, { kind: 'measured' }>,
): Expression => {
  const { context } = scope
  const own = ownFigure(scope, { of, metric, period })
  if (own !== null) return compareOf(operator, own, literalOf(value))
  const target = context.index.models.get(of)
  const [key] = target?.model.primaryKey ?? []
  if (target === undefined || key === undefined || target.model.primaryKey.length !== 1)
    throw new UncompilableError(`${of} has no key of one column`)
  const list = makeMeasureList(context.index)
  const { formula } = list.resolve(metric)
  const wanted = { groupBy: [], period: period && { ...period, at: null, phrase: '' } }
  const facts = groupFacts(list.measures, wanted, context)
  const meetsNothing =
    formula.kind === 'measure' && isTotal(list.measures[formula.at]!) && holds(0, operator, value)
  const { keys, aggregates, select } = combineFacts(
    facts,
    { ...wanted, filters: [], compare: null, more: inner => idsOf(inner, of) },
    context,
  )
  const figure = formulaExpression(formula, at => aggregates.get(at)!.value)
  const { expression: id, mayBeNull } = keys[0]!
  const present: readonly Expression[] = mayBeNull ? [{ kind: 'null-test', operand: id, negated: true }] : []
  const asked = meetsNothing ? opposite[operator] : operator
  // Rows that are there are more than none.
  const isAny = figure.kind === 'aggregate' && figure.star && isMoreThanNone(asked, value)
  const query = withShortNames(
    selectOf({
      ...select,
      outputs: [{ expression: id, alias: null }],
      // NOT IN is never true once the list has a NULL in it.
      where: allOf([...(select.where ? [select.where] : []), ...(meetsNothing ? present : [])]),
      ...(isAny ? { groupBy: [] } : { having: compareOf(asked, figure, literalOf(value)) }),
    }),
  )
  return {
    kind: 'in',
    operand: keyAlong(scope, pathTo(scope, { model: of, via: null }), key),
    among: query,
    negated: meetsNothing,
    bare: false,
    details: [],
  }
}

/** The time that a row itself took: it has one, so its mean is no other. Null for any other figure. */
const ownFigure = (
  scope: Scope,
  { of, metric, period }: Pick<Extract<MetricFilter, { kind: 'measured' }>, 'of' | 'metric' | 'period'>,
): Expression | null => {
  if (metric.kind !== 'made' || metric.model !== of || metric.filters.length > 0 || period !== null)
    return null
  if (metric.of === null || 'dimension' in metric.of || metric.aggregation.startsWith('count')) return null
  const path = pathTo(scope, { model: of, via: null })
  if (!scope.canJoin(path)) return null
  const at = scope.at(path)
  const { from, until, unit } = metric.of
  return elapsed(unit, dimensionIn(at, from.dimension), dimensionIn(at, until.dimension))
}

const isMoreThanNone = (operator: string, value: number): boolean =>
  ((operator === '<>' || operator === '>') && value === 0) || (operator === '>=' && value === 1)
