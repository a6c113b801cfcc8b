/** A table with its columns, as statements may name it. */
export interface NamedTable {
  /** With its schema, if it is always written with one. */
  readonly name: string
  readonly columns: readonly NamedColumn[]
}

/** A column, and what kind of expression it is. */
export interface NamedColumn {
  readonly name: string
  readonly type: 'int' | 'text'
}

/** What a dialect has of each clause. A list that is empty or left out: it has none of it. */
export interface Grammar {
  readonly dialect: string
  readonly quotes: readonly (readonly [string, string])[]
  /** Which names mean the same in another case: those without quotes, all, or none. */
  readonly fold: 'unquoted' | 'all' | 'none'
  readonly types: { readonly int: string; readonly text: string }
  readonly concat: (left: string, right: string) => string
  /** What may stand behind WITH and behind AS; empty if WITH holds no queries. */
  readonly with: readonly string[]
  readonly withAs: readonly string[]
  readonly joins: readonly string[]
  readonly using: readonly string[]
  readonly natural: readonly string[]
  /** How many sources may be joined. */
  readonly width: number
  readonly lateral: boolean
  /** Whether subqueries may name columns of the query outside. */
  readonly correlated: boolean
  readonly renames: boolean
  readonly sets: readonly string[]
  /** Forms of GROUP BY; `{1}` and `{2}` are expressions. */
  readonly groups: readonly string[]
  readonly windows: boolean
  readonly filter: boolean
  readonly qualify: boolean
  readonly fromFirst: boolean
  /** Further sources, with the columns `n` of numbers and `s` of texts under `{alias}`. */
  readonly sources: readonly string[]
  /** What may stand behind a table. */
  readonly suffixes: readonly string[]
  /** Schemas and catalogs in front of a table; `{db}` is the database. */
  readonly paths: readonly string[]
  /** Whole statements of this dialect, filled in as `fillIdiom` says. */
  readonly idioms: readonly string[]
  readonly system: readonly NamedTable[]
}

/** `id:int name:text` and so on. */
export const columnsOf = (text: string): readonly NamedColumn[] =>
  text.split(' ').map(part => {
    const [name = '', type] = part.split(':')
    return { name, type: type === 'i' ? 'int' : 'text' }
  })

/** The tables of a world. `salaries` is excluded by lists, and so are `email`, `bank_key` and `vault`; `ssn` is masked. */
export const worldTables: readonly NamedTable[] = [
  { name: 'customers', columns: columnsOf('id:i name city email ssn credit:i') },
  { name: 'orders', columns: columnsOf('id:i customer_id:i amount:i note') },
  { name: 'people', columns: columnsOf('id:i name ssn') },
  { name: 'tickets', columns: columnsOf('id:i kind status bank_key') },
  { name: 'salaries', columns: columnsOf('id:i person_id:i amount:i bank') },
]

/** Columns of those that lists exclude. */
export const hiddenColumns: readonly string[] = ['email', 'bank_key', 'bank', 'vault']
