import { createRequire } from 'node:module'
import type { Dialect } from '../../../../src/domain/sql.ts'

const { parse } = createRequire(import.meta.url)('@polyglot-sql/sdk') as typeof import('@polyglot-sql/sdk')

/** A name as it is written. */
interface WrittenName {
  readonly name: string
  readonly quoted: boolean
}

/** How a warehouse compares names, by its documents. Two names are the same if these give the same text. */
export interface NameRules {
  readonly table: (name: WrittenName) => string
  readonly cte: (name: WrittenName) => string
}

const upper = ({ name }: WrittenName): string => name.toUpperCase()
const lower = ({ name }: WrittenName): string => name.toLowerCase()
const exact = ({ name }: WrittenName): string => name

/**
 * Each way in which names are compared, with every setting that changes it.
 *
 * - BigQuery: tables and datasets by case, aliases and queries of WITH without it.
 * - Snowflake: what has no quotes is in capitals; with QUOTED_IDENTIFIERS_IGNORE_CASE, everything is.
 * - Redshift: everything is in small letters; with enable_case_sensitive_identifier, quoted names are not.
 */
export const warehouseRules: Readonly<Partial<Record<Dialect, readonly NameRules[]>>> = {
  bigquery: [{ table: exact, cte: lower }],
  snowflake: [
    { table: one => (one.quoted ? one.name : upper(one)), cte: one => (one.quoted ? one.name : upper(one)) },
    { table: upper, cte: upper },
  ],
  redshift: [
    { table: lower, cte: lower },
    { table: one => (one.quoted ? one.name : lower(one)), cte: one => (one.quoted ? one.name : lower(one)) },
  ],
}

type Json = null | string | number | boolean | readonly Json[] | { readonly [key: string]: Json }

const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const nameIn = (value: Json | undefined): WrittenName | null =>
  isObject(value) && typeof value.name === 'string'
    ? { name: value.name, quoted: value.quoted === true }
    : null

/** The text of a tree without places and comments, so that the same query is the same text. */
const shapeOf = (value: Json): string =>
  JSON.stringify(value, (key, inner: unknown) =>
    key === 'span' || key.endsWith('comments') ? undefined : inner,
  )

/** The parser's tree of a statement; null if it cannot be read. */
const treeOf = (sql: string, dialect: Dialect): Json | null => {
  try {
    const parsed = parse(sql, dialect as Parameters<typeof parse>[1]) as unknown as { readonly ast?: Json }
    return parsed.ast ?? null
  } catch {
    return null
  }
}

/** What a warehouse reads: the tables that no query of WITH hides, and the names that a statement gives to sources. */
export interface ServerReads {
  /** The last part of each name, as the rules have it. */
  readonly tables: readonly string[]
  readonly names: readonly string[]
}

/**
 * Finds the tables that a warehouse would read for a statement, in the tree of the parser, by rules that have nothing
 * to do with the guard's own. What is just one of the `standIns` is left out. Null if it cannot be read.
 */
export const readsOf = (
  sql: string,
  {
    dialect,
    rules,
    standIns,
  }: { readonly dialect: Dialect; readonly rules: NameRules; readonly standIns: readonly string[] },
): ServerReads | null => {
  const tree = treeOf(sql, dialect)
  if (tree === null) return null
  const allowed = new Set(
    standIns.flatMap(text => {
      const [statement] = (treeOf(`SELECT 1 FROM ${text} AS q0`, dialect) ?? []) as readonly Json[]
      const found = statement === undefined ? [] : subqueriesIn(statement)
      return found.slice(0, 1).map(shapeOf)
    }),
  )
  const tables: string[] = []
  const names: string[] = []

  const walk = (value: Json | undefined, ctes: ReadonlySet<string>): void => {
    if (Array.isArray(value)) {
      for (const one of value) walk(one as Json, ctes)
      return
    }
    if (!isObject(value)) return
    const inner = walkWith(value, ctes)
    for (const [kind, body] of Object.entries(value)) {
      if (kind === 'with') continue
      if (kind === 'subquery' && isObject(body) && allowed.has(shapeOf(body.this ?? null))) {
        keepName(body.alias)
        continue
      }
      if (kind === 'table' && isObject(body) && nameIn(body.name) !== null) readTable(body, inner)
      if (kind === 'subquery' && isObject(body)) keepName(body.alias)
      walk(body, inner)
    }
  }

  const keepName = (alias: Json | undefined): void => {
    const name = nameIn(alias)
    if (name !== null) names.push(name.name)
  }

  /** Queries of WITH see those before them, and themselves if it is recursive. */
  const walkWith = (
    value: { readonly [key: string]: Json },
    outer: ReadonlySet<string>,
  ): ReadonlySet<string> => {
    if (!isObject(value.with)) return outer
    let seen = outer
    for (const cte of (value.with.ctes ?? []) as readonly Json[]) {
      const name = isObject(cte) ? nameIn(cte.alias) : null
      if (name === null || !isObject(cte)) continue
      names.push(name.name)
      const known = new Set([...seen, rules.cte(name)])
      walk(cte.this, value.with.recursive === true ? known : seen)
      seen = known
    }
    return seen
  }

  const readTable = (body: { readonly [key: string]: Json }, ctes: ReadonlySet<string>): void => {
    const name = nameIn(body.name) as WrittenName
    const isQualified = nameIn(body.schema) !== null || nameIn(body.catalog) !== null
    keepName(body.alias)
    if (!isQualified && ctes.has(rules.cte(name))) return
    // BigQuery allows one pair of quotes around a whole path.
    const last = { ...name, name: name.name.replace(/^.*\./, '') }
    tables.push(rules.table(last))
  }

  walk(tree, new Set())
  return { tables, names }
}

/** The queries in brackets of a tree, outer ones first. */
const subqueriesIn = (value: Json | undefined): readonly Json[] => {
  if (Array.isArray(value)) return value.flatMap(one => subqueriesIn(one as Json))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([kind, body]) =>
    kind === 'subquery' && isObject(body)
      ? [body.this ?? null, ...subqueriesIn(body.this)]
      : subqueriesIn(body),
  )
}
