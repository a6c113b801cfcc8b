import type { Catalog } from './catalog.ts'
import type { Dialect } from './dialect.ts'
import type { SchemaSnapshot } from './known-schema.ts'

/** A statement in which names that are gone are replaced by those that may be meant now. */
export interface Renaming {
  readonly sql: string
  /** What was replaced, each a line such as `hires.city is now hires.town`. */
  readonly says: readonly string[]
  /** How much speaks for it before it is run, from 0 to 1. */
  readonly likeness: number
}

/** What became of the names of a statement whose schema changed. */
export interface Renamings {
  /** Tables and columns that are not there any more, such as `the table hires` and `the column hires.city`. */
  readonly gone: readonly string[]
  /** The likeliest first. None where a name is gone for which nothing stands. */
  readonly renamings: readonly Renaming[]
}

/** Looks in a schema for what the names of a statement are called now. Pure; runs nothing. */
export type ProposeRenamings = (given: {
  readonly sql: string
  readonly dialect: Dialect
  /** The schema as it is now. */
  readonly catalog: Catalog
  /** The schema as it was; null where that was not kept. */
  readonly known: SchemaSnapshot | null
}) => Renamings
