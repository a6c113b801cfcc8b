import type { DatePart, DateUnit, MadeDuration } from '../../domain/metrics/metric-query.ts'
import type {
  Dimension,
  Metric,
  ModelJoin,
  Segment,
  SemanticModel,
} from '../../domain/metrics/semantic-layer.ts'
import type { TimeSpan } from '../../domain/question-context.ts'
import type { Adjective } from '../../lib/lexicon/adjectives.ts'

/** What a few words of a question may stand for. */
export type Term =
  | { readonly kind: 'metric'; readonly metric: Metric }
  | { readonly kind: 'model'; readonly model: SemanticModel }
  | { readonly kind: 'dimension'; readonly model: SemanticModel; readonly dimension: Dimension }
  | { readonly kind: 'segment'; readonly segment: Segment; readonly negated: boolean }
  | {
      readonly kind: 'value'
      readonly model: SemanticModel
      readonly dimension: Dimension
      readonly value: string | number | boolean
      /** All spellings of it that the column holds, if there are several: `Germany`, `GERMANY`. */
      readonly spellings?: readonly string[]
    }
  /** A verb or noun for something that happens on a date of a model: "signed up", "shipped". */
  | {
      readonly kind: 'event'
      readonly model: SemanticModel
      readonly dimension: Dimension
      readonly isOwn: boolean
    }
  /** A role: the manager of an employee. */
  | { readonly kind: 'role'; readonly model: SemanticModel; readonly join: ModelJoin }
  /** `isTimes`: how often something happened, as in "twice". `unit`: a length of time, as in "six hours". */
  | {
      readonly kind: 'number'
      readonly value: number
      readonly isTimes?: boolean
      readonly unit?: MadeDuration['unit']
    }
  | { readonly kind: 'period'; readonly span: TimeSpan }
  | { readonly kind: 'cue'; readonly cue: Cue }

/** A word or phrase that says how the others belong together. */
export type Cue =
  | { readonly kind: 'count' }
  | { readonly kind: 'aggregate'; readonly fn: 'sum' | 'avg' | 'median' }
  | { readonly kind: 'percentile'; readonly fraction: number }
  | { readonly kind: 'by' }
  | { readonly kind: 'each' }
  | { readonly kind: 'grain'; readonly grain: DateUnit | null }
  | { readonly kind: 'part'; readonly part: DatePart }
  | { readonly kind: 'share' }
  | { readonly kind: 'rate' }
  /** `isBusiness`: of the business as a whole, as in "how did we do". */
  | {
      readonly kind: 'growth'
      readonly lag: 'previous' | 'year' | null
      readonly grain: DateUnit | null
      readonly isBusiness?: boolean
    }
  | { readonly kind: 'running' }
  | { readonly kind: 'to-date'; readonly unit: DateUnit }
  | { readonly kind: 'moving-average'; readonly count: number }
  | { readonly kind: 'versus' }
  | { readonly kind: 'compare' }
  | { readonly kind: 'not' }
  | { readonly kind: 'except' }
  | { readonly kind: 'operator'; readonly operator: '<' | '<=' | '>' | '>=' | '=' }
  | { readonly kind: 'operator-after'; readonly operator: '<=' | '>=' }
  | { readonly kind: 'between' }
  | { readonly kind: 'top'; readonly direction: 'asc' | 'desc' }
  /** `isEntity`: what follows is ranked ("most popular product"), not counted ("most orders"). */
  | { readonly kind: 'most'; readonly direction: 'asc' | 'desc'; readonly isEntity: boolean }
  | { readonly kind: 'now' }
  /** "Still with us": those that have not left. */
  | { readonly kind: 'still' }
  /** How many there were on the last or the first day of a period. */
  | { readonly kind: 'as-of'; readonly edge: 'start' | 'end' }
  | { readonly kind: 'than' }
  | { readonly kind: 'activity' }
  /** "Monthly active": those who did something in each month. */
  | { readonly kind: 'active-in'; readonly grain: DateUnit }
  /** `isSort`: all rows in that order, as in "oldest first". */
  | {
      readonly kind: 'superlative'
      readonly direction: 'asc' | 'desc'
      readonly adjective: Adjective
      readonly isSort?: boolean
    }
  | { readonly kind: 'comparative'; readonly adjective: Adjective }
  | { readonly kind: 'duration' }
  | { readonly kind: 'cohort' }
  | { readonly kind: 'first' }
  /** Of those who did it more than once: "repeat customers". */
  | { readonly kind: 'repeat' }
  /** "Where do they come from": by country or city. */
  | { readonly kind: 'where' }
  | { readonly kind: 'new' }
  | { readonly kind: 'condition' }
  | { readonly kind: 'which' }
  | { readonly kind: 'who' }
  | { readonly kind: 'list' }
  | { readonly kind: 'how-much' }
  | { readonly kind: 'yes-no' }
  | { readonly kind: 'order' }
  | { readonly kind: 'and' }
  | { readonly kind: 'or' }
  | { readonly kind: 'in' }
  | { readonly kind: 'of' }
  | { readonly kind: 'be' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'percent' }
  /** `isActive`: the boss stands before the verb, as in "does Roland manage". */
  | { readonly kind: 'reports-to'; readonly isActive: boolean }
  /** Several things are asked for. */
  | { readonly kind: 'plural' }
  | { readonly kind: 'duplicate' }
  /** What cannot be computed from rows: a forecast, a reason, an opinion. */
  | { readonly kind: 'unanswerable'; readonly why: 'forecast' | 'cause' | 'opinion' }
  /** Those that what stands before does not hold for: "subscribers vs others". */
  | { readonly kind: 'others' }
  /** Of what happens just before: "bought nothing". */
  | { readonly kind: 'nothing' }
  /** "Bad reviews". */
  | { readonly kind: 'rated'; readonly isGood: boolean }
  /** People came, or were seen: "patients did we see". */
  | { readonly kind: 'visit' }
  /** Said to be polite, or without weight. */
  | { readonly kind: 'filler' }

/** Tokens [from, until) of a question taken as a term. */
export interface TermSpan {
  readonly at: readonly [number, number]
  readonly term: Term
  /** How well the words fit, from 0 to 1. */
  readonly quality: number
  /** The words as written. */
  readonly text: string
  /** The words are the name of another metric, which the layer defines. */
  readonly isRival?: boolean
  /** The word was not spelled so; this is what it was taken for. */
  readonly corrected?: string
}

/** A model by its reading. */
export const isCue = <Kind extends Cue['kind']>(
  term: Term | undefined,
  ...kinds: readonly Kind[]
): term is Term & { readonly kind: 'cue'; readonly cue: Extract<Cue, { kind: Kind }> } =>
  term?.kind === 'cue' && (kinds as readonly string[]).includes(term.cue.kind)
