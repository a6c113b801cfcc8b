import type { Cell, ValueKind } from './result.ts'
import type { Dialect } from './sql.ts'

/** What profiling a column found. Shares are from 0 to 1; counts refer to the rows read. */
export interface ColumnProfile {
  readonly nullShare: number
  readonly distinctCount: number
  readonly min: Cell
  readonly max: Cell
  /** Up to ten values, most frequent first. */
  readonly mostFrequent: readonly { readonly value: Cell; readonly count: number }[]
  /** Mean length of the value's text, in characters. */
  readonly meanLength: number
  /** Rows read. Fewer than the table has if a large table was sampled; then counts are for the sample. */
  readonly rowsRead?: number
  /** True if every value is numeric text that must be cast before it is summed or sorted. */
  readonly numericText?: boolean
  /** The common format of the texts, if most share one. */
  readonly format?: TextFormat
  /** Up to five distinct values, the same each time until the data changes. */
  readonly samples?: readonly Cell[]
}

/**
 * A text format: `9` for a digit, `A` and `a` for letters, `+` after what repeats, everything else literal (`AA-9999`,
 * `a+@a+.a+`), and `YYYY-MM-DD` and the like for dates. `share` of the values read follow it.
 */
export interface TextFormat {
  readonly pattern: string
  readonly share: number
}

/** Source of a description: the database's own comment, the team's knowledge files, or a model. */
export type DescriptionSource = 'database' | 'knowledge' | 'generated'

/** A column as the database declares it. `type` is the declared type as the database writes it. */
export interface Column {
  readonly name: string
  readonly type: string
  readonly kind: ValueKind
  readonly nullable: boolean
  readonly comment: string | null
  /** Source of the comment; the database if left out. */
  readonly commentSource?: DescriptionSource
  /** Other names people use for it, from the team's knowledge. They are also at the end of the comment. */
  readonly synonyms?: readonly string[]
  readonly profile: ColumnProfile | null
  /** True if values must stay hidden: they are never profiled, indexed, shown or sent to a model. */
  readonly masked?: true
  /** Whether its values are kept from models, whatever it looks like; left out if that decides. */
  readonly personal?: boolean
  /**
   * The expression of a generated column, or of a default that names other columns. It may name hidden columns, so scoped
   * catalogs leave it out.
   */
  readonly generatedFrom?: string
}

/** A table or view. `rowCount` is exact if counting was cheap, otherwise the server's estimate, or null. */
export interface Table {
  readonly schema: string | null
  /** The schema of a table that is found without a qualifier, if it is not the default schema. */
  readonly home?: string
  readonly name: string
  readonly type: 'table' | 'view'
  readonly comment: string | null
  readonly commentSource?: DescriptionSource
  readonly synonyms?: readonly string[]
  readonly rowCount: number | null
  readonly columns: readonly Column[]
  readonly primaryKey: readonly string[]
  /**
   * A view's query, if the database provides it, or a query for what another kind of table shows of others: an empty one
   * if nobody can tell. It may name hidden tables, so scoped catalogs leave it out.
   */
  readonly definition?: string
  /** Tables that it inherits from, as keys call them: all its rows are rows of theirs too. */
  readonly parents?: readonly string[]
  /** Columns that `*` leaves out and that no list names, such as the rank of a full-text table. */
  readonly hiddenColumns?: readonly string[]
  /** True for a view that calls functions of the database, by name, operator or cast. */
  readonly callsOwn?: true
}

/** The columns of one side of a key, in the order of the other side. */
export interface KeySide {
  readonly table: string
  readonly columns: readonly string[]
}

/**
 * A foreign key. A derived key was inferred from names, types and values; `inclusion` is the measured share. A key from
 * the team's knowledge is a join they prefer, whatever the database declares.
 */
export interface ForeignKey {
  readonly from: KeySide
  readonly to: KeySide
  readonly source: 'declared' | 'derived' | 'knowledge'
  readonly inclusion: number | null
}

/**
 * What is known about a database. Table names are unqualified if that is unambiguous (`schema` has the rest).
 * `fingerprint` changes when tables, columns, types or keys change, but not when rows do.
 */
export interface Catalog {
  readonly dialect: Dialect
  readonly tables: readonly Table[]
  readonly foreignKeys: readonly ForeignKey[]
  /**
   * Functions and macros that somebody made in the database: they may read any table. With their schema if they are only
   * found with it.
   */
  readonly functions?: readonly string[]
  /** Types that somebody made in the database, if a cast can name them and labels of theirs can be data. */
  readonly types?: readonly string[]
  /** What calls such functions without naming them; left out if nothing does. */
  readonly ownSyntax?: OwnSyntax
  readonly fingerprint: string
}

/** Operators, casts and types whose functions somebody made in the database. Types are written as those of columns. */
export interface OwnSyntax {
  readonly operators: readonly OwnOperator[]
  readonly casts: readonly OwnCast[]
  /** Types that are sorted, compared or found in an index by such functions. */
  readonly compared: readonly string[]
  /** Where values of the types above can come from. */
  readonly values: Readonly<Record<string, ValueOrigins>>
}

/** A cast that calls a function. */
export interface OwnCast {
  /** Null for a type that checks every value, whatever that was made from. */
  readonly from: string | null
  /** The target, and all types that hold it. */
  readonly to: readonly string[]
  readonly isImplicit: boolean
  /** True for a target that nobody made here: functions that take it may be called anywhere. */
  readonly isIntoKnown: boolean
}

/** An operator by its symbol. An operand is null if it may be of any type; there is one where the symbol stands in front. */
export interface OwnOperator {
  readonly symbol: string
  readonly operands: readonly (string | null)[]
  /** True if the symbol also stands for operators that nobody made here. */
  readonly isShared: boolean
}

/** Types that hold values of a type or turn into it by themselves, and the functions and operators that give such values. */
export interface ValueOrigins {
  readonly types: readonly string[]
  readonly calls: readonly string[]
  /** Functions and operators that give such values only if they are given one, which may be written as a text. */
  readonly keeping: readonly string[]
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
