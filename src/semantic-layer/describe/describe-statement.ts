import type { Catalog } from '../../domain/catalog.ts'
import type {
  AnswerOrder,
  AnswerSubject,
  ColumnMeaning,
  DescribeAnswer,
  RowNoun,
} from '../../domain/metrics/answer-meaning.ts'
import type { Understanding } from '../../domain/question-context.ts'
import { expressionKey } from '../../sql/analyze/query-key.ts'
import { rowTable } from '../../sql/describe/joins.ts'
import { innerScope, type NameScope, outermostScope, withoutOutputs } from '../../sql/describe/name-scope.ts'
import { readQueryTree } from '../../sql/rewrite/plain-query.ts'
import type { Output, QueryTree, SelectTree } from '../../sql/tree/query-tree.ts'
import type { LayerIndex } from '../compile/layer-index.ts'
import { prepareLayer } from '../read-metric-question.ts'
import { inSentence, pluralOf } from './condition-words.ts'
import { describeMetricQuery } from './describe-metric-query.ts'
import { columnMeaning, dimensionOf, holdsAggregate, modelOfTable } from './statement-columns.ts'
import { conditionsOf } from './statement-conditions.ts'

/**
 * What a statement shows: its tree says what is grouped, counted and filtered, and its columns, traced through
 * subqueries to the layer's dimensions, say what that is called. Null for a text that cannot be read.
 */
export const describeStatement = (
  sql: string,
  {
    index,
    catalog,
    spans,
  }: {
    readonly index: LayerIndex
    readonly catalog: Catalog
    readonly spans: Understanding['spans']
  },
): AnswerSubject | null => {
  const query = readQueryTree(sql, catalog.dialect)
  if (query === null) return null
  const select = firstSelect(query)
  if (select.rows !== null || select.outputs.length === 0) return null
  const names = innerScope(select, outermostWithCtes(query, catalog))
  const listed = withoutOutputs(names)
  const isGrouped = select.groupBy.length > 0 || select.outputs.some(one => holdsAggregate(one.expression))
  const outputs = select.outputs.flatMap(output => spread(output, names))
  if (outputs.length === 0) return null
  const columns = apart(outputs.map(one => columnMeaning(one, { names: listed, index, isGrouped })))
  const order = orderOf(query, { select, outputs, columns, names, index, isGrouped })
  const limit = limitOf(query)
  const shown = order?.column == null || limit === null ? columns : asFigure(columns, order.column)
  const isList = !columns.some(({ role }) => role.kind === 'figure')
  const filters = conditionsOf(select, { names, index, spans, isList })
  const rowsOf = query.kind === 'set' ? null : rowNoun(select, { outputs, columns, names, index, isGrouped })
  const isWhole = query.kind === 'select' && filters.isComplete
  return {
    columns: shown,
    rowsOf: isList ? rowsOf : null,
    groupsOf: isList ? null : groupNoun(select, { outputs, columns, names, index }),
    countsOf: null,
    period: filters.period,
    conditions: filters.conditions,
    isComplete: isWhole,
    order,
    limit,
    limitsGroups: false,
    compare: null,
    isYesNo: false,
    extent: null,
  }
}

const firstSelect = (query: QueryTree): SelectTree => (query.kind === 'set' ? firstSelect(query.left) : query)

const outermostWithCtes = (query: QueryTree, catalog: Catalog): NameScope => {
  const names = outermostScope(catalog)
  if (query.kind !== 'set' || query.ctes.length === 0) return names
  return innerScope({ ...firstSelect(query), ctes: query.ctes }, names)
}

/** `*` as the columns that it stands for; nothing if nobody can tell. */
const spread = (output: Output, { sources }: NameScope): readonly Output[] => {
  const { expression } = output
  if (expression.kind !== 'star') return [output]
  const { qualifier } = expression
  const meant = sources.filter(({ known }) => qualifier === null || known === qualifier.toLowerCase())
  if (meant.some(({ table }) => table === null)) return []
  return meant.flatMap(({ table, known }) =>
    (table?.columns ?? []).map(
      ({ name }): Output => ({
        expression: { kind: 'column', outer: [], qualifier: known, name, quoted: false, mayBeText: false },
        alias: null,
      }),
    ),
  )
}

/** Two columns with one heading, such as the names of an employee and of the manager, are numbered apart. */
const apart = (columns: readonly ColumnMeaning[]): readonly ColumnMeaning[] => {
  const seen = new Map<string, number>()
  return columns.map(column => {
    const times = (seen.get(column.label) ?? 0) + 1
    seen.set(column.label, times)
    return times === 1 ? column : { ...column, label: `${column.label} ${times}` }
  })
}

const asFigure = (columns: readonly ColumnMeaning[], at: number): readonly ColumnMeaning[] =>
  columns.map((column, place) =>
    place === at && column.role.kind === 'detail' && column.unit !== undefined
      ? { ...column, role: { kind: 'figure', of: 'value', goodDirection: null, isAdditive: false } }
      : column,
  )

interface ReadSelect {
  readonly select: SelectTree
  readonly outputs: readonly Output[]
  readonly columns: readonly ColumnMeaning[]
  readonly names: NameScope
  readonly index: LayerIndex
  readonly isGrouped: boolean
}

const orderOf = (
  query: QueryTree,
  { outputs, columns, names, index, isGrouped }: ReadSelect,
): AnswerOrder | null => {
  const [first] = query.orderBy
  if (first === undefined) return null
  const { expression, direction } = first
  const key = expressionKey(expression)
  const at =
    expression.kind === 'number'
      ? Number(expression.value) - 1
      : outputs.findIndex(
          ({ expression: own, alias }) =>
            expressionKey(own) === key ||
            (expression.kind === 'column' &&
              expression.qualifier === null &&
              alias?.toLowerCase() === expression.name.toLowerCase()),
        )
  const column = columns[at]
  const meaning = column ?? columnMeaning({ expression, alias: null }, { names, index, isGrouped })
  // Text is sorted for reading, not for ranking.
  const compared = dimensionOf(outputs[at]?.expression ?? expression, names, index)
  if (compared && compared.dimension.type === 'categorical') return null
  return { label: meaning.label, direction, column: column ? at : null, isChange: false }
}

const limitOf = ({ limit }: QueryTree): number | null =>
  limit?.kind === 'number' ? Number(limit.value) : null

/** What a row of a list is: the row of a table, or one of the different values of a column. */
const rowNoun = (
  select: SelectTree,
  { outputs, columns, names, index, isGrouped }: Omit<ReadSelect, 'select'>,
): RowNoun | null => {
  const [output, ...others] = outputs
  const [column] = columns
  const compared = output ? dimensionOf(output.expression, names, index) : null
  const isKeyed = select.distinct || isGrouped
  if (isKeyed && others.length === 0 && column && column.role.kind !== 'name')
    return { singular: inSentence(column.label), plural: pluralOf(inSentence(column.label)) }
  const shown = new Set(outputs.map(one => dimensionOf(one.expression, names, index)?.model))
  if (compared && shown.size === 1 && (isKeyed || names.sources.length === 1))
    return nounOf(compared.model.model)
  if (isKeyed) return null
  const table = rowTable(select, names)
  const model = table === null ? undefined : modelOfTable(index, table)
  return model ? nounOf(model) : null
}

const nounOf = ({ label, plural }: { readonly label: string; readonly plural: string }): RowNoun => ({
  singular: inSentence(label),
  plural,
})

const groupNoun = (
  { groupBy }: SelectTree,
  { outputs, columns, names, index }: Pick<ReadSelect, 'outputs' | 'columns' | 'names' | 'index'>,
): RowNoun | null => {
  if (groupBy.length === 0) return null
  const at = columns.findIndex(({ role }) => role.kind === 'name' || role.kind === 'category')
  const column = columns[at]
  const output = outputs[at]
  if (column === undefined || output === undefined) return null
  const compared = dimensionOf(output.expression, names, index)
  if (column.role.kind === 'name' && compared) return nounOf(compared.model.model)
  return { singular: inSentence(column.label), plural: pluralOf(inSentence(column.label)) }
}

/** How questions begin that want a yes or no. */
const yesNo =
  /^(?:did|do|does|is|are|was|were|has|have)\s+(?:there|we|any|anyone|anybody|somebody|someone)\b/i

/** Describes an answer by the layer of its database; without one, by what its catalog suggests. */
export const describeAnswer: DescribeAnswer = ({ sql, meaning, understanding, database }) => {
  const { index, compile } = prepareLayer(database)
  const { text, spans, today, timeZone } = understanding
  if (meaning?.sql === sql) return describeMetricQuery(meaning, { index, compile, today, timeZone })
  const subject = describeStatement(sql, { index, catalog: database.catalog, spans })
  return subject && { ...subject, isYesNo: yesNo.test(text.trim()) }
}
