import type { FindMeantPhrases, PhraseMeaning } from '../../domain/metrics/meant-phrase.ts'
import type { Dimension, Metric, Segment, SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import type { ParseDialect } from '../../domain/sql.ts'
import { tokenize } from '../../parser/tokenize.ts'
import { sqlReferences } from '../../sql/analyze/sql-scopes.ts'
import type { LayerIndex } from '../compile/layer-index.ts'
import { findSpans } from '../interpret/find-spans.ts'
import { findSequences } from '../interpret/sequences.ts'
import type { Term, TermSpan } from '../interpret/terms.ts'
import { prepareLayer } from '../read-metric-question.ts'

/** What fits the same words this much worse is not meant by them. */
const WIDEST_MARGIN = 0.2

/** Finds the phrases of the best way to cut a question into terms, each with all that the same words may mean. */
export const findMeantPhrases: FindMeantPhrases = (question, database) => {
  const { layer, index, vocabulary } = prepareLayer(database)
  const tokens = tokenize(question)
  const spans = findSpans({
    ...{ text: question, tokens, periods: [], layer, vocabulary },
    findValues: database.findValues,
  })
  const chosen = findSequences(tokens, spans)[0]?.spans ?? []
  const context = { index, dialect: database.catalog.dialect }
  return chosen.flatMap(span => {
    const meanings = alternatives(span, spans[span.at[0]] ?? []).flatMap(
      ({ term }) => meaningOf(term, context) ?? [],
    )
    return meanings.length === 0 ? [] : [{ text: span.text, quality: span.quality, meanings }]
  })
}

const alternatives = (chosen: TermSpan, others: readonly TermSpan[]): readonly TermSpan[] => [
  chosen,
  ...others.filter(
    other =>
      other !== chosen && other.at[1] === chosen.at[1] && other.quality >= chosen.quality - WIDEST_MARGIN,
  ),
]

interface Context {
  readonly index: LayerIndex
  readonly dialect: ParseDialect
}

const meaningOf = (term: Term, context: Context): PhraseMeaning | null => {
  switch (term.kind) {
    case 'model':
      return rowsOf(term.model)
    case 'role': {
      const to = context.index.models.get(term.join.to)?.model
      return to ? rowsOf(to) : null
    }
    case 'dimension':
    case 'event':
      return ofDimension(term, context)
    case 'value':
      return { ...ofDimension(term, context), kind: 'value', value: String(term.value) }
    case 'segment':
      return ofSegment(term.segment, context)
    case 'metric':
      return ofMetric(term.metric, context)
    default:
      return null
  }
}

const plain = { value: null, isAccepted: false } as const

const rowsOf = ({ table }: SemanticModel): PhraseMeaning => ({
  kind: 'model',
  table: table.name,
  columns: [],
  ...plain,
})

const ofDimension = (
  { model, dimension }: { readonly model: SemanticModel; readonly dimension: Dimension },
  context: Context,
): PhraseMeaning => ({
  kind: 'dimension',
  table: model.table.name,
  columns: columnsOf(dimension.expression, model, context),
  ...plain,
})

const ofSegment = (
  { model: name, conditions, status }: Segment,
  { index, dialect }: Context,
): PhraseMeaning | null => {
  const model = index.models.get(name)?.model
  if (!model) return null
  const columns = conditions.flatMap(one =>
    one.kind === 'sql' ? columnsIn(one.text, model, dialect) : one.kind === 'past' ? [one.dimension] : [],
  )
  return {
    kind: 'segment',
    table: model.table.name,
    columns,
    value: null,
    isAccepted: status === 'accepted',
  }
}

/** Null for a metric made of others: what it reads is theirs. */
const ofMetric = (metric: Metric, context: Context): PhraseMeaning | null => {
  if (metric.kind !== 'simple') return null
  const model = context.index.models.get(metric.model)?.model
  if (!model) return null
  const columns = [
    ...(metric.expression === null ? [] : columnsOf(metric.expression, model, context)),
    ...metric.filters.flatMap(one => columnsIn(one, model, context.dialect)),
  ]
  return {
    kind: 'metric',
    table: model.table.name,
    columns: [...new Set(columns)],
    value: null,
    isAccepted: metric.status === 'accepted',
  }
}

const columnsOf = (
  expression: Dimension['expression'],
  model: SemanticModel,
  { dialect }: Context,
): readonly string[] => {
  switch (expression.kind) {
    case 'column':
      return [expression.column]
    case 'sql':
      return columnsIn(expression.text, model, dialect)
    case 'duration':
      return [expression.from, expression.until].flatMap(name => {
        const found = model.dimensions.find(one => one.name === name)?.expression
        return found?.kind === 'column' ? [found.column] : []
      })
    default: {
      const never: never = expression
      return never
    }
  }
}

/** The columns of the model's own table in a condition or expression; of another's, as in `product.cost_cents`, none. */
const columnsIn = (text: string, { table }: SemanticModel, dialect: ParseDialect): readonly string[] =>
  (sqlReferences(`SELECT 1 FROM ${table.name} WHERE (${text}) IS NOT NULL`, dialect)?.columns ?? []).flatMap(
    ({ table: owner, column }) => (owner === null || owner === table.name ? [column] : []),
  )
