import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { NamedQuery } from '../../domain/metrics/named-query.ts'
import type { CallerRows } from '../../domain/operations/caller.ts'
import { resultCopy, toolCopy } from '../copy.ts'
import { inertMarkdown, sqlLines, tableData, tableLines } from '../render.ts'
import { describe, titled } from './schema.ts'
import {
  addTool,
  databaseArgument,
  notAllowedResult,
  searchArgument,
  type ToolDeps,
  textResult,
} from './tool.ts'

const MOST_SQL_CHARACTERS = 50_000

const name = z.string().min(1).max(200)

const names = z.array(name).max(20).default([])

const value = z.union([z.string().max(500), z.number(), z.boolean()])

const test = z.object({
  at: name,
  is: z.enum([
    ...['=', '<>', '<', '<=', '>', '>='],
    ...['contains', 'starts', 'ends', 'missing', 'present', 'in', 'not in'],
  ] as const),
  values: z.array(value).max(50).default([]),
})

const tests = z.array(test).max(20).default([])

const sign = z.enum(['=', '<>', '<', '<=', '>', '>='])

const condition = z.union([
  test,
  z.object({ any: z.array(test).min(1).max(20) }),
  z.object({ related: name, are: z.enum(['some', 'none']), where: tests }),
  z.object({ each: name, figure: name, is: sign, value: z.number() }),
])

const figure = z.object({ figure: name, where: tests })

const days = z.object({
  from: z.string().nullable().default(null),
  until: z.string().nullable().default(null),
})

const { queryMetric: about } = toolCopy

/** A metric query; what is left out asks for nothing. */
const metricInput = {
  metrics: z
    .array(z.union([name, figure.extend({ per: z.union([name, figure]).optional() })]))
    .max(10)
    .default([])
    .describe(about.metrics),
  by: names.describe(about.by),
  where: z.array(condition).max(20).default([]).describe(about.where),
  period: days.extend({ date: name.optional() }).optional().describe(about.period),
  compare: z
    .union([z.enum(['previous', 'year']), days])
    .optional()
    .describe(about.compare),
  rows: name.optional().describe(about.rows),
  show: names.describe(about.show),
  share: name.optional().describe(about.share),
  running: name.optional().describe(about.running),
  having: z
    .array(z.object({ figure: name, is: sign, value: z.number() }))
    .max(10)
    .default([])
    .describe(about.having),
  sort: z
    .array(z.object({ by: name, direction: z.enum(['asc', 'desc']).default('desc') }))
    .max(10)
    .default([])
    .describe(about.sort),
  limit: z.int().min(1).max(10_000).optional().describe(about.limit),
  limitPer: names.describe(about.limitPer),
} as const

const rowsOutput = {
  database: z.string(),
  headline: z.string(),
  columns: z.array(z.object({ name: z.string(), label: z.string(), unit: z.string().nullable() })),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  rowCount: z.number(),
  truncated: z.boolean(),
  assumptions: z.array(z.string()),
  sql: z.string(),
} as const

/** `list_metrics`, `query_metric` and `run_sql`: figures by name, and statements of one's own. */
export const addStatementTools = (deps: ToolDeps): void => {
  const { useCases } = deps
  addTool(deps, {
    name: 'list_metrics',
    ...toolCopy.listMetrics,
    input: { search: searchArgument, database: databaseArgument },
    output: layerOutput,
    run: async ({ search = '', database: named }, { caller, signal }) => {
      const given = { words: search, database: named ?? null }
      const listed = await useCases.listMetrics(caller, given, { signal })
      if (listed.status === 'not-allowed') return notAllowedResult(listed)
      const { database, layer } = listed
      const lines = [
        `**${resultCopy.layer(layer.metrics.length, layer.models.length, database)}**`,
        ...titled(
          resultCopy.metrics,
          layer.metrics.map(
            one =>
              `- ${one.name}${labelOf(one)}${unitOf(one.unit)}: ${one.description ?? one.meaning}${one.status === 'proposed' ? ` (${resultCopy.proposed})` : ''}`,
          ),
        ),
        ...titled(
          resultCopy.models,
          layer.models.flatMap(model => [
            `- ${model.name}${describe(model.description)}`,
            ...model.dimensions.map(
              one =>
                `  - ${model.name}.${one.name}${labelOf(one)} ${one.type}${unitOf(one.unit)}${one.values.length === 0 ? '' : `, one of ${one.values.join(', ')}`}${describe(one.description)}`,
            ),
          ]),
        ),
        ...titled(
          resultCopy.segments,
          layer.segments.map(one => `- ${one.name}: ${one.description ?? one.meaning}`),
        ),
      ]
      return textResult(lines.map(inertMarkdown), { database, ...layer })
    },
  })
  addTool(deps, {
    name: 'query_metric',
    ...{ title: about.title, description: about.description },
    input: { ...metricInput, database: databaseArgument },
    output: rowsOutput,
    run: async ({ database, ...given }, { caller, signal }) =>
      showRows(
        await useCases.queryMetric(
          caller,
          { query: toNamedQuery(given), database: database ?? null },
          { signal },
        ),
      ),
  })
  addTool(deps, {
    name: 'run_sql',
    ...{ title: toolCopy.runSql.title, description: toolCopy.runSql.description },
    input: {
      sql: z.string().min(1).max(MOST_SQL_CHARACTERS).describe(toolCopy.runSql.sql),
      database: databaseArgument,
    },
    output: rowsOutput,
    run: async ({ sql, database }, { caller, signal }) =>
      showRows(await useCases.runSql(caller, { sql, database: database ?? null }, { signal })),
  })
}

const nullableText = z.string().nullable()

const layerOutput = {
  database: z.string(),
  metrics: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      synonyms: z.array(z.string()),
      description: nullableText,
      meaning: z.string(),
      unit: nullableText,
      models: z.array(z.string()),
      status: z.enum(['accepted', 'proposed']),
    }),
  ),
  models: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      description: nullableText,
      timeDimension: nullableText,
      joins: z.array(z.object({ name: z.string(), to: z.string() })),
      dimensions: z.array(
        z.object({
          name: z.string(),
          label: z.string(),
          description: nullableText,
          type: z.string(),
          unit: nullableText,
          values: z.array(z.union([z.string(), z.number(), z.boolean()])),
        }),
      ),
    }),
  ),
  segments: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      description: nullableText,
      model: z.string(),
      meaning: z.string(),
    }),
  ),
} as const

const labelOf = ({ name, label }: { readonly name: string; readonly label: string }): string =>
  label.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '_') === name ? '' : ` “${label}”`

const unitOf = (unit: string | null): string => (unit === null ? '' : `, in ${unit}`)

type MetricInput = z.output<z.ZodObject<typeof metricInput>>

const toNamedQuery = ({
  metrics,
  period,
  compare,
  rows,
  share,
  running,
  limit,
  ...given
}: MetricInput): NamedQuery => {
  const toFigure = (one: string | z.output<typeof figure>) =>
    typeof one === 'string' ? { figure: one, where: [] } : one
  return {
    ...given,
    metrics: metrics.map(one => {
      if (typeof one === 'string') return { figure: one, where: [], per: null }
      return { ...toFigure(one), per: one.per === undefined ? null : toFigure(one.per) }
    }),
    period: period ? { from: period.from, until: period.until, date: period.date ?? null } : null,
    compare: compare ?? null,
    rows: rows ?? null,
    share: share ?? null,
    running: running ?? null,
    limit: limit ?? null,
  }
}

const showRows = (rows: CallerRows): CallToolResult => {
  if (rows.status !== 'ran') return notAllowedResult(rows)
  const { database, headline, table, sql, assumptions } = rows
  const shown = tableLines(table)
  const lines = [
    `**${inertMarkdown(headline)}**`,
    ...(shown.length === 0 ? [] : ['', ...shown, '']),
    ...assumptions.map(resultCopy.assumed).map(inertMarkdown),
    ...sqlLines(sql),
  ]
  return textResult(lines, { database, headline, assumptions, sql, ...tableData(table) })
}
