import type { KnowledgeLocation, KnowledgeProblem } from '../../domain/knowledge.ts'
import type { MetricUse } from '../../domain/metrics/metric-query.ts'

/** Something that a file or a term says, which can be tried out by planning a figure. */
export interface LayerItem {
  /** `metric revenue`: unique in a layer. */
  readonly key: string
  readonly at: KnowledgeLocation
  readonly use: MetricUse
  /** From the glossary, whose terms are also for models: one that does not run is not wrong. */
  readonly isTerm: boolean
}

/** Collects problems and items while a layer is built. */
export interface LayerReport {
  readonly problems: KnowledgeProblem[]
  /** What is only good to know: it does not make a file wrong. */
  readonly notes: KnowledgeProblem[]
  readonly items: LayerItem[]
  /** Keys of items that are known to be broken. They are left out, with a problem that was reported before. */
  readonly broken: ReadonlySet<string>
}
