import type { Catalog } from './catalog.ts'
import type { RunQuery } from './connector.ts'
import type { Dialect } from './dialect.ts'
import type { GuardVerdict } from './guarded-sql.ts'
import type { Knowledge } from './knowledge.ts'
import type { EstimateQuery } from './query-estimate.ts'
import type { FindValues } from './value-match.ts'

/** A database that people ask about, opened, read and indexed: all that a question needs of it. Read-only. */
export interface Database {
  /** The name in querent.yml, or the reference it was opened by, without a password. */
  readonly name: string
  readonly dialect: Dialect
  readonly catalog: Catalog
  readonly findValues: FindValues
  /** What the team knows of it, held to its catalog. Descriptions and joins are in the catalog already. */
  readonly knowledge?: Knowledge
  /** SQL text to `GuardedSql` or a refusal, under this database's dialect and lists. */
  readonly guard: (sql: string) => GuardVerdict
  readonly run: RunQuery
  /** As `run`, under the wider caps of files; left out where there are none. */
  readonly runWhole?: RunQuery
  /** What a statement would read; left out where nobody asks for plans. */
  readonly estimate?: EstimateQuery
  /** Rows that a statement may read unasked; left out where any number may. */
  readonly heavyRows?: number
  readonly indexMilliseconds: number
}

/** How far the opening of a database has come; `done` of `total` columns are measured. */
export interface IndexProgress {
  readonly done: number
  readonly total: number
}
