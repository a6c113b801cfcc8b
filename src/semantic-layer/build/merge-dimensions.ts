import type { Catalog } from '../../domain/catalog.ts'
import type { Dimension, SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import { type IndexedModel, type LayerIndex, timeDimensionOf } from '../compile/layer-index.ts'
import type { FileDimension, FileModel } from '../files/layer-file.ts'
import { didYouMean } from '../files/nearest-name.ts'
import { columnWords, labelOf } from '../propose/names.ts'
import { checkExpression, columnNamed } from './check-expression.ts'
import type { LayerReport } from './layer-item.ts'
import { phrasesOf, withoutPhrases, wordOf } from './phrases.ts'

/** Puts the dimensions of a file over those that are proposed. `names`: new names of proposed ones. */
export const mergeDimensions = (
  model: SemanticModel,
  file: FileModel,
  {
    index,
    catalog,
    report,
  }: { readonly index: LayerIndex; readonly catalog: Catalog; readonly report: LayerReport },
): { readonly dimensions: readonly Dimension[]; readonly names: ReadonlyMap<string, string> } => {
  const own = index.models.get(model.name)
  const names = new Map<string, string>()
  let dimensions = model.dimensions
  if (own === undefined) return { dimensions, names }
  const taken = new Map<string, string>()
  for (const given of file.dimensions) {
    const key = `dimension ${model.name}.${given.name}`
    if (report.broken.has(key)) continue
    const current = { ...own, dimensions: new Map(dimensions.map(one => [one.name, one])) }
    const made = makeDimension(given, current, { index, catalog })
    if (typeof made === 'string') {
      report.problems.push({ at: given.at, message: made })
      continue
    }
    const { dimension, replaces } = made
    const clash = phrasesOf(dimension).find(phrase => (taken.get(phrase) ?? given.name) !== given.name)
    if (clash !== undefined)
      report.problems.push({
        at: given.at,
        message: `the dimensions ${taken.get(clash)} and ${given.name} of ${model.name} are both called “${wordOf(dimension, clash)}”; remove it from one of them`,
      })
    for (const phrase of phrasesOf(dimension)) if (!taken.has(phrase)) taken.set(phrase, given.name)
    if (replaces !== null && replaces !== dimension.name) names.set(replaces, dimension.name)
    dimensions =
      replaces === null
        ? [...dimensions, dimension]
        : dimensions.map(one => (one.name === replaces ? dimension : one))
    if (dimension.expression.kind !== 'column')
      report.items.push({
        key,
        at: given.at,
        isTerm: false,
        use: countOf(model.name, key, { model: model.name, dimension: dimension.name, via: null }),
      })
  }
  // Proposals give way: a word means the dimension of the file.
  const stated = new Set(taken.values())
  dimensions = dimensions.map(one =>
    stated.has(one.name) ? one : { ...one, synonyms: withoutPhrases(one.synonyms, taken) },
  )
  return { dimensions, names }
}

const makeDimension = (
  given: FileDimension,
  model: IndexedModel,
  { index, catalog }: { readonly index: LayerIndex; readonly catalog: Catalog },
): { readonly dimension: Dimension; readonly replaces: string | null } | string => {
  const expression = dimensionExpression(given, model, { index, catalog })
  if (typeof expression === 'string') return expression
  const known =
    model.dimensions.get(given.name) ??
    (expression.kind === 'column'
      ? [...model.dimensions.values()].find(
          one => one.expression.kind === 'column' && one.expression.column === expression.column,
        )
      : undefined)
  const isRenamed = known !== undefined && known.name !== given.name
  const type =
    given.type === 'time'
      ? known?.type === 'date' || known?.type === 'timestamp'
        ? known.type
        : ['second', 'minute', 'hour'].includes(given.granularity ?? 'day')
          ? 'timestamp'
          : 'date'
      : (given.type ?? known?.type ?? (expression.kind === 'duration' ? 'number' : 'categorical'))
  const unit = given.unit === 'none' ? null : (given.unit ?? known?.unit ?? null)
  return {
    replaces: known?.name ?? null,
    dimension: {
      name: given.name,
      label: given.label ?? (known && !isRenamed ? known.label : labelOf(columnWords(given.name))),
      synonyms: given.synonyms ?? known?.synonyms ?? [],
      description: given.description ?? known?.description ?? null,
      type,
      expression,
      values: given.values ?? known?.values ?? null,
      unit: unit ?? (expression.kind === 'duration' ? { kind: 'duration', unit: expression.unit } : null),
      isKey:
        given.isKey ?? (given.expr === null && given.duration === null ? (known?.isKey ?? false) : false),
    },
  }
}

const dimensionExpression = (
  given: FileDimension,
  model: IndexedModel,
  { index, catalog }: { readonly index: LayerIndex; readonly catalog: Catalog },
): Dimension['expression'] | string => {
  if (given.duration !== null)
    return durationProblem(given.duration, model) ?? { kind: 'duration', ...given.duration }
  if (given.expr === null) {
    const known = model.dimensions.get(given.name)
    if (known) return known.expression
    const column = columnNamed(model, given.name)
    if (column !== null) return { kind: 'column', column }
    return `the table ${model.table.name} has no column ${given.name}${didYouMean(given.name, model.columns.keys())}; for anything else give an expr`
  }
  const checked = checkExpression(given.expr, { index, model, dialect: catalog.dialect })
  return checked.ok ? checked.expression : checked.message
}

/** What is wrong with a duration; null if both ends are dates of the model. */
export const durationProblem = (
  { from, until }: { readonly from: string; readonly until: string },
  model: IndexedModel,
): string | null => {
  for (const end of [from, until]) {
    const dimension = model.dimensions.get(end)
    const dates = [...model.dimensions.values()].filter(({ type }) => type === 'date' || type === 'timestamp')
    if (dimension === undefined || !dates.includes(dimension))
      return `${model.model.name} has no date ${end}${didYouMean(
        end,
        dates.map(({ name }) => name),
      )}`
  }
  return null
}

/** What is wrong with a default date, which may be one of a model that joins lead to: `order.placed_at`. */
export const dateProblem = (path: string, model: IndexedModel, index: LayerIndex): string | null => {
  const found = timeDimensionOf(index, model, path)
  const dimension = found && index.models.get(found.model)?.dimensions.get(found.dimension)
  if (dimension?.type === 'date' || dimension?.type === 'timestamp') return null
  const dates = [...model.dimensions.values()].filter(({ type }) => type === 'date' || type === 'timestamp')
  return dimension
    ? `${path} is no date of ${model.model.name}`
    : `${model.model.name} has no date ${path}${didYouMean(
        path,
        dates.map(({ name }) => name),
      )}`
}

/** A count that needs a dimension or a join, to try it out. */
export const countOf = (
  model: string,
  label: string,
  of: { readonly model: string; readonly dimension: string; readonly via: readonly string[] | null } | null,
) => ({ kind: 'made', label, model, aggregation: 'count', of, percentile: null, filters: [] }) as const
