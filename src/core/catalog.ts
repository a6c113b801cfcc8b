import type { Dialect } from './dialect.ts'
import type { Cell, ValueKind } from './result.ts'

/** What measuring a column found. Shares are from 0 to 1; counts are of the rows that were looked at. */
export interface ColumnProfile {
  readonly nullShare: number
  readonly distinctCount: number
  readonly min: Cell
  readonly max: Cell
  /** Up to ten values, most frequent first. */
  readonly mostFrequent: readonly { readonly value: Cell; readonly count: number }[]
  /** Mean length of the value's text, in characters. */
  readonly meanLength: number
  /** Rows looked at. Fewer than the table's rows where a large table was sampled: then the counts are the sample's. */
  readonly rowsRead?: number
  /** True when every value is text that reads as a number: it has to be cast before it is added up or ordered. */
  readonly numericText?: boolean
}

/** A column as the database declares it. `type` is the declared type in the database's own words. */
export interface Column {
  readonly name: string
  readonly type: string
  readonly kind: ValueKind
  readonly nullable: boolean
  readonly comment: string | null
  readonly profile: ColumnProfile | null
}

/** A table or view. `rowCount` is exact where counting was cheap, else the server's estimate, else null. */
export interface Table {
  readonly schema: string | null
  readonly name: string
  readonly type: 'table' | 'view'
  readonly comment: string | null
  readonly rowCount: number | null
  readonly columns: readonly Column[]
  readonly primaryKey: readonly string[]
}

/** The columns of one side of a key, in the order that matches the other side. */
export interface KeySide {
  readonly table: string
  readonly columns: readonly string[]
}

/** A foreign key. A derived one was guessed from names, types and values; `inclusion` is the measured share. */
export interface ForeignKey {
  readonly from: KeySide
  readonly to: KeySide
  readonly source: 'declared' | 'derived'
  readonly inclusion: number | null
}

/**
 * What is known of one database. Table names are unqualified where that is unambiguous (`schema` carries the
 * rest). `fingerprint` changes when tables, columns, types or keys change, not when rows do.
 */
export interface Catalog {
  readonly dialect: Dialect
  readonly tables: readonly Table[]
  readonly foreignKeys: readonly ForeignKey[]
  readonly fingerprint: string
}
