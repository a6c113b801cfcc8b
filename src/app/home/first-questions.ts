import type { Catalog, Column, Table } from '../../core/catalog.ts'
import { splitName } from '../../lib/split-name.ts'
import { exampleQuestions } from './example-questions.ts'

/** Questions of each form that are worth trying: whoever asks for five needs some to spare. */
const MAX_EACH = 4

/**
 * Questions that somebody may begin with, of several forms: counts, counts by group and by month, averages. Not all can
 * be answered in every database: whoever shows them tries them first. Deterministic; the most telling ones come first.
 */
export const firstQuestions = (catalog: Catalog): readonly string[] => {
  const [plain, ...grouped] = exampleQuestions(catalog)
  const tables = catalog.tables
    .filter(table => table.type === 'table' && (table.rowCount ?? 0) > 1)
    .sort((a, b) => (b.rowCount ?? 0) - (a.rowCount ?? 0))
    .slice(0, MAX_EACH)
  const byMonth = tables
    .filter(table => table.columns.some(({ kind }) => kind === 'date' || kind === 'timestamp'))
    .map(table => `How many ${spacedName(table.name)} were there per month?`)
  const averages = tables.flatMap(table => {
    const column = amountColumn(catalog, table)
    return column ? [`What is the average ${spacedName(column.name)} of ${spacedName(table.name)}?`] : []
  })
  const forms = [plain === undefined ? [] : [plain], grouped, byMonth, averages]
  return [...new Set(interleave(forms))]
}

/** One of each form, then the next of each. */
const interleave = (forms: readonly (readonly string[])[]): string[] =>
  Array.from({ length: Math.max(0, ...forms.map(form => form.length)) }, (_, i) =>
    forms.flatMap(form => form.slice(i, i + 1)),
  ).flat()

/** A number that is neither a key nor the same everywhere. */
const amountColumn = (catalog: Catalog, table: Table): Column | undefined => {
  const keys = new Set([
    ...table.primaryKey,
    ...catalog.foreignKeys
      .filter(({ from }) => from.table === table.name)
      .flatMap(({ from }) => from.columns),
  ])
  return table.columns.find(
    ({ name, kind, profile }) =>
      (kind === 'number' || kind === 'integer') &&
      !keys.has(name) &&
      !/(^|_)(id|key|code|number|year)$/i.test(name) &&
      (profile?.distinctCount ?? 0) > 2,
  )
}

const spacedName = (name: string): string => splitName(name).join(' ')
