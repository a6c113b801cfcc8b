import { formatCount } from './phrases.ts'

/** What `guard` writes besides verdicts. */
export const guardCopy = {
  unknownDialect: (given: string, known: readonly string[]): string =>
    `There is no dialect “${given}”. Use one of ${known.join(', ')}.`,
  otherDialect: (asked: string, spoken: string): string =>
    `it is ${asked}, but the database speaks ${spoken}`,
  badLine: (number: number, dialects: readonly string[]): string =>
    `Line ${number} must be {"id": ..., "sql": "...", "dialect": "..."}. The dialect may be left out, or is one of ${dialects.join(', ')}.`,
} as const

/** What `index` writes. */
export const indexCopy = {
  report: (tables: number, columns: number, values: number, milliseconds: number): string =>
    `${formatCount(tables, 'table')}, ${formatCount(columns, 'column')} and ${formatCount(values, 'value')} in ${(milliseconds / 1000).toFixed(1)} s`,
  size: 'value index',
  megabytes: (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`,
  needsModel: '--describe needs a model. Name one with --model, or set models.describer in querent.yml.',
  described: (tables: number, columns: number, file: string): string =>
    `Described ${formatCount(tables, 'table')} and ${formatCount(columns, 'column')} in ${file}. Read it, correct it, commit it.`,
  usage: (calls: number, tokens: number): string =>
    `${formatCount(calls, 'model call')}, ${formatCount(tokens, 'token')}`,
  notDescribedTitle: 'Not described:',
  notDescribed: (table: string, why: string): string => `${table}: ${why}`,
  keysTitle: 'Foreign keys found by names and values, not declared in the schema:',
  key: (from: string, to: string, share: number): string =>
    `${from} -> ${to} (${Math.floor(share * 100)}% of the values match)`,
  omittedTitle: 'Not indexed:',
  omitted: (what: string, why: string): string => `${what}: ${why}`,
  problemsTitle: "Ignored, because it is wrong in the team's knowledge:",
  problem: (file: string, line: number, message: string): string => `${file}:${line}: ${message}`,
  more: (count: number): string => `and ${count} more`,
} as const

/** What `values` writes. */
export const valuesCopy = {
  none: 'No value of this database matches the keyword.',
  head: ['score', 'table', 'column', 'value'],
} as const
