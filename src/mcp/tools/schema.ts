import { z } from 'zod'
import { resultCopy, toolCopy } from '../copy.ts'
import { inertMarkdown, sqlLines } from '../render.ts'
import {
  addTool,
  databaseArgument,
  notAllowedResult,
  searchArgument,
  type ToolDeps,
  textResult,
} from './tool.ts'

/** `search_schema` and `list_verified_queries`: what there is to ask with SQL. */
export const addSchemaTools = (deps: ToolDeps): void => {
  const { useCases } = deps
  addTool(deps, {
    name: 'search_schema',
    ...toolCopy.searchSchema,
    input: { search: searchArgument, database: databaseArgument },
    output: {
      database: z.string(),
      databases: z.array(z.string()),
      tableCount: z.number(),
      tables: z.array(
        z.object({
          name: z.string(),
          type: z.enum(['table', 'view']),
          rowCount: z.number().nullable(),
          description: z.string().nullable(),
          columns: z
            .array(
              z.object({
                name: z.string(),
                type: z.string(),
                description: z.string().nullable(),
                isMasked: z.boolean(),
              }),
            )
            .optional(),
        }),
      ),
      joins: z.array(z.string()),
      values: z.array(
        z.object({ table: z.string(), column: z.string(), value: z.string(), score: z.number() }),
      ),
    },
    run: async ({ search = '', database }, { caller, signal }) => {
      const found = await useCases.searchSchema(
        caller,
        { words: search, database: database ?? null },
        { signal },
      )
      if (found.status === 'not-allowed') return notAllowedResult(found)
      const { tables, tableCount, databases } = found
      const joins = found.keys.map(
        ({ from, to }) =>
          `${from.table}(${from.columns.join(', ')}) -> ${to.table}(${to.columns.join(', ')})`,
      )
      const values = found.values.map(({ table, column, value, score }) => ({ table, column, value, score }))
      const lines = [
        `**${resultCopy.tables(tables.length, tableCount, found.database)}**`,
        ...tables.flatMap(table => [
          `- ${table.name}${table.rowCount === null ? '' : ` (${resultCopy.rows(table.rowCount)})`}${describe(table.description)}`,
          ...(table.columns ?? []).map(
            ({ name, type, description, isMasked }) =>
              `  - ${name} ${type}${isMasked ? `, ${resultCopy.masked}` : ''}${describe(description)}`,
          ),
        ]),
        ...titled(
          resultCopy.joins,
          joins.map(join => `- ${join}`),
        ),
        ...titled(
          resultCopy.values,
          values.map(({ table, column, value }) => `- ${table}.${column} = '${value}'`),
        ),
        ...(databases.length > 1 ? [resultCopy.otherDatabases(databases)] : []),
      ]
      return textResult(lines.map(inertMarkdown), {
        ...{ database: found.database, databases, tableCount, tables, joins, values },
      })
    },
  })
  addTool(deps, {
    name: 'list_verified_queries',
    ...toolCopy.listVerified,
    input: { search: searchArgument, database: databaseArgument },
    output: {
      database: z.string(),
      queries: z.array(z.object({ question: z.string(), sql: z.string() })),
    },
    run: async ({ search = '', database: named }, { caller, signal }) => {
      const given = { words: search, database: named ?? null }
      const listed = await useCases.listVerified(caller, given, { signal })
      if (listed.status === 'not-allowed') return notAllowedResult(listed)
      const { database, queries } = listed
      const lines = [
        `**${resultCopy.verified(queries.length, database)}**`,
        ...queries.flatMap(({ question, sql }) => [`- ${inertMarkdown(question)}`, ...sqlLines(sql)]),
      ]
      return textResult(lines, { database, queries })
    },
  })
}

/** A heading with what belongs to it; nothing if there is nothing. */
export const titled = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`${title}:`, ...lines]

/** A description after what it is about. */
export const describe = (text: string | null): string =>
  text === null || text === '' ? '' : `: ${text.replaceAll(/\s*\n\s*/g, ' ')}`
