import type { Catalog } from '../../domain/catalog.ts'
import type { ColumnMeaning } from '../../domain/metrics/answer-meaning.ts'
import type { MetricQuery } from '../../domain/metrics/metric-query.ts'
import type { SemanticLayer } from '../../domain/metrics/semantic-layer.ts'
import { renderQuery } from '../../sql/render/render-query.ts'
import type { QueryTree } from '../../sql/tree/query-tree.ts'
import { compileFigures } from './figures.ts'
import { indexLayer, type LayerIndex } from './layer-index.ts'
import { compileMeanPerPeriod } from './mean-per-period.ts'
import { compileRows } from './rows.ts'
import { UncompilableError } from './scope.ts'

/** A metric query as a statement, and what its columns mean, in their order. */
export interface CompiledQuery {
  readonly query: QueryTree
  readonly columns: readonly ColumnMeaning[]
}

/** A compiled statement as text; `problem` says why there is none. */
export type CompiledSql =
  | { readonly ok: true; readonly sql: string; readonly columns: readonly ColumnMeaning[] }
  | { readonly ok: false; readonly problem: string }

/** Compiles metric queries over one layer and catalog. */
export type CompileMetricQuery = (
  query: MetricQuery,
  asked: { readonly timeZone: string; readonly today: string },
) => CompiledSql

/**
 * Makes the compiler of a layer: one statement a query, in the catalog's dialect. No row counts twice: each measure is
 * aggregated over the rows of its own model, what lies on the side of many rows is a condition or a list of distinct
 * values, and figures of several models are put together after they were aggregated. Ratios are ratios of totals, and a
 * division by 0 is NULL.
 */
export const makeCompileMetricQuery = (layer: SemanticLayer, catalog: Catalog): CompileMetricQuery => {
  const index: LayerIndex = indexLayer(layer, catalog)
  return (query, { timeZone, today }) => {
    const context = { index, dialect: catalog.dialect, timeZone, today }
    try {
      const { query: tree, columns } = compilerOf(query)(query, context)
      return { ok: true, sql: renderQuery(tree, catalog.dialect), columns }
    } catch (error) {
      if (error instanceof UncompilableError) return { ok: false, problem: error.message }
      throw error
    }
  }
}

const compilerOf = ({ rowsOf, running }: MetricQuery) =>
  rowsOf !== null ? compileRows : running?.kind === 'mean' ? compileMeanPerPeriod : compileFigures
