import pluralize from 'pluralize'
import type { Catalog, Column, Table } from '../domain/catalog.ts'
import type { Database } from '../domain/database.ts'
import type { ParseQuestion } from '../domain/interpretation.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { Clock, UnderstandQuestion } from '../domain/question-context.ts'
import { splitName } from '../lib/fold-text.ts'

const MAX_EXAMPLES = 4

/** More groups than this make a table nobody wants to read. */
const MAX_GROUPS = 30

/**
 * Example questions for a database, from its catalog alone: counts of the largest tables, and counts by a column with
 * few values. `near` are tables that come first. Deterministic.
 */
export const exampleQuestions = (catalog: Catalog, near: readonly string[] = []): readonly string[] => {
  const nearness = ({ name }: Table): number => (near.includes(name) ? near.length - near.indexOf(name) : 0)
  const tables = [...catalog.tables]
    .filter(table => table.type === 'table' && (table.rowCount ?? 0) > 0 && !isCalendar(table))
    .sort(
      (a, b) =>
        nearness(b) - nearness(a) ||
        keysTo(catalog, b) - keysTo(catalog, a) ||
        (b.rowCount ?? 0) - (a.rowCount ?? 0),
    )
  const byGroup = tables.flatMap(table => {
    const column = groupingColumn(table)
    return column ? [`How many ${rowsOf(table)} are there by ${splitName(column.name).join(' ')}?`] : []
  })
  const plain = tables.map(table => `How many ${rowsOf(table)} are there?`)
  return [...plain.slice(0, 1), ...byGroup, ...plain.slice(1)].slice(0, MAX_EXAMPLES)
}

/** The number of keys that point at a table. People ask most about what many things belong to. */
const keysTo = (catalog: Catalog, table: Table): number =>
  catalog.foreignKeys.filter(key => key.to.table === table.name).length

const groupingColumn = (table: Table): Column | undefined =>
  table.columns.find(
    column =>
      column.kind === 'text' &&
      column.profile !== null &&
      column.profile.distinctCount > 1 &&
      column.profile.distinctCount <= MAX_GROUPS &&
      // A column where nearly every row has its own value is a name, and groups nothing.
      column.profile.distinctCount * 2 <= (table.rowCount ?? 0) &&
      !table.primaryKey.includes(column.name),
  )

const prefixes: ReadonlySet<string> = new Set(['dim', 'fact', 'fct', 'tbl', 'stg'])

/** The words of a table's name, without what only says that it is a table: `dim_customer`. */
const nameOf = ({ name }: Table): readonly string[] => {
  const words = splitName(name)
  return words.length > 1 && prefixes.has(words[0] ?? '') ? words.slice(1) : words
}

/** Nobody asks how many days there are. */
const isCalendar = (table: Table): boolean => /^(?:date|day|calendar)s?$/.test(nameOf(table).join(' '))

const rowsOf = (table: Table): string => {
  const words = nameOf(table)
  return [...words.slice(0, -1), pluralize.plural(words.at(-1) ?? '')].join(' ')
}

/** Example questions that were tried: each parses without a model, runs and returns rows. */
export type FindExampleQuestions = (database: Database) => Promise<readonly string[]>

/**
 * Tries the questions once per catalog, one after the other, under the database's guard and caps. Callers meanwhile
 * wait for the same trial.
 */
export const makeFindExampleQuestions = (deps: {
  readonly understand: UnderstandQuestion
  readonly parse: ParseQuestion
  readonly clock: Clock
  readonly log: Log
}): FindExampleQuestions => {
  const tried = new WeakMap<Database['catalog'], Promise<readonly string[]>>()

  const answers = async (question: string, database: Database): Promise<boolean> => {
    const { catalog, findValues } = database
    const understanding = deps.understand(question, deps.clock)
    const [reading] = deps.parse({ understanding, catalog, findValues }, { limit: 1 })
    const verdict = reading && database.guard(reading.sql)
    if (verdict?.verdict !== 'allow') return false
    return (await database.run(verdict.guarded, {})).rows.length > 0
  }

  const tryAll = async (database: Database): Promise<readonly string[]> => {
    const found: string[] = []
    for (const question of exampleQuestions(database.catalog)) {
      const works = await answers(question, database).catch((error: unknown) => {
        deps.log.warn({ error, database: database.name }, 'could not try an example question')
        return false
      })
      if (works) found.push(question)
    }
    return found
  }

  return database => {
    const known = tried.get(database.catalog)
    if (known) return known
    const trying = tryAll(database)
    tried.set(database.catalog, trying)
    return trying
  }
}

/** Questions to try of each form, so that enough of them work. */
const MAX_EACH = 4

/**
 * Starter questions of several forms: counts, counts by group and by month, averages. Not every database can answer all
 * of them, so callers try them first. Deterministic; most useful first.
 */
export const firstQuestions = (catalog: Catalog): readonly string[] => {
  const [plain, ...grouped] = exampleQuestions(catalog)
  const tables = catalog.tables
    .filter(table => table.type === 'table' && (table.rowCount ?? 0) > 1)
    .sort((a, b) => (b.rowCount ?? 0) - (a.rowCount ?? 0))
    .slice(0, MAX_EACH)
  const byMonth = tables
    .filter(table => table.columns.some(({ kind }) => kind === 'date' || kind === 'timestamp'))
    .map(table => `How many ${rowsOf(table)} were there per month?`)
  const averages = tables.flatMap(table => {
    const column = amountColumn(catalog, table)
    return column ? [`What is the average ${splitName(column.name).join(' ')} of ${rowsOf(table)}?`] : []
  })
  const forms = [plain === undefined ? [] : [plain], grouped, byMonth, averages]
  return [...new Set(interleave(forms))]
}

/** Takes one of each form, then the next of each. */
const interleave = (forms: readonly (readonly string[])[]): string[] =>
  Array.from({ length: Math.max(0, ...forms.map(form => form.length)) }, (_, i) =>
    forms.flatMap(form => form.slice(i, i + 1)),
  ).flat()

/** A number column that is neither a key nor constant. */
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
