import type { Column, Table } from '../../domain/catalog.ts'
import type { KeyGraph } from '../../domain/key-graph.ts'

/** What a column is used for, from its name, type, keys and profile. */
export interface ColumnTraits {
  /** Part of a primary or foreign key. */
  readonly key: boolean
  readonly foreign: boolean
  /** Numbers that can be added up or compared, even if they are stored as text. */
  readonly numeric: boolean
  readonly text: boolean
  /** A date or timestamp, even if it is stored as ISO text. */
  readonly moment: boolean
  /** Whole numbers that are years. */
  readonly year: boolean
  /** Names its row: what people want to see of it. */
  readonly name: boolean
  /** How a column with two values writes yes and no. */
  readonly flag: { readonly yes: string | number | boolean; readonly no: string | number | boolean } | null
}

/** One word of a name: its stem, then the stems that it abbreviates. */
export interface NameWord {
  readonly stems: readonly string[]
  /** How much it matters if a question leaves it out, from 0 to 1. */
  readonly weight: number
}

export interface ColumnEntry {
  /** Position among all columns of the catalog. */
  readonly id: number
  readonly table: TableEntry
  readonly column: Column
  readonly words: readonly NameWord[]
  readonly commentStems: readonly string[]
  readonly traits: ColumnTraits
}

export interface TableEntry {
  readonly id: number
  readonly table: Table
  readonly words: readonly NameWord[]
  readonly commentStems: readonly string[]
  readonly columns: readonly ColumnEntry[]
  readonly primaryKey: readonly ColumnEntry[]
  /**
   * The columns that name a row: a name, a title, first and last name; else its key. Never empty for a table with
   * columns.
   */
  readonly display: readonly ColumnEntry[]
}

/** A catalog indexed for the parser, built once per catalog. */
export interface SchemaIndex {
  readonly tables: readonly TableEntry[]
  readonly columns: readonly ColumnEntry[]
  /** Tables by their ids. */
  readonly keys: KeyGraph<ColumnEntry>
  /** The fewest joins between two tables, by their ids; `Infinity` when no keys connect them. */
  readonly distance: readonly (readonly number[])[]
  /** Columns with a word of this stem. */
  readonly columnsByStem: ReadonlyMap<string, readonly ColumnEntry[]>
  readonly tablesByStem: ReadonlyMap<string, readonly TableEntry[]>
  readonly stems: readonly string[]
}
