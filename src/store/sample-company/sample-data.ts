/** A value of a sample row: days as `YYYY-MM-DD`, moments as ISO text, exact decimals as text. */
export type SampleCell = null | boolean | number | string

/** Tables as data. The generator lies outside of src and is handed in, so this is the form we take it in. */
export interface SampleSchema {
  /** Changes when the same as-of day would give other tables or rows. */
  readonly version: string
  /** A table comes after those it points at. */
  readonly tables: readonly SampleTable[]
}

export interface SampleTable {
  readonly name: string
  readonly comment: string
  readonly columns: readonly {
    readonly name: string
    /** In Postgres's words. */
    readonly type: string
    readonly nullable: boolean
    readonly comment: string | null
  }[]
  readonly primaryKey: readonly string[]
  readonly foreignKeys: readonly {
    readonly columns: readonly string[]
    readonly table: string
    readonly references: readonly string[]
  }[]
}

/** Rows of one table in the order of its columns. */
export interface SampleRows {
  readonly table: string
  readonly rows: Iterable<readonly SampleCell[]>
}

/** Makes the rows of all tables, in the order of the schema, up to the as-of day (`YYYY-MM-DD`). Pure. */
export type GenerateSample = (options: { asOf: string }) => Iterable<SampleRows>
