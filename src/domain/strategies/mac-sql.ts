import { z } from 'zod'
import { statementReply } from './replies.ts'
import {
  agentModelsSetting,
  confidenceSetting,
  countSetting,
  switchSetting,
  temperatureSetting,
} from './settings.ts'

/** Settings of MAC-SQL (Wang et al., section 3); the defaults are the paper's. */
export const macSqlSettings = z.strictObject({
  selector: switchSetting(
    'Whether the selector cuts large schemas. Off: the decomposer sees what schema linking keeps.',
  ),
  columnsPerTable: countSetting(1, 1000, {
    description: 'Schemas with at most this many columns a table on average, and few in all, are not cut.',
    standard: 6,
  }),
  columnsInAll: countSetting(1, 10_000, {
    description: 'Schemas with at most this many columns in all, and few a table, are not cut.',
    standard: 30,
  }),
  keptColumns: countSetting(1, 100, {
    description: 'Columns that the selector keeps of a table that it cuts, besides keys.',
    standard: 6,
  }),
  keptTables: countSetting(1, 100, { description: 'Tables that the selector keeps at least.', standard: 3 }),
  shots: countSetting(0, 2, { description: 'Worked examples that the decomposer is shown.', standard: 2 }),
  refinements: countSetting(0, 10, {
    description: 'How often the refiner may mend a statement. 0: never.',
    standard: 3,
  }),
  temperature: temperatureSetting('The temperature of the decomposer.'),
  models: agentModelsSetting(['selector', 'decomposer', 'refiner']),
  confidence: confidenceSetting(0.6, '0.6, the accuracy that the paper reports on the test set of BIRD'),
})

export type MacSqlSettings = z.output<typeof macSqlSettings>

/** What the agents of MAC-SQL reply. */
export const macSqlReplies = {
  'mac-sql-selection': z.object({
    tables: z
      .array(
        z.object({
          table: z.string().describe('A table of the schema, as it is written there.'),
          keep: z.enum(['keep_all', 'drop_all', 'columns']),
          columns: z
            .array(z.string())
            .default([])
            .describe('For columns: the most relevant first. Else empty.'),
        }),
      )
      .describe('Every table of the schema.'),
  }),
  'mac-sql-decomposition': z.object({
    steps: z
      .array(
        z.object({
          question: z.string().describe('A sub-question; the last one is the question itself.'),
          sql: z.string().describe('The statement that answers it, built on the ones before.'),
        }),
      )
      .describe('From the simplest sub-question to the whole question. One step for a simple question.'),
    ...statementReply,
  }),
  'mac-sql-refinement': z.object({
    cause: z.string().describe('Why the statement went wrong. One or two sentences.'),
    ...statementReply,
  }),
} as const
