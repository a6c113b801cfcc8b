/**
 * What of a database may be asked about. Patterns name tables (`orders`, `hr.*`) and columns (`customers.email`,
 * `*.ssn`, `hr.salaries.*`), in any case; `*` stands for any part of a name. A pattern without a schema means the
 * table in every schema.
 */
export interface ReadScope {
  readonly tables: {
    /** Only these tables; all of them when the list is empty. A view that is named here in full is always open. */
    readonly include: readonly string[]
    readonly exclude: readonly string[]
  }
  readonly columns: {
    /** Columns that are not there for anybody. */
    readonly exclude: readonly string[]
    /** Columns whose name and type may be known, but none of whose values. */
    readonly mask: readonly string[]
  }
}

/** Everything may be asked about. */
export const unrestrictedScope: ReadScope = {
  tables: { include: [], exclude: [] },
  columns: { exclude: [], mask: [] },
}

/** True when nothing is kept from anybody. */
export const isUnrestrictedScope = ({ tables, columns }: ReadScope): boolean =>
  [tables.include, tables.exclude, columns.exclude, columns.mask].every(list => list.length === 0)
