import type { Catalog } from '../../domain/catalog.ts'
import type { SemanticLayer } from '../../domain/metrics/semantic-layer.ts'
import { proposeModelMetrics, proposeSharedMetrics } from './propose-metrics.ts'
import { proposeModels } from './propose-models.ts'
import { proposeSegments } from './propose-segments.ts'

/**
 * Proposes a semantic layer from what is known of a database: names, types, keys, comments and profiles. Everything in
 * it has the status `proposed`: it is used with a visible assumption until somebody accepts it.
 */
export const proposeLayer = (catalog: Catalog): SemanticLayer => {
  const models = proposeModels(catalog)
  const byName = new Map(models.map(model => [model.name, model]))
  const drafts = models.flatMap((model, at) =>
    proposeModelMetrics(model, catalog.tables[at]?.columns ?? [], {
      models: byName,
      dialect: catalog.dialect,
    }),
  )
  return {
    models,
    metrics: proposeSharedMetrics(drafts, byName),
    segments: models.flatMap(model => proposeSegments(model, catalog.dialect)),
  }
}
