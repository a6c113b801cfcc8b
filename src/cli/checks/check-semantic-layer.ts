import type { Catalog } from '../../domain/catalog.ts'
import type { LayerExpression, SemanticLayer, SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import { fragmentParts } from '../../semantic-layer/compile/expressions.ts'
import { type IndexedModel, indexLayer, type LayerIndex } from '../../semantic-layer/compile/layer-index.ts'
import { semanticFindings as copy } from '../copy/operations.ts'
import { countLayer, formatProblem, type ReadLayer } from '../semantic/semantic.ts'
import type { Check } from './checks.ts'

/** Lines that are shown; the rest is only counted. */
const MAX_LINES = 20

/**
 * Lists what is wrong with the semantic layer of a database: problems of its files, and accepted metrics and segments
 * over columns that hold nothing, which answer with nothing.
 */
export const checkSemanticLayer = (
  { layer, problems }: Pick<ReadLayer, 'layer' | 'problems'>,
  catalog: Catalog,
): Omit<Check, 'part'> => {
  const dead = deadColumns(layer, catalog).map(({ item, column }) => copy.deadColumn(item, column))
  const lines = [...problems.map(formatProblem), ...dead]
  if (lines.length > 0) {
    const more = lines.length - MAX_LINES
    return {
      status: problems.length > 0 ? 'broken' : 'weak',
      finding: [...lines.slice(0, MAX_LINES), ...(more > 0 ? [copy.more(more)] : [])].join('\n'),
      todo: [
        ...(problems.length > 0 ? [copy.correct] : []),
        ...(dead.length > 0 ? [copy.fillOrReplace] : []),
      ].join(' '),
    }
  }
  const counts = countLayer(layer)
  return counts.metrics.accepted + counts.segments.accepted === 0
    ? { status: 'not-set', finding: copy.onlyProposed(counts) }
    : { status: 'ok', finding: copy.counts(counts) }
}

interface DeadColumn {
  /** `metric revenue` */
  readonly item: string
  /** `orders.discount` */
  readonly column: string
}

/** Columns without a single value that accepted metrics and segments are made of. */
const deadColumns = (layer: SemanticLayer, catalog: Catalog): readonly DeadColumn[] => {
  const index = indexLayer(layer, catalog)
  const found = new Map<string, DeadColumn>()
  const look = (item: string, model: IndexedModel, column: string): void => {
    const { profile } = model.columns.get(column) ?? {}
    if (!profile || profile.nullShare < 1 || profile.rowsRead === 0 || model.table.rowCount === 0) return
    const name = `${model.table.name}.${column}`
    found.set(`${item} ${name}`, { item, column: name })
  }
  const lookIn = (item: string, name: string, expression: LayerExpression | null): void => {
    const model = index.models.get(name)
    if (model === undefined || expression === null) return
    for (const [of, column] of columnsOf(expression, model, index, catalog)) look(item, of, column)
  }
  for (const metric of layer.metrics) {
    if (metric.kind !== 'simple' || metric.status !== 'accepted') continue
    const item = `metric ${metric.name}`
    const time = dimensionOf(index.models.get(metric.model)?.model, metric.timeDimension)
    const filters = metric.filters.map(text => ({ kind: 'sql', text }) as const)
    for (const one of [metric.expression, time, ...filters]) lookIn(item, metric.model, one)
  }
  for (const { name, model, status, conditions } of layer.segments)
    for (const condition of status === 'accepted' ? conditions : []) {
      if (condition.kind === 'sql') lookIn(`segment ${name}`, model, condition)
      if (condition.kind === 'past')
        lookIn(`segment ${name}`, model, dimensionOf(index.models.get(model)?.model, condition.dimension))
      if (condition.kind === 'related')
        for (const text of condition.where) lookIn(`segment ${name}`, condition.model, { kind: 'sql', text })
    }
  return [...found.values()]
}

const dimensionOf = (model: SemanticModel | undefined, name: string | null): LayerExpression | null =>
  model?.dimensions.find(one => one.name === name)?.expression ?? null

const columnsOf = (
  expression: LayerExpression,
  model: IndexedModel,
  index: LayerIndex,
  catalog: Catalog,
): readonly (readonly [IndexedModel, string])[] => {
  switch (expression.kind) {
    case 'column':
      return [[model, expression.column]]
    case 'duration':
      return [expression.from, expression.until].flatMap(name => {
        const end = dimensionOf(model.model, name)
        return end === null || end.kind === 'duration' ? [] : columnsOf(end, model, index, catalog)
      })
    case 'sql':
      return fragmentParts(index, model, expression.text, catalog.dialect).flatMap(part => {
        if (typeof part === 'string') return []
        const last = part.steps.at(-1)
        const of = last === undefined ? model : index.models.get(last.to)
        return of === undefined ? [] : [[of, part.column] as const]
      })
    default: {
      const never: never = expression
      return never
    }
  }
}
