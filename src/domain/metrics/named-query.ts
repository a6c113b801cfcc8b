import type { Database } from '../database.ts'
import type { AnswerMeaning, MetricReply } from './metric-reading.ts'
import type { Dimension, Metric, Segment, SemanticModel } from './semantic-layer.ts'

/** A metric query in the names of a layer, as a program writes it. Nothing in it has been checked but its shape. */
export type NamedQuery = Omit<MetricReply, 'missing' | 'assumptions'>

/**
 * A named query as a statement, with what was taken for granted. The problems are sentences that say what to write
 * instead.
 */
export type CompiledNamedQuery =
  | {
      readonly ok: true
      readonly sql: string
      readonly meaning: AnswerMeaning
      readonly assumptions: readonly string[]
    }
  | { readonly ok: false; readonly problems: readonly string[] }

/** Compiles a named query over a database's layer, or over what its catalog suggests. Pure. */
export type CompileNamedQuery = (given: {
  readonly query: NamedQuery
  readonly database: Pick<Database, 'catalog' | 'findValues' | 'semanticLayer'>
  readonly today: string
  readonly timeZone: string
}) => CompiledNamedQuery

/** What a layer has, by the names that a named query uses. */
export interface LayerListing {
  readonly metrics: readonly (Pick<Metric, 'name' | 'label' | 'synonyms' | 'description' | 'status'> & {
    /** How it is computed, in words. */
    readonly meaning: string
    /** Such as `EUR` or `percent`; null for plain numbers. */
    readonly unit: string | null
    /** The models that it is measured over. */
    readonly models: readonly string[]
  })[]
  readonly models: readonly (Pick<SemanticModel, 'name' | 'label' | 'description' | 'timeDimension'> & {
    readonly joins: readonly { readonly name: string; readonly to: string }[]
    readonly dimensions: readonly (Pick<Dimension, 'name' | 'label' | 'description' | 'type'> & {
      readonly unit: string | null
      /** Those of a category, if they are few. */
      readonly values: readonly (string | number | boolean)[]
    })[]
  })[]
  readonly segments: readonly (Pick<Segment, 'name' | 'label' | 'description' | 'model'> & {
    readonly meaning: string
  })[]
}

/** Lists a database's layer, or what its catalog suggests. Pure. */
export type ListLayer = (database: Pick<Database, 'catalog' | 'semanticLayer'>) => LayerListing
