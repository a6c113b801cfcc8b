import type { Catalog } from '../../core/catalog.ts'
import type { LinkedSchema, LinkSchema } from '../../core/linked-schema.ts'
import { nameTables } from '../catalog/name-tables.ts'
import { renderDdl } from '../catalog/render-ddl.ts'
import { orderColumns } from './choose-columns.ts'
import { describeCatalog, type LinkerColumn } from './describe-catalog.ts'
import { toLinkedSchema } from './keep-columns.ts'
import { makeRankColumns, type RankerWeights } from './rank-columns.ts'
import { trainedRankerWeights } from './trained-ranker.ts'

/** How much of a schema a prompt may be, and who else has a say in it. */
export interface LinkOptions {
  /** Tokens of the rendered schema. */
  readonly tokenBudget?: number
  /** What is near in sense, where an embedder is configured: added to each column's log-odds. Null when it cannot be told. */
  readonly nearInSense?: EmbeddingBonus
  /** What ranks; the one that ships by default. */
  readonly ranker?: RankerWeights
}

/** How near a question is to each column of a catalog, as something to add to its log-odds. */
export type EmbeddingBonus = (
  text: string,
  catalog: Catalog,
  signal?: AbortSignal,
) => Promise<Float64Array | null>

export const defaultTokenBudget = 6_000

/** English and SQL come to about four characters a token; names with underscores to fewer. */
const charactersPerToken = 3.5

/** More columns than this fit into no budget: not worth rendering to find out. */
const maxColumnsRendered = 600

/** Columns less likely than this are not shown, however much room there is. */
const minColumnProbability = 0.001

/** What is kept at least, whatever the budget in tokens. */
const minColumns = 8

/**
 * Makes the schema linking that needs no model (design/pipeline.md 4). A schema that fits is kept whole, since
 * pruning can only lose something (AgentNLQ; MAC-SQL's bounds on columns). Of a larger one it keeps as many of the
 * most wanted columns as fit: ranked over the whole schema by a small trained model, at least three tables of them,
 * and the keys that join them.
 */
export const makeLinkSchema = (options: LinkOptions = {}): LinkSchema => {
  const { tokenBudget = defaultTokenBudget, nearInSense, ranker = trainedRankerWeights } = options
  const rankColumns = makeRankColumns(ranker)
  /** Of the budget: at most 1 where it fits. */
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

/** Schema linking under the usual budget. */
export const linkSchema: LinkSchema = makeLinkSchema()

const linkEverything = (catalog: Catalog): LinkedSchema => {
  const names = nameTables(catalog)
  return { tables: catalog.tables.map(table => ({ table: names.get(table) ?? table.name, keep: 'all' })) }
}

/** MAC-SQL's selector does not prune at six columns a table and thirty in all. */
const isSmall = ({ tables }: Catalog, columns: number): boolean =>
  columns <= 30 && columns <= tables.length * 6

/**
 * As long a beginning of the wanted columns as fits, within a twentieth. Rendering is most of what linking a wide
 * schema costs, so the next length to try is what the last one's size suggests.
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
