import type { Cell, ValueKind } from './result.ts'
import type { Dialect } from './sql.ts'

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
  /** How the texts are written, where most are written alike. */
  readonly format?: TextFormat
  /** Up to five values that differ from one another, the same each time as long as the values are. */
  readonly samples?: readonly Cell[]
}

/**
 * How texts are written: `9` for a digit, `A` and `a` for a letter, `+` behind what repeats, everything else as it
 * stands (`AA-9999`, `a+@a+.a+`), and `YYYY-MM-DD` and its like for dates. `share` of the values looked at follow it.
 */
export interface TextFormat {
  readonly pattern: string
  readonly share: number
}

/** Whose words a description is: the database's own comment, the team's knowledge files, or a model's. */
export type DescriptionSource = 'database' | 'knowledge' | 'generated'

/** A column as the database declares it. `type` is the declared type in the database's own words. */
export interface Column {
  readonly name: string
  readonly type: string
  readonly kind: ValueKind
  readonly nullable: boolean
  readonly comment: string | null
  /** Whose words the comment is. The database's own where it is not said. */
  readonly commentSource?: DescriptionSource
  /** What else people call it, from the team's knowledge. They stand at the end of the comment too. */
  readonly synonyms?: readonly string[]
  readonly profile: ColumnProfile | null
  /** True where values must not be known: they are never measured, indexed, shown or sent to a model. */
  readonly masked?: true
}

/** A table or view. `rowCount` is exact where counting was cheap, else the server's estimate, else null. */
export interface Table {
  readonly schema: string | null
  /** The schema of a table that is found without one, where that is not the one everybody has. */
  readonly home?: string
  readonly name: string
  readonly type: 'table' | 'view'
  readonly comment: string | null
  readonly commentSource?: DescriptionSource
  readonly synonyms?: readonly string[]
  readonly rowCount: number | null
  readonly columns: readonly Column[]
  readonly primaryKey: readonly string[]
  /** A view's query, where the database tells it. It may name what a scope hides, so scoped catalogs have none. */
  readonly definition?: string
}

/** The columns of one side of a key, in the order that matches the other side. */
export interface KeySide {
  readonly table: string
  readonly columns: readonly string[]
}

/**
 * A foreign key. A derived one was guessed from names, types and values; `inclusion` is the measured share. One of
 * the team's knowledge is a join that they prefer, whatever the database declares.
 */
export interface ForeignKey {
  readonly from: KeySide
  readonly to: KeySide
  readonly source: 'declared' | 'derived' | 'knowledge'
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

/**
 * How keys and value matches call each table: by its plain name, or `schema.name` where a table that comes earlier
 * has the plain name already.
 */
export const nameTables = (catalog: Pick<Catalog, 'tables'>): ReadonlyMap<Table, string> => {
  const taken = new Set<string>()
  const names = new Map<Table, string>()
  for (const table of catalog.tables) {
    const name = taken.has(table.name) && table.schema !== null ? `${table.schema}.${table.name}` : table.name
    taken.add(table.name)
    names.set(table, name)
  }
  return names
}
