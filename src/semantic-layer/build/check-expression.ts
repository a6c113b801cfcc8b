import type { LayerExpression } from '../../domain/metrics/semantic-layer.ts'
import type { Dialect } from '../../domain/sql.ts'
import { sqlTokens } from '../../sql/parse/sql-tokens.ts'
import { fragmentParts } from '../compile/expressions.ts'
import type { IndexedModel, LayerIndex } from '../compile/layer-index.ts'
import { didYouMean } from '../files/nearest-name.ts'

/** An expression of a file over a model, or what is wrong with it. */
export type CheckedExpression =
  | { readonly ok: true; readonly expression: LayerExpression }
  | { readonly ok: false; readonly message: string }

/** Where an expression belongs. */
export interface ExpressionPlace {
  readonly index: LayerIndex
  readonly model: IndexedModel
  readonly dialect: Dialect
}

/**
 * Resolves an expression: a column, another dimension of the model, or SQL over columns of the model and of those it
 * joins. Whether the SQL runs is found out by planning it.
 */
export const checkExpression = (text: string, place: ExpressionPlace): CheckedExpression => {
  const { model } = place
  const named = model.dimensions.get(text)
  if (named && !model.columns.has(text)) return { ok: true, expression: named.expression }
  if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(text) && columnNamed(model, text) === null && !constants.test(text))
    return { ok: false, message: noColumn(model, text) }
  const checked = checkSql(text, place)
  if (!checked.ok) return checked
  return { ok: true, expression: checked.column ?? { kind: 'sql', text: checked.text } }
}

/** Resolves a condition. Its text is returned with dimensions of the model written out. */
export const checkCondition = (
  text: string,
  place: ExpressionPlace,
): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string } => {
  const checked = checkSql(text, place)
  if (!checked.ok) return checked
  if (checked.column !== null && isBoolean(place.model, text) === false)
    return { ok: false, message: `“${text}” is no condition; compare it with something, as in ${text} = 1` }
  return checked
}

const constants = /^(?:true|false|null|current_date|current_timestamp)$/i

const isBoolean = ({ columns }: IndexedModel, text: string): boolean =>
  ['boolean', 'integer'].includes(columns.get(text.split('.').at(-1) ?? '')?.kind ?? 'boolean')

const checkSql = (
  given: string,
  place: ExpressionPlace,
):
  | { readonly ok: true; readonly text: string; readonly column: LayerExpression | null }
  | { readonly ok: false; readonly message: string } => {
  const { index, model, dialect } = place
  const cut = sqlTokens(given, dialect)
  if (!cut.ok) return { ok: false, message: `“${given}” has ${cut.message}` }
  if (cut.tokens.length === 0) return { ok: false, message: 'an expression is empty' }
  if (cut.tokens.some(({ text }) => text === ';'))
    return { ok: false, message: `“${given}” has a semicolon; write one expression` }
  if (cut.comments.length > 0)
    return { ok: false, message: `“${given}” has a comment; write it behind a # of the file` }
  if (!hasClosedBrackets(cut.tokens)) return { ok: false, message: `the brackets of “${given}” do not match` }
  const text = writeOutDimensions(given, place)
  const parts = fragmentParts(index, model, text, dialect)
  for (const part of parts) {
    if (typeof part === 'string') {
      const unknown = unknownReference(part, place)
      if (unknown !== null) return { ok: false, message: unknown }
    } else if (part.steps.some(step => !step.isToOne)) {
      const many = part.steps.find(step => !step.isToOne)!
      const message = `“${given}” uses ${many.to}, of which ${model.model.name} has many; put the metric into ${many.to} instead`
      return { ok: false, message }
    }
  }
  const [only, second] = parts
  const column =
    second === undefined && only !== undefined && typeof only !== 'string' && only.steps.length === 0
      ? ({ kind: 'column', column: only.column } as const)
      : null
  return { ok: true, text, column }
}

/** True if each bracket is closed behind it, so that an expression cannot end what it is put into. */
const hasClosedBrackets = (tokens: readonly { readonly text: string }[]): boolean => {
  let depth = 0
  for (const { text } of tokens) {
    if (text === '(') depth += 1
    if (text === ')') depth -= 1
    if (depth < 0) return false
  }
  return depth === 0
}

/** Puts the SQL of dimensions in the place of their names: `margin > 0` becomes `(price - cost) > 0`. */
const writeOutDimensions = (text: string, { model, dialect }: ExpressionPlace): string => {
  const cut = sqlTokens(text, dialect)
  if (!cut.ok) return text
  let written = ''
  let end = 0
  for (const [at, token] of cut.tokens.entries()) {
    const [before, after] = [cut.tokens[at - 1]?.text, cut.tokens[at + 1]?.text]
    if (token.kind !== 'word' || before === '.' || before === '::' || after === '.' || after === '(') continue
    const dimension = model.dimensions.get(token.text)
    if (dimension?.expression.kind !== 'sql' || model.columns.has(token.text)) continue
    written += `${text.slice(end, token.start)}(${dimension.expression.text})`
    end = token.end
  }
  return written + text.slice(end)
}

/** The first `name.column` that leads nowhere. */
const unknownReference = (text: string, { index, model, dialect }: ExpressionPlace): string | null => {
  const cut = sqlTokens(text, dialect)
  if (!cut.ok) return null
  for (const [at, token] of cut.tokens.entries()) {
    const [dot, second, after] = [cut.tokens[at + 1], cut.tokens[at + 2], cut.tokens[at + 3]]
    const isName = token.kind === 'word' || token.kind === 'quoted'
    if (!isName || dot?.text !== '.' || cut.tokens[at - 1]?.text === '.' || after?.text === '(') continue
    if (second === undefined || (second.kind !== 'word' && second.kind !== 'quoted')) continue
    const same = (name: string): boolean => name.toLowerCase() === token.value.toLowerCase()
    const join = model.model.joins.find(({ name }) => same(name))
    const target = [...index.models.values()].find(
      one => one.model.name === join?.to || same(one.model.name) || same(one.table.name),
    )
    if (target !== undefined)
      return columnNamed(target, second.value) === null
        ? noColumn(target, second.text)
        : `nothing leads from ${model.model.name} to ${target.model.name}; add a join`
    const known = [
      ...model.model.joins.map(({ name }) => name),
      ...[...index.models.values()].flatMap(one => [one.model.name, one.table.name]),
    ]
    return `there is no model, table or join ${token.text}${didYouMean(token.text, known)}`
  }
  return null
}

const noColumn = ({ table, columns, dimensions }: IndexedModel, name: string): string =>
  `the table ${table.name} has no column ${name}${didYouMean(name, [...columns.keys(), ...dimensions.keys()])}`

/** A column of a model's table, in any case. */
export const columnNamed = ({ columns }: IndexedModel, name: string): string | null =>
  columns.has(name)
    ? name
    : ([...columns.keys()].find(column => column.toLowerCase() === name.toLowerCase()) ?? null)
