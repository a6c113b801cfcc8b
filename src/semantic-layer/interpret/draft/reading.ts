import type { GroupKey, MetricFilter } from '../../../domain/metrics/metric-query.ts'
import type { Metric, SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import { isCue, type Term, type TermSpan } from '../terms.ts'
import type { Clause, Condition, QueryDraft } from './query-draft.ts'

/** What was said just before and is still waiting for its object. */
interface Waiting {
  count: boolean
  by: boolean
  each: boolean
  not: boolean
  except: boolean
  condition: Condition | null
  operator: Condition['operator'] | null
  number: { value: number; at: number } | null
  order: boolean
}

/** How the parts of a question hang together, in the eyes of the reader. */
export interface DraftInput {
  /** Whether a row of the first model has at most one of the second. */
  readonly reachesOne: (from: string, to: string) => boolean
  readonly reaches: (from: string, to: string) => boolean
  /** Whether what happens to rows of the first model can be said of rows of the second. */
  readonly isOfOrBy: (events: SemanticModel, of: SemanticModel) => boolean
  readonly modelNamed: (name: string) => SemanticModel | null
  /** The number that rows of a model are about, if there is one: the score of a grade. */
  readonly mainFigure: (model: SemanticModel) => Metric | null
  /** What rows of a model are used for: the campaigns of a channel. */
  readonly activityOf: (model: SemanticModel) => SemanticModel | null
  /** What people come for, at a time of day: the appointments of a patient. */
  readonly visitsOf: (model: SemanticModel) => SemanticModel | null
}

/** A draft in the making: what was found, what waits for its object, and the condition that is open. */
export interface Reading {
  readonly draft: QueryDraft
  readonly input: DraftInput
  readonly waiting: Waiting
  /** The terms with a meaning, fillers left out. */
  readonly content: readonly TermSpan[]
  /** The condition on other rows that what follows belongs to: "who never bought ...". */
  clause: Clause | null
  /** The place in `content` of the last group: "by" stays open over "and". */
  lastGroup: number
}

export const startReading = (
  draft: QueryDraft,
  content: readonly TermSpan[],
  input: DraftInput,
): Reading => ({
  draft,
  input,
  content,
  waiting: {
    count: false,
    by: false,
    each: false,
    not: false,
    except: false,
    condition: null,
    operator: null,
    number: null,
    order: false,
  },
  clause: null,
  lastGroup: -2,
})

/** A term with its place: `at` is its first token, `index` its place among the terms. */
export interface Placed<Kind extends Term['kind']> {
  readonly term: Extract<Term, { kind: Kind }>
  readonly text: string
  readonly at: number
  readonly index: number
}

export const termAt = ({ content }: Reading, index: number): Term | undefined => content[index]?.term

/** Whether what stands at a place is what rows are grouped by. */
export const isGrouped = (reading: Reading, index: number): boolean =>
  reading.waiting.by ||
  reading.waiting.each ||
  (reading.lastGroup === index - 2 && isCue(termAt(reading, index - 1), 'and'))

/** Whether a "not" or "except" was waiting; "except" holds over a list. */
export const takeNot = (reading: Reading, index: number): boolean => {
  const { waiting } = reading
  const negated = waiting.not || waiting.except
  waiting.not = false
  if (!isCue(termAt(reading, index + 1), 'and', 'or')) waiting.except = false
  return negated
}

/** Adds a filter to the open condition, or to the whole question. */
export const addFilter = ({ clause, draft }: Reading, filter: MetricFilter, at: number): void => {
  if (clause !== null) clause.filters.push(filter)
  else draft.filters.push({ filter, at })
}

export const openClause = (reading: Reading, model: SemanticModel, negated: boolean, at: number): Clause => {
  const clause: Clause = { model, negated, filters: [], spans: [], at, date: null }
  reading.clause = clause
  reading.draft.clauses.push(clause)
  return clause
}

export const addGroup = (
  reading: Reading,
  key: GroupKey,
  { at, index }: Pick<Placed<'model'>, 'at' | 'index'>,
): void => {
  const { waiting, draft } = reading
  draft.groups.push({ key, at, isEach: waiting.each })
  waiting.by = false
  waiting.each = false
  reading.lastGroup = index
  reading.clause = null
}
