import type { DatePart, DateUnit, DimensionRef } from '../../domain/metrics/metric-query.ts'
import type { Dimension, DurationUnit, LayerExpression } from '../../domain/metrics/semantic-layer.ts'
import { type SqlToken, sqlTokens } from '../../sql/parse/sql-tokens.ts'
import type { Expression, MomentType } from '../../sql/tree/query-tree.ts'
import { findPath, type IndexedModel, type LayerIndex, momentTypeOf, type PathStep } from './layer-index.ts'
import { type Scope, UncompilableError } from './scope.ts'

/** A dimension as an expression, and how it keeps its moments. */
export interface ReachedDimension {
  readonly expression: Expression
  readonly moment: MomentType
  readonly type: Dimension['type']
}

/** The joins from a scope's model to a dimension's. Throws `UncompilableError` if there are none. */
export const pathTo = (
  scope: Scope,
  { model, via }: Pick<DimensionRef, 'model' | 'via'>,
): readonly PathStep[] => {
  const { index } = scope.context
  const path = findPath(index, scope.base.model.name, model, via)
  if (path === null) throw new UncompilableError(`nothing leads from ${scope.base.model.name} to ${model}`)
  return path
}

/** A dimension of a model to which a scope has joins to one row. */
export const reachDimension = (scope: Scope, ref: DimensionRef): ReachedDimension =>
  dimensionIn(scope.at(pathTo(scope, ref)), ref.dimension)

/** A dimension of the model that a scope is seen from. */
export const dimensionIn = (at: Scope, name: string): ReachedDimension => {
  const dimension = at.base.dimensions.get(name)
  if (dimension === undefined) throw new UncompilableError(`${at.base.model.name} has no dimension ${name}`)
  return {
    expression: layerExpression(at, dimension.expression),
    moment: momentTypeOf(at.base, dimension),
    type: dimension.type,
  }
}

/** An expression of the layer, over the model that a scope is seen from. */
export const layerExpression = (at: Scope, expression: LayerExpression): Expression => {
  switch (expression.kind) {
    case 'column':
      return at.column([], expression.column)
    case 'sql':
      return sqlFragment(at, expression.text)
    case 'duration':
      return elapsed(expression.unit, dimensionIn(at, expression.from), dimensionIn(at, expression.until))
    default: {
      const never: never = expression
      return never
    }
  }
}

/** The time between two moments; a day and a moment are compared as moments. */
export const elapsed = (unit: DurationUnit, from: ReachedDimension, until: ReachedDimension): Expression => ({
  kind: 'elapsed',
  unit,
  from: from.expression,
  until: until.expression,
  type:
    from.moment === 'date' && until.moment === 'date'
      ? 'date'
      : from.moment === 'text'
        ? 'text'
        : until.moment === 'date'
          ? 'local'
          : until.moment,
})

/** Text in the dialect, with its names of columns resolved. */
export const sqlFragment = (at: Scope, text: string): Expression => {
  const { index, dialect } = at.context
  return {
    kind: 'fragment',
    parts: fragmentParts(index, at.base, text, dialect).map(part =>
      typeof part === 'string' ? part : at.column(part.steps, part.column),
    ),
  }
}

/** A condition as text; in brackets if what stands beside it could bind to a part of it. */
export const sqlCondition = (at: Scope, text: string): Expression => {
  const fragment = sqlFragment(at, text)
  return /\bor\b/i.test(text) ? { kind: 'paren', operand: fragment } : fragment
}

/** What is compared, in brackets if it is a comparison or condition itself. */
export const comparable = (expression: Expression): Expression =>
  expression.kind === 'fragment' &&
  expression.parts.some(
    part => typeof part === 'string' && /[<>=]|\b(?:and|or|not|is|in|like|between)\b/i.test(part),
  )
    ? { kind: 'paren', operand: expression }
    : expression

/** A column in the text of an expression, and the joins that lead to it. */
export interface FragmentColumn {
  readonly steps: readonly PathStep[]
  readonly column: string
}

/**
 * Splits an expression into text and columns: `quantity * product.price` has a column of the model itself and one of a
 * model that it joins. Names that are neither stay text. Throws `UncompilableError` if it cannot be cut into tokens.
 */
export const fragmentParts = (
  index: LayerIndex,
  model: IndexedModel,
  text: string,
  dialect: Scope['context']['dialect'],
): readonly (string | FragmentColumn)[] => {
  const cut = sqlTokens(text, dialect)
  if (!cut.ok) throw new UncompilableError(`${text}: ${cut.message}`)
  const { tokens } = cut
  const parts: (string | FragmentColumn)[] = []
  let end = 0
  for (let at = 0; at < tokens.length; at++) {
    const found = columnAt(index, model, tokens, at)
    if (found === null) continue
    const last = tokens[at + found.length - 1]!
    parts.push(text.slice(end, tokens[at]!.start), { steps: found.steps, column: found.column })
    end = last.end
    at += found.length - 1
  }
  return [...parts, text.slice(end)].filter(part => part !== '')
}

/** The column that the tokens name from a position on: `price`, or `product.price`. */
const columnAt = (
  index: LayerIndex,
  model: IndexedModel,
  tokens: readonly SqlToken[],
  at: number,
): (FragmentColumn & { readonly length: number }) | null => {
  const [before, token, dot, second] = [tokens[at - 1], tokens[at], tokens[at + 1], tokens[at + 2]]
  if (token === undefined || !isName(token) || before?.text === '.') return null
  // The type of a cast.
  if (before?.value === 'as' || before?.text === '::') return null
  if (dot?.text === '.' && second && isName(second)) {
    const steps = stepsNamed(index, model, token.value)
    const target = steps && (steps.length === 0 ? model : index.models.get(steps.at(-1)!.to))
    const column = target && columnNamed(target, second.value)
    return steps && column ? { steps, column, length: 3 } : null
  }
  if (dot?.text === '(') return null
  const column = columnNamed(model, token.value)
  return column === null ? null : { steps: [], column, length: 1 }
}

const isName = ({ kind }: SqlToken): boolean => kind === 'word' || kind === 'quoted'

const columnNamed = ({ columns }: IndexedModel, name: string): string | null =>
  columns.has(name)
    ? name
    : ([...columns.keys()].find(column => column.toLowerCase() === name.toLowerCase()) ?? null)

/** The joins to what a name before a dot means: the model or its table, a join, or a model that joins lead to. */
const stepsNamed = (index: LayerIndex, model: IndexedModel, name: string): readonly PathStep[] | null => {
  const same = (other: string): boolean => other.toLowerCase() === name.toLowerCase()
  if (same(model.model.name) || same(model.table.name)) return []
  const join = model.steps.find(step => step.isToOne && same(step.name))
  if (join) return [join]
  const other = [...index.models.values()].find(one => same(one.model.name) || same(one.table.name))
  return other ? findPath(index, model.model.name, other.model.name) : null
}

/** The start of the unit that a moment lies in. */
export const truncated = (
  { expression, moment }: Pick<ReachedDimension, 'expression' | 'moment'>,
  unit: DateUnit,
  timeZone: string,
): Expression => ({ kind: 'truncate', unit, operand: expression, type: moment, timeZone })

/** A part of a moment. */
export const partOf = (
  { expression, moment }: ReachedDimension,
  part: DatePart,
  timeZone: string,
): Expression => ({
  kind: 'date-part',
  part,
  operand: expression,
  type: moment,
  timeZone,
})
