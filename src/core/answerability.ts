import type { Catalog } from './catalog.ts'

/**
 * Things that a question names and for which nothing in a database stands, as the question writes them. `accounted` are
 * phrases that values or periods account for. Pure.
 */
export type FindUnknownThings = (
  text: string,
  catalog: Catalog,
  accounted?: readonly string[],
) => readonly string[]
