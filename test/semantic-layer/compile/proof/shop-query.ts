import {
  type DateUnit,
  type DimensionRef,
  emptyMetricQuery,
  type GroupKey,
  type MetricFilter,
  type MetricPeriod,
  type MetricQuery,
  type MetricUse,
} from '../../../../src/domain/metrics/metric-query.ts'
import type { SemanticLayer } from '../../../../src/domain/metrics/semantic-layer.ts'
import type { Dialect } from '../../../../src/domain/sql.ts'
import {
  type CompiledSql,
  makeCompileMetricQuery,
} from '../../../../src/semantic-layer/compile/compile-metric-query.ts'
import { shopCatalog } from './shop-catalog.ts'
import { shopLayer, shopToday } from './shop-layer.ts'

/** Compiles a query over the shop; what is not given is empty. */
export const compileShop = (
  query: Partial<MetricQuery>,
  {
    dialect = 'postgres',
    layer = shopLayer,
  }: { readonly dialect?: Dialect; readonly layer?: SemanticLayer } = {},
): CompiledSql =>
  makeCompileMetricQuery(layer, shopCatalog(dialect))(
    { ...emptyMetricQuery, ...query },
    { timeZone: 'Europe/Berlin', today: shopToday },
  )

/** The statement of a query, or why there is none. */
export const shopSql = (
  query: Partial<MetricQuery>,
  options: Parameters<typeof compileShop>[1] = {},
): string => {
  const compiled = compileShop(query, options)
  return compiled.ok ? compiled.sql : compiled.problem
}

export const metric = (name: string, ...filters: readonly MetricFilter[]): MetricUse => ({
  kind: 'named',
  metric: name,
  filters,
})

/** A dimension by `model.dimension`, along joins with spaces between them. */
export const ref = (name: string, via: string | null = null): DimensionRef => {
  const [model, dimension] = name.split('.') as [string, string]
  return { model, dimension, via: via === null ? null : via.split(' ') }
}

export const by = (name: string, via: string | null = null): GroupKey => ({
  kind: 'dimension',
  at: ref(name, via),
})

export const each = (model: string, via: string | null = null): GroupKey => ({
  kind: 'model',
  model,
  via: via === null ? null : via.split(' '),
})

export const every = (grain: DateUnit, at: DimensionRef | null = null): GroupKey => ({
  kind: 'grain',
  at,
  grain,
})

export const is = (name: string, ...values: readonly (string | number | boolean)[]): MetricFilter => ({
  kind: 'values',
  at: ref(name),
  values,
  negated: false,
})

export const isNot = (name: string, ...values: readonly (string | number | boolean)[]): MetricFilter => ({
  kind: 'values',
  at: ref(name),
  values,
  negated: true,
})

export const days = (
  from: string | null,
  until: string | null,
  at: DimensionRef | null = null,
): MetricPeriod => ({
  from,
  until,
  at,
  phrase: '',
})
