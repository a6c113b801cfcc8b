import type { KnowledgeLocation, KnowledgeProblem } from '../../domain/knowledge.ts'
import type { Aggregation, DurationUnit, Unit } from '../../domain/metrics/semantic-layer.ts'

/** What a file of the semantic layer says. Null, everywhere, means that it says nothing about it. */
export interface LayerFile {
  /** The databases it is about; null for all. */
  readonly databases: readonly string[] | null
  readonly at: KnowledgeLocation
  readonly models: readonly FileModel[]
  /** With those inside models. */
  readonly metrics: readonly FileMetric[]
  readonly segments: readonly FileSegment[]
  /** Tables that the layer must not show. */
  readonly exclude: readonly FileName[]
  /** Names of proposed metrics and segments that are not to be proposed again. */
  readonly rejected: readonly FileName[]
  readonly problems: readonly KnowledgeProblem[]
}

/** A name, and where it stands. */
export interface FileName {
  readonly name: string
  readonly at: KnowledgeLocation
}

interface FileNaming extends FileName {
  readonly label: string | null
  readonly synonyms: readonly string[] | null
  readonly description: string | null
}

export interface FileModel extends FileNaming {
  /** With its schema before a dot, if that is given. */
  readonly table: string | null
  readonly plural: string | null
  readonly primaryKey: readonly string[] | null
  readonly nameDimensions: readonly string[] | null
  readonly timeDimension: string | null
  readonly dimensions: readonly FileDimension[]
  readonly joins: readonly FileJoin[]
}

export interface FileDimension extends FileNaming {
  readonly type: 'categorical' | 'number' | 'boolean' | 'time' | null
  readonly granularity: string | null
  readonly expr: string | null
  readonly duration: FileDuration | null
  readonly values: readonly (string | number | boolean)[] | null
  readonly unit: FileUnit | null
  readonly isKey: boolean | null
}

/** Time from one date to another. */
export interface FileDuration {
  readonly from: string
  readonly until: string
  readonly unit: DurationUnit
}

/** `none`: a plain number, whatever the proposal says. */
export type FileUnit = Unit | 'none'

export interface FileJoin extends FileName {
  readonly to: string
  readonly columns: readonly { readonly from: string; readonly to: string }[]
}

export interface FileMetric extends FileNaming {
  /** The model it stands in, or names; null if it is over other metrics. */
  readonly model: string | null
  readonly unit: FileUnit | null
  readonly better: 'up' | 'down' | null
  /** Null for a metric that only adds words to a proposed one. */
  readonly definition: FileDefinition | null
}

export type FileDefinition =
  | {
      readonly kind: 'simple'
      readonly aggregation: Aggregation
      readonly expr: string | null
      readonly duration: FileDuration | null
      readonly percentile: number | null
      readonly filters: readonly string[]
      readonly timeDimension: string | null
    }
  | { readonly kind: 'ratio'; readonly numerator: string; readonly denominator: string }
  | { readonly kind: 'derived'; readonly expr: string }
  | {
      readonly kind: 'cumulative'
      readonly metric: string
      readonly window: string | null
      readonly grainToDate: string | null
    }

export interface FileSegment extends FileNaming {
  readonly model: string
  readonly where: readonly string[]
  /** Dates that lie before today. */
  readonly past: readonly string[]
  readonly related: readonly FileRelation[]
}

/** Rows of another model that there must be, or must not be. */
export interface FileRelation {
  readonly model: string
  readonly negated: boolean
  readonly where: readonly string[]
  readonly days: number | null
}
