import {
  type AggregateName,
  type ColumnName,
  type Expression,
  emptySelect,
  type FromSource,
  type JoinedSource,
  type SelectTree,
} from './query-tree.ts'

/** A SELECT with the given clauses and no others. */
export const selectOf = (parts: Pick<SelectTree, 'from' | 'outputs'> & Partial<SelectTree>): SelectTree => ({
  ...emptySelect,
  ...parts,
})

/** A table in FROM: the first one, or one that is joined to those before it. */
export const tableSource = (
  { schema, name, alias = null }: { schema: string | null; name: string; alias?: string | null },
  joined: Partial<Pick<JoinedSource, 'join' | 'on'>> = {},
): JoinedSource & { readonly source: Extract<FromSource, { kind: 'table' }> } => ({
  source: { kind: 'table', catalog: null, schema, name, alias, renamed: [] },
  join: null,
  natural: false,
  comma: false,
  on: null,
  using: [],
  usingAlias: null,
  ...joined,
})

export const columnOf = (name: string, qualifier: string | null = null): ColumnName => ({
  kind: 'column',
  outer: [],
  qualifier,
  name,
  quoted: false,
  mayBeText: false,
})

/** All columns; of one table if it is named. */
export const starOf = (qualifier: string | null = null): Expression => ({
  kind: 'star',
  qualifier,
  except: [],
  replace: [],
  renames: false,
})

/** A constant. Numbers that SQL cannot write (NaN, infinities) become NULL. */
export const literalOf = (value: string | number | boolean | null): Expression => {
  if (typeof value === 'string') return { kind: 'text', value }
  if (typeof value === 'number' && Number.isFinite(value)) return { kind: 'number', value: String(value) }
  return { kind: 'constant', value: value === true ? 'true' : value === false ? 'false' : 'null' }
}

/** An aggregate of one argument; without it, of rows: `count(*)`. */
export const aggregateOf = (
  fn: AggregateName,
  argument: Expression | null = null,
  distinct = false,
): Extract<Expression, { kind: 'aggregate' }> => ({
  kind: 'aggregate',
  fn,
  name: fn,
  distinct,
  star: argument === null,
  argument,
  others: [],
  filter: null,
  details: [],
})

/**
 * Whether text contains, starts or ends with other text, whatever the case. `text` is no pattern: its wildcards are
 * escaped, and the escape character stands in `details`.
 */
export const matchOf = (
  operand: Expression,
  { place, text, negated }: { place: 'anywhere' | 'start' | 'end'; text: string; negated: boolean },
): Expression => {
  const escaped = text.replace(/[%_!]/g, '!$&')
  const value = place === 'start' ? `${escaped}%` : place === 'end' ? `%${escaped}` : `%${escaped}%`
  return {
    kind: 'compare',
    operator: negated ? 'not like' : 'like',
    variant: 'no-case',
    quantifier: null,
    left: operand,
    right: literalOf(value),
    // A backslash escapes in all of them but SQLite, unless another character is named.
    details: escaped === text && !text.includes('\\') ? [] : [literalOf('!')],
  }
}
