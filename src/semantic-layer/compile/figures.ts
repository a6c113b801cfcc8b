import type { MetricQuery } from '../../domain/metrics/metric-query.ts'
import { literalOf, selectOf } from '../../sql/tree/compose-query.ts'
import { compareOf, type Expression } from '../../sql/tree/query-tree.ts'
import { columnOutput, keyOutput, orderings, resolveMetrics, type UsedMetrics } from './columns.ts'
import { combineFacts } from './combine-facts.ts'
import type { CompiledQuery } from './compile-metric-query.ts'
import { type Fact, factQuery, groupFacts } from './facts.ts'
import { tidied } from './group-headings.ts'
import { uniqueNames } from './keys.ts'
import { formulaExpression, type ResolvedMetric } from './measures.ts'
import { allOf, type CompileContext, UncompilableError } from './scope.ts'
import { compileStaged } from './staged-figures.ts'
import { figureColumns, hasWindows } from './windows.ts'

/** Figures by group: one row for each group, or one in all. */
export const compileFigures = (query: MetricQuery, context: CompileContext): CompiledQuery => {
  const used = resolveMetrics(query, context)
  const facts = groupFacts(used.measures, query, context)
  if (facts.length === 0) throw new UncompilableError('a query without metrics')
  return fitsOneSelect(query, used, facts)
    ? compilePlain(query, used, facts, context)
    : compileStaged(query, used, facts, context)
}

/** Nothing is compared with other groups, but for a share that one window can tell. */
const fitsOneSelect = (query: MetricQuery, used: UsedMetrics, facts: readonly Fact[]): boolean => {
  if (query.compare !== null || query.limitPer.length > 0) return false
  if (!hasWindows(query, used)) return true
  const isShare = query.share !== null && !hasWindows({ ...query, share: null }, used)
  const isSimple = facts.length === 1 && used.shown.every(({ formula }) => formula.kind === 'measure')
  return isShare && isSimple && used.kept.length === 0
}

/** One SELECT with everything in it. */
const compilePlain = (
  query: MetricQuery,
  used: UsedMetrics,
  facts: readonly Fact[],
  context: CompileContext,
): CompiledQuery => {
  const { keys, aggregates, select } = combineFacts(facts, factQuery(query), context)
  const measureAt = (at: number): Expression => aggregates.get(at)!.value
  const figureOf = ({ formula }: ResolvedMetric): Expression => formulaExpression(formula, measureAt)
  // A long calculation is better named than written twice.
  if (query.share !== null && [...aggregates.values()].some(({ value }) => isLong(value)))
    return compileStaged(query, used, facts, context)
  const windowed = { keys, measures: used.measures, measureAt, beforeAt: measureAt }
  const columns = uniqueNames([
    ...keys.filter(({ isHidden }) => !isHidden).map(keyOutput),
    ...used.shown.flatMap(metric => figureColumns(query, windowed, metric)),
  ])
  const conditions = allOf(
    used.kept.map(({ metric, operator, value }) => compareOf(operator, figureOf(metric), literalOf(value))),
  )
  // Single rows that stand beside each other are not grouped any more.
  const isGrouped = facts.length === 1 || keys.length > 0
  const tree = tidied(
    selectOf({
      ...select,
      outputs: columns.map(columnOutput),
      ...(isGrouped ? { having: conditions } : { where: conditions }),
      orderBy: orderings(query, { keys, used, figureOf, columns, dialect: context.dialect }),
      limit: query.limit === null ? null : literalOf(query.limit),
    }),
    context.index,
  )
  return { query: tree, columns: columns.map(({ meaning }) => meaning) }
}

const isLong = (expression: Expression): boolean =>
  expression.kind === 'aggregate' && expression.argument !== null && expression.argument.kind !== 'column'
