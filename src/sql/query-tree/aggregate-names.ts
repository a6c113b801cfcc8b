import type { AggregateName } from './query-tree.ts'

/** The functions of all dialects that aggregate, by their names in lower case. */
export const aggregateNames: ReadonlyMap<string, AggregateName> = new Map(
  Object.entries({
    count: 'count',
    count_star: 'count',
    approx_distinct: 'count',
    sum: 'sum',
    total: 'sum',
    avg: 'avg',
    mean: 'avg',
    min: 'min',
    max: 'max',
    median: 'median',
    stddev: 'deviation',
    stddev_pop: 'deviation',
    stddev_samp: 'deviation',
    group_concat: 'listed',
    string_agg: 'listed',
    array_agg: 'listed',
    list: 'listed',
    json_agg: 'listed',
    jsonb_agg: 'listed',
    json_arrayagg: 'listed',
    json_group_array: 'listed',
  } as const),
)
