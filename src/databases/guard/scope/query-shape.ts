import type { Dialect } from '../../../domain/sql.ts'
import { databaseDialect } from '../../../sql/dialects.ts'

/**
 * A query as a scope looks at it: which names stand where, whatever parser read them. Names are as they
 * are written: whether two are the same is for the dialect to say (`makeNameLookup`). What a parser could not place is `unclear`, and refused.
 */
export interface QueryShape {
  readonly ctes: readonly CteShape[]
  /** True where a CTE may name itself, or one that comes later. */
  readonly recursive: boolean
  readonly body: BodyShape
  /** What belongs to the query as a whole: ORDER BY after a set operation, LIMIT. */
  readonly tail: readonly ExpressionShape[]
}

interface CteShape {
  readonly name: string
  readonly renamed: readonly string[]
  readonly query: QueryShape
}

export type BodyShape =
  | SelectShape
  | { readonly kind: 'set'; readonly isUnion: boolean; readonly left: QueryShape; readonly right: QueryShape }
  | { readonly kind: 'values'; readonly parts: readonly ExpressionShape[] }

export interface SelectShape {
  readonly kind: 'select'
  readonly from: readonly SourceShape[]
  readonly outputs: readonly OutputShape[]
  /** WHERE, whose equalities may join. */
  readonly where: readonly ExpressionShape[]
  readonly rest: readonly ExpressionShape[]
}

/** One item of the SELECT list. `name` is null where only the server knows what it is called. */
export interface OutputShape {
  readonly name: string | null
  /** True when `name` was written, rather than taken from a column. */
  readonly isAlias: boolean
  readonly expression: ExpressionShape
}

export type SourceShape =
  | {
      readonly kind: 'table'
      readonly schema: string | null
      readonly name: string
      readonly alias: string | null
      readonly renamed: readonly string[]
    }
  | {
      readonly kind: 'query'
      readonly query: QueryShape
      readonly alias: string | null
      readonly renamed: readonly string[]
    }
  /** A function or the like. `renamed` are the names of its columns, as far as they are known. */
  | {
      readonly kind: 'call'
      readonly parts: readonly ExpressionShape[]
      readonly alias: string | null
      readonly renamed: readonly string[]
    }
  /** Made over from others, by PIVOT or UNPIVOT: any of their columns may have become a name or a value. */
  | {
      readonly kind: 'reshaped'
      readonly source: SourceShape
      readonly parts: readonly ExpressionShape[]
      readonly alias: string | null
    }
  | {
      readonly kind: 'join'
      readonly left: SourceShape
      readonly right: SourceShape
      readonly natural: boolean
      readonly using: readonly string[]
      readonly on: readonly ExpressionShape[]
      /** True if one of its columns is compared by order instead of by `=` (ASOF). */
      readonly comparesOrder: boolean
      /** True if only its condition sees the right side (SEMI, ANTI). */
      readonly showsLeft: boolean
      readonly alias: string | null
      readonly renamed: readonly string[]
    }

export type ExpressionShape =
  /** A name of one or more parts, the outermost first. */
  | { readonly kind: 'name'; readonly parts: readonly string[]; readonly mayBeText: boolean }
  | { readonly kind: 'star'; readonly qualifier: string | null }
  /** `exists` where only the number of rows counts, and a star reads nothing. */
  | { readonly kind: 'query'; readonly query: QueryShape; readonly exists: boolean }
  /** count(x), IS NULL: what is asked of `part` is only whether it is there, or how many of it. */
  | {
      readonly kind: 'presence'
      readonly part: ExpressionShape
      readonly rest: readonly ExpressionShape[]
    }
  | { readonly kind: 'equal'; readonly left: ExpressionShape; readonly right: ExpressionShape }
  | { readonly kind: 'and'; readonly parts: readonly ExpressionShape[] }
  | { readonly kind: 'lambda'; readonly names: readonly string[]; readonly parts: readonly ExpressionShape[] }
  | { readonly kind: 'unclear'; readonly what: string }
  | { readonly kind: 'group'; readonly parts: readonly ExpressionShape[] }

/**
 * Several expressions in one, or one with something done to it: never the expression itself, since a column that is
 * only counted and a call that is counted must not look alike.
 */
export const group = (parts: readonly ExpressionShape[]): ExpressionShape => ({
  kind: 'group',
  parts: parts.filter(part => part.kind !== 'group' || part.parts.length > 0),
})

/** One form for all names that the server may take for the same; different names can share it. */
export const foldName = (name: string, dialect: Dialect): string => databaseDialect(dialect).names.fold(name)
