import type { Catalog, Column, Table } from '../../domain/catalog.ts'
import type { DimensionRef } from '../../domain/metrics/metric-query.ts'
import type {
  Dimension,
  Metric,
  ModelJoin,
  Segment,
  SemanticLayer,
  SemanticModel,
} from '../../domain/metrics/semantic-layer.ts'
import type { MomentType } from '../../sql/tree/query-tree.ts'

/** A layer over a catalog, with everything found by its name. */
export interface LayerIndex {
  readonly layer: SemanticLayer
  readonly models: ReadonlyMap<string, IndexedModel>
  readonly metrics: ReadonlyMap<string, Metric>
  readonly segments: ReadonlyMap<string, Segment>
}

/** A model with its table. */
export interface IndexedModel {
  readonly model: SemanticModel
  readonly table: Table
  readonly columns: ReadonlyMap<string, Column>
  readonly dimensions: ReadonlyMap<string, Dimension>
  /** Joins to and from other models. */
  readonly steps: readonly PathStep[]
}

/** One join on the way from a model to another. */
export interface PathStep {
  /** The join's name; for a step against the direction of a key, the name of the model that has it. */
  readonly name: string
  readonly to: string
  /** Whether a row has at most one row of the model that the step leads to. */
  readonly isToOne: boolean
  /** Whether each row has exactly one: a declared key over columns that are never NULL. Then no kind of join drops rows. */
  readonly isTotal: boolean
  readonly columns: readonly { readonly from: string; readonly to: string }[]
}

/** Indexes a layer. Models whose table the catalog does not have are left out, with what depends on them. */
export const indexLayer = (layer: SemanticLayer, catalog: Catalog): LayerIndex => {
  const tables = new Map(layer.models.map(model => [model.name, findTable(model, catalog)] as const))
  const known = layer.models.filter(model => tables.get(model.name))
  const models = new Map(
    known.map(model => {
      const table = tables.get(model.name)!
      return [
        model.name,
        {
          model,
          table,
          columns: new Map(table.columns.map(column => [column.name, column])),
          dimensions: new Map(model.dimensions.map(dimension => [dimension.name, dimension])),
          steps: stepsOf(model, known, step => isTotalStep(step, table, tables.get(step.to), catalog)),
        },
      ] as const
    }),
  )
  return {
    layer,
    models,
    metrics: new Map(layer.metrics.map(metric => [metric.name, metric])),
    segments: new Map(layer.segments.map(segment => [segment.name, segment])),
  }
}

const findTable = ({ table: { schema, name } }: SemanticModel, { tables }: Catalog): Table | undefined =>
  tables.find(table => table.name === name && (schema === null || table.schema === schema))

const stepsOf = (
  model: SemanticModel,
  models: readonly SemanticModel[],
  isTotal: (join: ModelJoin) => boolean,
): readonly PathStep[] => [
  ...model.joins.map(join => ({
    name: join.name,
    to: join.to,
    isToOne: true,
    isTotal: isTotal(join),
    columns: join.columns,
  })),
  ...models.flatMap(other =>
    other.joins
      .filter(join => join.to === model.name)
      .map(join => ({
        name: other.name,
        to: other.name,
        // A row has one partner at most if the key is the other table's primary key.
        isToOne: isOneToOne(join, other),
        isTotal: false,
        columns: join.columns.map(({ from, to }) => ({ from: to, to: from })),
      })),
  ),
]

const isTotalStep = (
  { columns }: ModelJoin,
  table: Table,
  target: Table | undefined,
  { foreignKeys, tables }: Catalog,
): boolean =>
  target !== undefined &&
  columns.every(({ from }) => table.columns.some(({ name, nullable }) => name === from && !nullable)) &&
  foreignKeys.some(
    key =>
      key.source === 'declared' &&
      isTable(key.from.table, table, tables) &&
      isTable(key.to.table, target, tables) &&
      key.from.columns.length === columns.length &&
      columns.every(({ from, to }) => key.to.columns[key.from.columns.indexOf(from)] === to),
  )

/** Keys call a table by its plain name, or with its schema where the name alone means another. */
const isTable = (named: string, table: Table, tables: readonly Table[]): boolean =>
  named === `${table.schema}.${table.name}` ||
  (named === table.name && tables.find(({ name }) => name === named) === table)

const isOneToOne = (join: ModelJoin, { primaryKey }: SemanticModel): boolean =>
  primaryKey.length === join.columns.length &&
  primaryKey.every(column => join.columns.some(({ from }) => from === column))

/** How much worse a step to many rows is than one to a single row. */
const TO_MANY_COST = 3

const LONGEST_PATH = 6

/**
 * The joins from a model to another: the cheapest, or those with the names in `via`. Empty if it is the same model, null
 * if no joins lead there.
 */
export const findPath = (
  { models }: LayerIndex,
  from: string,
  to: string,
  via: readonly string[] | null = null,
): readonly PathStep[] | null => {
  if (via !== null) return namedPath(models, from, to, via)
  if (from === to) return []
  let best: { steps: readonly PathStep[]; cost: number } | null = null
  let open: readonly { at: string; steps: readonly PathStep[]; cost: number }[] = [
    { at: from, steps: [], cost: 0 },
  ]
  const cheapest = new Map([[from, 0]])
  for (let length = 0; length < LONGEST_PATH && open.length > 0; length++) {
    const next: (typeof open)[number][] = []
    for (const { at, steps, cost } of open) {
      for (const step of models.get(at)?.steps ?? []) {
        const total = cost + (step.isToOne ? 1 : TO_MANY_COST)
        if (total >= (cheapest.get(step.to) ?? Number.POSITIVE_INFINITY)) continue
        cheapest.set(step.to, total)
        const longer = { at: step.to, steps: [...steps, step], cost: total }
        if (step.to === to) best = best === null || total < best.cost ? longer : best
        else next.push(longer)
      }
    }
    open = next
  }
  return best?.steps ?? null
}

const namedPath = (
  models: LayerIndex['models'],
  from: string,
  to: string,
  via: readonly string[],
): readonly PathStep[] | null => {
  const steps: PathStep[] = []
  let at = from
  for (const name of via) {
    const step: PathStep | undefined = models.get(at)?.steps.find(one => one.name === name)
    if (step === undefined) return null
    steps.push(step)
    at = step.to
  }
  return at === to ? steps : null
}

/** The dimension of a reference, with its model; null if the layer does not have it. */
export const dimensionAt = (
  { models }: LayerIndex,
  { model, dimension }: DimensionRef,
): { readonly model: IndexedModel; readonly dimension: Dimension } | null => {
  const found = models.get(model)
  const own = found?.dimensions.get(dimension)
  return found && own ? { model: found, dimension: own } : null
}

/** How a dimension keeps its moments. */
export const momentTypeOf = ({ columns }: IndexedModel, { expression, type }: Dimension): MomentType => {
  const column = expression.kind === 'column' ? columns.get(expression.column) : undefined
  if (column === undefined) return type === 'date' ? 'date' : 'local'
  if (column.kind === 'date') return 'date'
  if (column.kind !== 'timestamp') return 'text'
  return /with time zone|timestamptz|\btz\b/i.test(column.type) ? 'instant' : 'local'
}

/** The date that a model's figures go by: its own, or one of a model it joins, written `join.dimension`. */
export const timeDimensionOf = (
  index: LayerIndex,
  { model }: IndexedModel,
  name: string | null,
): DimensionRef | null => {
  if (name === null) return null
  const names = name.split('.')
  const dimension = names.pop() ?? name
  let at = model.name
  for (const join of names) {
    const step = index.models.get(at)?.steps.find(one => one.name === join && one.isToOne)
    if (step === undefined) return null
    at = step.to
  }
  return { model: at, dimension, via: names }
}
