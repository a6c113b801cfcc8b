import type {
  Comparison,
  DimensionRef,
  GroupKey,
  MetricFilter,
  MetricOrder,
  MetricPeriod,
  MetricQuery,
  MetricUse,
} from '../../../domain/metrics/metric-query.ts'
import type { SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import type { QueryDraft } from '../draft/query-draft.ts'
import type { Cue } from '../terms.ts'
import { type FinishContext, modelNamed } from './layer-facts.ts'

/** A query while it is put together from a draft, one part after the other. */
export interface Build {
  readonly draft: QueryDraft
  readonly context: FinishContext
  models: readonly {
    readonly model: SemanticModel
    readonly at: number
    readonly role: QueryDraft['models'][number]['role']
  }[]
  metrics: { use: MetricUse; isOrder: boolean; at: number }[]
  subject: SemanticModel | null
  isRows: boolean
  groupBy: GroupKey[]
  show: DimensionRef[]
  filters: { filter: MetricFilter; at: number }[]
  having: MetricQuery['having'][number][]
  order: MetricOrder[]
  limit: number | null
  limitPer: readonly GroupKey[]
  period: MetricPeriod | null
  compare: Comparison | null
  share: MetricQuery['share']
  running: MetricQuery['running']
  /** The figure says which groups are meant, and nobody asked to see it. */
  onlyKeeps: boolean
  /** Cues that had their effect. */
  readonly used: Set<Cue['kind']>
  /** What the question says and the query has no use for, in words. */
  readonly lost: string[]
  score: number
}

export const startBuild = (draft: QueryDraft, context: FinishContext): Build => ({
  draft,
  context,
  models: draft.models.flatMap(({ model: { name }, at, role }) => {
    const model = modelNamed(context, name)
    return model ? [{ model, at, role }] : []
  }),
  metrics: [],
  subject: null,
  isRows: false,
  groupBy: draft.groups.map(({ key }) => key),
  show: [],
  filters: [],
  having: [],
  order: [],
  limit: null,
  limitPer: [],
  period: null,
  compare: null,
  share: null,
  running: null,
  onlyKeeps: false,
  used: new Set(),
  lost: [],
  score: draft.score,
})

/** Whether the question has one of these cues. */
export const hasCue = ({ draft }: Build, ...kinds: readonly Cue['kind'][]): boolean =>
  draft.cues.some(({ cue }) => kinds.includes(cue.kind))

/** The first cue of a kind. */
export const cueOf = <Kind extends Cue['kind']>(
  { draft }: Build,
  kind: Kind,
): { readonly cue: Extract<Cue, { kind: Kind }>; readonly at: number } | null => {
  const found = draft.cues.find(({ cue }) => cue.kind === kind)
  return found ? { cue: found.cue as Extract<Cue, { kind: Kind }>, at: found.at } : null
}
