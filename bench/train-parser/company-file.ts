import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const name = z.string().regex(/^[a-z_]+$/)
const columnSchema = z.strictObject({
  name,
  type: z.enum(['integer', 'numeric', 'text', 'date', 'timestamp', 'timestamptz']),
  /** Numbered from 1. */
  key: z.boolean().default(false),
  /** One in four is null. */
  nullable: z.boolean().default(false),
  /** The table whose key it holds. */
  references: name.optional(),
  comment: z.string().nullable().default(null),
  /** Drawn from these, or from the numbers `from` to `to`, or from the last 900 days, or made-up words. */
  values: z.array(z.union([z.string(), z.number()])).optional(),
  from: z.number().optional(),
  to: z.number().optional(),
})
const companySchema = z.strictObject({
  name,
  about: z.string(),
  tables: z.array(
    z.strictObject({
      name,
      comment: z.string().nullable().default(null),
      rows: z.number().int().positive(),
      columns: z.array(columnSchema),
    }),
  ),
  /** `sql`: every statement whose rows are a right answer, asked on 20 November 2026. */
  questions: z.array(z.strictObject({ question: z.string(), sql: z.array(z.string()).min(1) })),
})

/** An invented company: its tables, how their rows are drawn, and questions with their right answers. */
export type Company = z.output<typeof companySchema>
export type CompanyColumn = z.output<typeof columnSchema>

/** All companies of a folder, by name. Throws where a file is not one. */
export const readCompanies = (folder: string): Company[] =>
  readdirSync(folder)
    .filter(file => file.endsWith('.yml'))
    .sort()
    .map(file => companySchema.parse(parse(readFileSync(join(folder, file), 'utf8'))))
