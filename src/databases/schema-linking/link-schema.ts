import { type Catalog, nameTables } from '../../domain/catalog.ts'
import { connectTables, keysBetween } from '../../domain/key-graph.ts'
import type { LinkedSchema, LinkSchema, RequestedName, WidenSchema } from '../../domain/question-context.ts'
import { renderDdl } from '../catalog/render-schema.ts'
import {
  type CatalogDescription,
  describeCatalog,
  type LinkerColumn,
  type LinkerTable,
} from './catalog-description.ts'
import {
  type ColumnRanking,
  makeRankColumns,
  type RankerWeights,
  trainedRankerWeights,
} from './rank-columns.ts'

/** How much of a schema a prompt may show, and what else ranks its columns. */
interface LinkOptions {
  /** Largest size of the rendered schema, in tokens. */
  readonly tokenBudget?: number
  /** Adds the similarity of embeddings to each column's log-odds, if an embedder is configured. */
  readonly nearInSense?: EmbeddingBonus
  /** Weights of the ranking; the ones that ship by default. */
  readonly ranker?: RankerWeights
}

/** How similar a question is to each column of a catalog, to be added to its log-odds. Null if that is unknown. */
export type EmbeddingBonus = (
  text: string,
  catalog: Catalog,
  signal?: AbortSignal,
) => Promise<Float64Array | null>

const defaultTokenBudget = 6_000

/** English and SQL have about four characters per token; names with underscores have fewer. */
const charactersPerToken = 3.5

/** No token budget fits more columns than this, so there is no point in rendering them. */
const maxColumnsRendered = 600

/** Columns less likely than this are left out even if there is room. */
const minColumnProbability = 0.001

/** At least this many columns are kept, whatever the token budget. */
const minColumns = 8

/**
 * Makes schema linking, which needs no model. A schema that fits the budget is kept whole, since pruning can only
 * lose something (AgentNLQ; MAC-SQL's bounds on columns). From a larger one it keeps as many of the likeliest columns
 * as fit: ranked over the whole schema by a small trained model, from at least three tables, with the keys that join
 * them.
 */
export const makeLinkSchema = (options: LinkOptions = {}): LinkSchema => {
  const { tokenBudget = defaultTokenBudget, nearInSense, ranker = trainedRankerWeights } = options
  const rankColumns = makeRankColumns(ranker)
  /** Size as a share of the budget: at most 1 if it fits. */
  const sizeOf = (catalog: Catalog, linked: LinkedSchema): number =>
    renderDdl(catalog, linked).length / (tokenBudget * charactersPerToken)

  return async ({ understanding, catalog, matches, columns: most, signal }) => {
    signal?.throwIfAborted()
    const count = catalog.tables.reduce((sum, table) => sum + table.columns.length, 0)
    if (most === undefined ? isSmall(catalog, count) : count <= most) return linkEverything(catalog)
    if (most === undefined && count <= maxColumnsRendered) {
      const everything = linkEverything(catalog)
      if (sizeOf(catalog, everything) <= 1) return everything
    }
    const { text } = understanding
    const near = (await nearInSense?.(text, catalog, signal)) ?? undefined
    const description = describeCatalog(catalog)
    const ranks = rankColumns(text, description, matches, near)
    if (most !== undefined)
      return toLinkedSchema(orderColumns(description, ranks).slice(0, Math.max(1, most)))
    const wanted = orderColumns(description, ranks, minColumnProbability)
    return fitToBudget(wanted, linked => sizeOf(catalog, linked))
  }
}

const linkEverything = (catalog: Catalog): LinkedSchema => {
  const names = nameTables(catalog)
  return { tables: catalog.tables.map(table => ({ table: names.get(table) ?? table.name, keep: 'all' })) }
}

/** MAC-SQL does not prune a schema with at most six columns per table and thirty in all. */
const isSmall = ({ tables }: Catalog, columns: number): boolean =>
  columns <= 30 && columns <= tables.length * 6

/**
 * The longest prefix of the ranked columns that fits, to within 5%. Rendering is most of the cost of linking a wide
 * schema, so the size of the last prefix decides the next one to try.
 */
const fitToBudget = (
  wanted: readonly LinkerColumn[],
  sizeOf: (linked: LinkedSchema) => number,
): LinkedSchema => {
  let low = Math.min(minColumns, wanted.length)
  let high = Math.min(maxColumnsRendered, wanted.length)
  let best = toLinkedSchema(wanted.slice(0, low))
  let next = Math.min(firstTried, high)
  while (low < high * closeEnough && next > low) {
    const linked = toLinkedSchema(wanted.slice(0, next))
    const size = sizeOf(linked)
    if (size <= 1) {
      best = linked
      low = next
    } else high = next - 1
    next = Math.min(high, Math.max(low + 1, Math.floor(next / size)))
  }
  return best
}

const firstTried = 150

const closeEnough = 0.95

/** MAC-SQL keeps at least three tables, if there are three. */
const minTables = 3

/** Tables at least this likely are joined to one another. */
const joinThreshold = 0.15

/** Rank of a key that joins likely tables: before every column that is less likely than this. */
const keyPriority = 0.15

/**
 * A table without any column would be lost, so its likeliest column ranks with this share of the table's probability.
 */
const forTable = 0.5

/**
 * The columns of a catalog that are worth keeping, best first. Any prefix is what to keep for that number of columns.
 * Returns all of them if `minColumnProbability` is 0.
 */
const orderColumns = (
  description: CatalogDescription,
  { tables, columns }: ColumnRanking,
  leastLikely = 0,
): readonly LinkerColumn[] => {
  const likely = (table: LinkerTable): number => tables[table.at]!
  const ranked = [...description.tables].sort((a, b) => likely(b) - likely(a) || a.at - b.at)
  const chosen = ranked.filter((table, at) => at === 0 || likely(table) >= joinThreshold)
  const wanted = Float64Array.from(columns)
  const raise = ({ at }: LinkerColumn, to: number): void => {
    wanted[at] = Math.max(wanted[at]!, to)
  }
  for (const table of description.tables) {
    const best = likeliest(table, columns)
    if (best) raise(best, likely(table) * forTable)
  }
  for (const key of joinKeys(description, chosen, likely)) raise(key, keyPriority)
  for (const table of ranked.slice(0, minTables)) {
    const best = likeliest(table, wanted)
    if (best) raise(best, 1)
  }
  return description.columns
    .filter(({ at }) => wanted[at]! >= leastLikely)
    .sort((a, b) => wanted[b.at]! - wanted[a.at]! || a.at - b.at)
}

/** Paths that cost more than this join tables that do not belong together. */
const maxPathCost = 12

/**
 * The columns that join the chosen tables, over as few other tables as possible. A table on the path costs more the
 * less likely it is (0 to 1), so a bridge table that the question points to is cheap.
 */
const joinKeys = (
  { keys, tables }: CatalogDescription,
  chosen: readonly LinkerTable[],
  likely: (table: LinkerTable) => number,
): readonly LinkerColumn[] => {
  const { steps } = connectTables(
    keys,
    chosen.map(({ at }) => at),
    { extra: at => -Math.log(Math.max(0.01, likely(tables[at]!))) / 4, limit: maxPathCost },
  )
  const joins = steps.flatMap(step => keysBetween(keys, step.from, step.to))
  return [...new Set(joins.flatMap(({ from, to }) => [...from.columns, ...to.columns]))]
}

const likeliest = ({ columns }: LinkerTable, scores: Float64Array): LinkerColumn | null => {
  let best: LinkerColumn | null = null
  for (const column of columns) if (best === null || scores[column.at]! > scores[best.at]!) best = column
  return best
}

/** The chosen columns in MAC-SQL's form, in the catalog's order: `all` for a table with no column missing. */
const toLinkedSchema = (chosen: Iterable<LinkerColumn>): LinkedSchema => {
  const byTable = Map.groupBy(new Set(chosen), ({ table }) => table)
  return {
    tables: [...byTable]
      .sort(([a], [b]) => a.at - b.at)
      .map(([{ name, columns }, kept]) => ({
        table: name,
        keep:
          kept.length === columns.length
            ? 'all'
            : kept.sort((a, b) => a.at - b.at).map(({ column }) => column.name),
      })),
  }
}

/** Schema linking with the default budget. */
export const linkSchema: LinkSchema = makeLinkSchema()

/**
 * Adds to a linked schema the names that a draft used and that were left out (ReCAP 3.3: its schema linker is called
 * when a column is not found). A named table comes back whole. A named column comes back in its table if that is
 * kept, else in every table that has it, up to three. The keys that join them to the rest come back too.
 */
export const widenSchema: WidenSchema = ({ catalog, linked, wanted }) => {
  const description = describeCatalog(catalog)
  const kept = columnsOf(description, linked)
  const tables = new Set([...kept].map(({ table }) => table))
  const added = new Set(
    wanted.flatMap(name => findMeantColumns(name, description, tables)).filter(one => !kept.has(one)),
  )
  if (added.size === 0) return linked
  const touched = new Set([...added].map(({ table }) => table))
  const keys = joinKeys(description, [...tables, ...touched], () => 0.5)
  // Keys between kept tables were left out on purpose; keys on the path to a new table are needed.
  const between = keys.filter(({ table }) => touched.has(table) || !tables.has(table))
  const farEnds = between
    .flatMap(({ leadsTo, ledToBy }) => [...leadsTo, ...ledToBy])
    .filter(key => keys.includes(key))
  return toLinkedSchema([...kept, ...added, ...between, ...farEnds])
}

/** A column named without its table is not added if more tables than this have it. */
const maxOwningTables = 3

const findMeantColumns = (
  { table: tableName, column }: RequestedName,
  { tables }: CatalogDescription,
  kept: ReadonlySet<LinkerTable>,
): readonly LinkerColumn[] => {
  const named =
    tableName === null
      ? null
      : tables.filter(({ name, table }) => same(table.name, tableName) || same(name, tableName))
  if (column === null) return named?.flatMap(({ columns }) => columns) ?? []
  const owners = (named ?? tables).flatMap(table =>
    table.columns.filter(known => same(known.column.name, column)),
  )
  const near = owners.filter(({ table }) => kept.has(table))
  if (near.length > 0) return near
  return owners.length <= maxOwningTables ? owners : []
}

const columnsOf = ({ byTableName }: CatalogDescription, linked: LinkedSchema): ReadonlySet<LinkerColumn> =>
  new Set(
    linked.tables.flatMap(({ table, keep }) => {
      const columns = byTableName.get(table)?.columns ?? []
      return keep === 'all' ? columns : columns.filter(({ column }) => keep.includes(column.name))
    }),
  )

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
