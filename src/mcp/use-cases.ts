import type {
  AskAsCaller,
  ListMetricsAsCaller,
  ListVerifiedAsCaller,
  QueryMetricAsCaller,
  ReplyAsCaller,
  RunSqlAsCaller,
  SearchSchemaAsCaller,
} from '../domain/operations/caller.ts'

/** Everything that tools can call. Each tool parses, calls one of these, and puts the result in words. */
export interface McpUseCases {
  readonly ask: AskAsCaller
  readonly reply: ReplyAsCaller
  readonly searchSchema: SearchSchemaAsCaller
  readonly listMetrics: ListMetricsAsCaller
  readonly queryMetric: QueryMetricAsCaller
  readonly runSql: RunSqlAsCaller
  readonly listVerified: ListVerifiedAsCaller
}
