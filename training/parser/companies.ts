import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parse } from 'yaml'
import { z } from 'zod'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { openDatabase } from '../../src/databases/open-database.ts'
import type { Catalog } from '../../src/domain/catalog.ts'
import type { Database } from '../../src/domain/database.ts'
import { QuerentError, SqlError } from '../../src/domain/errors.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import { makeCachedRunStatement, type RunStatement } from '../../src/evaluation/evaluation-database.ts'
import { seededRandom } from '../../src/evaluation/statistics.ts'
import { splitName } from '../../src/lib/fold-text.ts'
import { indexSchema } from '../../src/parser/schema/index-schema.ts'
import type { SchemaIndex } from '../../src/parser/schema/schema-index.ts'

/** A database that is open for training. */
export interface TrainingDatabase extends Pick<Database, 'catalog' | 'findValues'> {
  readonly schema: SchemaIndex
  /** Runs a statement under the guard and the time limit. */
  readonly runner: () => RunStatement
  readonly close: () => Promise<void>
}

export interface TrainingDatabases {
  /** Folder with DB.sqlite or DB/DB.sqlite for the databases of questions files. */
  readonly folder: string
  readonly companies: readonly Company[]
  /** Folder of our own for the companies' files and the indexes. */
  readonly scratch: string
  readonly today: Date
  readonly seed: number
}

const TIMEOUT_MS = 10_000

const limits = { timeoutMs: TIMEOUT_MS, maxRows: 200_000, maxBytes: 256 * 1024 * 1024 }

/** Makes the opener of databases by id; a company is asked for as `company:NAME`, and written when first opened. */
export const makeOpenTrainingDatabase = (databases: TrainingDatabases) => {
  const guard = makeGuard()
  return async (id: string): Promise<TrainingDatabase> => {
    const company = databases.companies.find(({ name }) => companyId(name) === id)
    const file = company ? join(databases.scratch, `${company.name}.sqlite`) : fileOf(databases.folder, id)
    if (company && !existsSync(file)) makeCompany(company, file, databases.today, databases.seed)
    const reference = { dialect: 'sqlite', name: id, location: file } as const
    const { database, close } = await openDatabase(reference, {
      audit: silentAudit,
      guard,
      limits,
      cacheFolder: join(databases.scratch, 'index'),
    })
    const catalog = company ? withComments(database.catalog, company) : database.catalog
    const execute: Parameters<typeof makeCachedRunStatement>[0]['execute'] = async (sql, options) => {
      const verdict = database.guard(sql)
      if (verdict.verdict === 'refuse') throw new SqlError('refused', verdict.reason)
      return database.run(verdict.guarded, options)
    }
    const { signal } = new AbortController()
    return {
      catalog,
      findValues: database.findValues,
      schema: indexSchema(catalog),
      runner: () => makeCachedRunStatement({ execute }, { signal, timeoutMs: TIMEOUT_MS }),
      close,
    }
  }
}

/** What a company's database is called among those of questions files. */
export const companyId = (name: string): string => `company:${name}`

const fileOf = (folder: string, id: string): string => {
  const files = [join(folder, `${id}.sqlite`), join(folder, id, `${id}.sqlite`)].map(file => resolve(file))
  const found = files.find(file => existsSync(file))
  if (!found) throw new QuerentError('bad-arguments', `No database ${id}: neither ${files.join(' nor ')}.`)
  return found
}

const DAY = 24 * 60 * 60 * 1000

const DAYS_BACK = 900

/** So many of a table's last rows are pointed at by nobody: "customers who never ordered" has an answer. */
const POINTED_AT_BY_NOBODY = 3

/** Writes a company's tables with rows drawn from the seed, the newest of them on `today`, as a SQLite file. */
export const makeCompany = (company: Company, file: string, today: Date, seed: number): void => {
  const random = seededRandom(seed)
  const rowsOf = new Map(company.tables.map(table => [table.name, table.rows]))
  const below = (count: number): number => Math.floor(random() * count)
  const daysBack = (): string => new Date(today.getTime() - below(DAYS_BACK) * DAY).toISOString().slice(0, 10)

  const draw = (column: CompanyColumn, row: number): string | number | null => {
    const { from = 0, to = from + 1 } = column
    if (column.key) return row
    if (column.nullable && random() < 0.25) return null
    if (column.references)
      return 1 + below(Math.max(1, (rowsOf.get(column.references) ?? 0) - POINTED_AT_BY_NOBODY))
    if (column.values) return column.values[below(column.values.length)] ?? null
    switch (column.type) {
      case 'integer':
        return from + below(to - from + 1)
      case 'numeric':
        return Math.floor((from + random() * (to - from)) * 100) / 100
      case 'date':
        return daysBack()
      case 'timestamp':
      case 'timestamptz':
        return `${daysBack()} 10:00:00`
      case 'text':
        return `${column.name} ${below(50)}`
      default: {
        const never: never = column.type
        return never
      }
    }
  }

  const database = new DatabaseSync(file)
  // Nobody needs the file after a power cut, and a commit a row waits for the disk a thousand times.
  database.exec('pragma synchronous = off; begin')
  for (const { name, columns, rows } of company.tables) {
    database.exec(`create table ${name} (${columns.map(declaration).join(', ')})`)
    const insert = database.prepare(`insert into ${name} values (${columns.map(() => '?').join(', ')})`)
    for (let row = 1; row <= rows; row++) insert.run(...columns.map(column => draw(column, row)))
  }
  database.exec('commit')
  database.close()
}

const declaration = ({ name, type, key, references }: CompanyColumn): string =>
  `${name} ${type}${key ? ' primary key' : ''}${references ? ` references ${references}` : ''}`

/** The catalog with the company's comments, which SQLite has no place for. */
export const withComments = (catalog: Catalog, company: Company): Catalog => ({
  ...catalog,
  tables: catalog.tables.map(table => {
    const written = company.tables.find(({ name }) => name === table.name)
    const comments = new Map(written?.columns.map(column => [column.name, column.comment]))
    const columns = table.columns.map(column => ({ ...column, comment: comments.get(column.name) ?? null }))
    return { ...table, comment: written?.comment ?? null, columns }
  }),
})

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

/** A question that its database cannot answer, as far as words tell. */
export interface Unanswerable {
  readonly question: string
  readonly database: string
}

/** What a question is made unanswerable from. */
export interface Answerable extends Unanswerable {
  readonly catalogs: ReadonlyMap<string, Catalog>
  /** From 0 to 1. */
  readonly random: () => number
}

const adjectives =
  `active premium retired blue foreign digital rural urgent local seasonal certified inactive vintage
  wooden organic annual private junior spicy suspended loyal returning vegetarian wireless overdue bankrupt refurbished
  anonymous`.split(/\s+/)

const additions = ['with a', 'of the', 'per', 'without', 'and the', 'in each', 'who own a', 'by']

/**
 * Takes the question to another database, or puts an adjective before a table's name that the database knows nothing
 * of, or adds a thing that only another database has. Null where that does not work for this question.
 */
export const makeUnanswerable = (answerable: Answerable): Unanswerable | null => {
  const { question, database, catalogs, random } = answerable
  const others = [...catalogs.keys()].filter(id => id !== database)
  const other = pick(others, random)
  const own = catalogs.get(database)
  if (other === undefined || !own) return null
  const kind = random()
  if (kind < 0.25) return { question, database: other }
  const changed =
    kind < 0.6 ? describe(question, own, random) : add(question, own, catalogs.get(other)!, random)
  return changed === null ? null : { question: changed, database }
}

const pick = <Item>(items: readonly Item[], random: () => number): Item | undefined =>
  items[Math.floor(random() * items.length)]

const singular = (word: string): string =>
  word
    .toLowerCase()
    .replace(/[^a-z_]/g, '')
    .replace(/s$/, '')

const describe = (question: string, { tables }: Catalog, random: () => number): string | null => {
  const adjective = pick(adjectives, random)!
  const words = question.split(' ')
  const at = words.findIndex(
    (word, i) => i > 0 && tables.some(({ name }) => singular(name) === singular(word)),
  )
  return at < 0 ? null : words.toSpliced(at, 0, adjective).join(' ')
}

const add = (question: string, own: Catalog, other: Catalog, random: () => number): string | null => {
  const nouns = other.tables.map(({ name }) => name.toLowerCase()).filter(name => /^[a-z]{4,}$/.test(name))
  const noun = pick(nouns, random)
  if (noun === undefined) return null
  const known = own.tables
    .flatMap(({ name, columns }) => [name, ...columns.map(column => column.name)])
    .flatMap(name => splitName(name))
    .map(word => word.toLowerCase())
  const isKnown = known.some(
    word => word.length > 2 && (word.startsWith(noun.slice(0, 5)) || noun.startsWith(word.slice(0, 5))),
  )
  if (isKnown) return null
  const [end = ''] = /[?.\s]*$/.exec(question) ?? []
  return `${question.slice(0, question.length - end.length)} ${pick(additions, random)} ${noun}${end}`
}
