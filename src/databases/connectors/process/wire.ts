import type { Catalog } from '../../../core/catalog.ts'
import type { Cell, ResultColumn } from '../../../core/result.ts'

/** What the parent asks of a child. A child does one thing at a time. */
export type ChildRequest =
  | {
      readonly type: 'run'
      readonly sql: string
      readonly maxRows: number
      readonly maxBytes: number
    }
  | { readonly type: 'introspect' }

/** A failure on its way to the parent: the result code, of databases that have such, and the message. */
export interface ChildError {
  readonly resultCode: number | null
  readonly message: string
}

/**
 * What a child says. First `ready` or `not-opened`, once. Then for each request any number of `rows`, and one of
 * `done`, `catalog` or `failed`.
 */
export type ChildMessage =
  | { readonly type: 'ready' }
  | ({ readonly type: 'not-opened' } & ChildError)
  | { readonly type: 'rows'; readonly rows: readonly (readonly Cell[])[] }
  | {
      readonly type: 'done'
      readonly columns: readonly ResultColumn[]
      readonly truncated: 'rows' | 'bytes' | null
    }
  | { readonly type: 'catalog'; readonly catalog: Catalog }
  | ({ readonly type: 'failed' } & ChildError)

/** The messages that end a request. */
export type ChildReply = Exclude<ChildMessage, { type: 'ready' | 'not-opened' | 'rows' }>
