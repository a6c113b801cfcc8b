import type { Segment, SemanticLayer, SemanticModel } from '../../domain/metrics/semantic-layer.ts'

/** Gives models new names, wherever a layer refers to them. */
export const renameModels = (layer: SemanticLayer, names: ReadonlyMap<string, string>): SemanticLayer => {
  if (names.size === 0) return layer
  const nameOf = (name: string): string => names.get(name) ?? name
  return {
    models: layer.models.map(model => ({
      ...model,
      name: nameOf(model.name),
      joins: model.joins.map(join => ({ ...join, to: nameOf(join.to) })),
    })),
    metrics: layer.metrics.map(metric =>
      metric.kind === 'simple' ? { ...metric, model: nameOf(metric.model) } : metric,
    ),
    segments: layer.segments.map(
      (segment): Segment => ({
        ...segment,
        model: nameOf(segment.model),
        conditions: segment.conditions.map(condition =>
          condition.kind === 'related' ? { ...condition, model: nameOf(condition.model) } : condition,
        ),
      }),
    ),
  }
}

/** Gives dimensions new names, by the names of their models, wherever a layer refers to them. */
export const renameDimensions = (
  layer: SemanticLayer,
  names: ReadonlyMap<string, ReadonlyMap<string, string>>,
): SemanticLayer => {
  if ([...names.values()].every(renamed => renamed.size === 0)) return layer
  const byName = new Map(layer.models.map(model => [model.name, model]))
  const nameIn = (model: string, dimension: string): string => names.get(model)?.get(dimension) ?? dimension
  const pathIn = (model: SemanticModel, path: string | null): string | null => {
    if (path === null) return null
    const steps = path.split('.')
    const last = steps.pop() ?? path
    let at: SemanticModel | undefined = model
    for (const step of steps) at = byName.get(at?.joins.find(({ name }) => name === step)?.to ?? '')
    return [...steps, nameIn(at?.name ?? '', last)].join('.')
  }
  return {
    models: layer.models.map(model => ({
      ...model,
      nameDimensions: model.nameDimensions.map(name => nameIn(model.name, name)),
      timeDimension: pathIn(model, model.timeDimension),
    })),
    metrics: layer.metrics.map(metric => {
      const model = metric.kind === 'simple' ? byName.get(metric.model) : undefined
      return metric.kind === 'simple' && model
        ? { ...metric, timeDimension: pathIn(model, metric.timeDimension) }
        : metric
    }),
    segments: layer.segments.map(segment => ({
      ...segment,
      conditions: segment.conditions.map(condition =>
        condition.kind === 'past'
          ? { ...condition, dimension: nameIn(segment.model, condition.dimension) }
          : condition,
      ),
    })),
  }
}
