import type { Catalog } from '../../core/catalog.ts'
import type { LinkedSchema, LinkSchema } from '../../core/linked-schema.ts'
import { nameTables } from '../catalog/name-tables.ts'
import { renderDdl } from '../catalog/render-ddl.ts'
import { connectTables } from './connect-tables.ts'
import { keepColumns } from './keep-columns.ts'
import { scoreColumns, type TableScore } from './score-columns.ts'

/** How much of a schema a prompt may be. */
export interface LinkOptions {
  /** Tokens of the rendered schema. */
  readonly tokenBudget?: number
}

const usualTokenBudget = 6_000

/** English and SQL come to about four characters a token; names with underscores to fewer. */
const charactersPerToken = 3.5

/** More columns than this fit into no budget: not worth rendering to find out. */
const mostColumnsRendered = 600

const leastTables = 3
const mostTables = 10

/** A table that scores less than this part of the best one is kept only to reach the least number of tables. */
const leastPart = 0.3

/**
 * Makes the schema linking that needs no model (design/pipeline.md 4). A schema that fits is kept whole, since
 * pruning can only lose something (AgentNLQ; MAC-SQL's bounds on columns). Of a larger one it keeps the tables that
 * the question's words and values point to, at least three, and the tables that join them.
 */
export const makeLinkSchema = ({ tokenBudget = usualTokenBudget }: LinkOptions = {}): LinkSchema => {
  const fits = (catalog: Catalog, linked: LinkedSchema): boolean =>
    renderDdl(catalog, linked).length <= tokenBudget * charactersPerToken

  return ({ understanding, catalog, matches }) => {
    const everything = keepEverything(catalog)
    if (isSmall(catalog)) return everything
    const columns = catalog.tables.reduce((sum, table) => sum + table.columns.length, 0)
    if (columns <= mostColumnsRendered && fits(catalog, everything)) return everything

    const ranked = rankTables(catalog, scoreColumns(catalog, understanding.text, matches))
    const threshold = (ranked[0]?.score ?? 0) * leastPart
    const promising = ranked.filter((table, index) => index < leastTables || table.score >= threshold)
    let linked = everything
    for (let count = Math.min(promising.length, mostTables); count >= leastTables; count--) {
      linked = keepTables(catalog, ranked, promising.slice(0, count))
      if (fits(catalog, linked)) break
    }
    return linked
  }
}

/** Schema linking under the usual budget. */
export const linkSchema: LinkSchema = makeLinkSchema()

const keepEverything = (catalog: Catalog): LinkedSchema => {
  const names = nameTables(catalog)
  return { tables: catalog.tables.map(table => ({ table: names.get(table) ?? table.name, keep: 'all' })) }
}

/** MAC-SQL's selector does not prune at six columns a table and thirty in all. */
const isSmall = ({ tables }: Catalog): boolean => {
  const columns = tables.reduce((sum, table) => sum + table.columns.length, 0)
  return columns <= 30 && columns <= tables.length * 6
}

/** Best first. Among equals those that most keys touch, for a question whose words say nothing of the schema. */
const rankTables = (catalog: Catalog, scores: readonly TableScore[]): readonly TableScore[] => {
  const links = new Map<string, number>()
  for (const { from, to } of catalog.foreignKeys)
    for (const name of [from.table, to.table]) links.set(name, (links.get(name) ?? 0) + 1)
  return [...scores].sort((a, b) => b.score - a.score || (links.get(b.name) ?? 0) - (links.get(a.name) ?? 0))
}

const keepTables = (
  catalog: Catalog,
  scores: readonly TableScore[],
  chosen: readonly TableScore[],
): LinkedSchema => {
  const names = new Set(
    connectTables(
      chosen.map(({ name }) => name),
      catalog.foreignKeys,
    ),
  )
  const scoreOf = new Map(scores.map(score => [score.table, score]))
  return {
    tables: catalog.tables.flatMap(table => {
      const score = scoreOf.get(table)
      return score !== undefined && names.has(score.name) ? [keepColumns(score, catalog, names)] : []
    }),
  }
}
