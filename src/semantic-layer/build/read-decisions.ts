import type { LayerDecision } from '../../domain/metrics/layer-decision.ts'
import type { SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import type { FileMetric, FileSegment } from '../files/layer-file.ts'
import { parseLayerFile } from '../files/parse-layer-file.ts'

/** What admins decided about proposals, as files would say it. */
export interface ReadDecisions {
  readonly metrics: readonly FileMetric[]
  readonly segments: readonly FileSegment[]
  /** Names of what is not to be proposed again. */
  readonly rejected: Readonly<Record<'metric' | 'segment', readonly string[]>>
}

/** Reads decisions with the names that the models of their tables have now. */
export const readDecisions = (
  decisions: readonly LayerDecision[],
  models: readonly SemanticModel[],
): ReadDecisions => {
  const named = new Map(models.map(model => [tableNameOf(model), model.name]))
  const accepted = decisions.filter(({ status }) => status === 'accepted')
  const files = accepted.map(({ kind, name, definition, tables }) => {
    const nameOf = (model: string): string => named.get(tables[model] ?? '') ?? model
    const { metrics, segments } = parseLayerFile(definition, { file: `App Home, ${kind} ${name}` })
    return {
      metrics: metrics.map(one => ({ ...one, model: one.model === null ? null : nameOf(one.model) })),
      segments: segments.map(one => ({
        ...one,
        model: nameOf(one.model),
        related: one.related.map(relation => ({ ...relation, model: nameOf(relation.model) })),
      })),
    }
  })
  const rejected = (kind: LayerDecision['kind']): readonly string[] =>
    decisions.flatMap(one => (one.status === 'rejected' && one.kind === kind ? [one.name] : []))
  return {
    metrics: files.flatMap(({ metrics }) => metrics),
    segments: files.flatMap(({ segments }) => segments),
    rejected: { metric: rejected('metric'), segment: rejected('segment') },
  }
}

/** The table of a model, with its schema if it has one. */
export const tableNameOf = ({ table: { schema, name } }: Pick<SemanticModel, 'table'>): string =>
  schema === null ? name : `${schema}.${name}`
