import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { openDatabase } from '../../src/databases/open-database.ts'
import type { Database } from '../../src/domain/database.ts'
import { QuerentError, SqlError } from '../../src/domain/errors.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import { makeCachedRunStatement, type RunStatement } from '../../src/evaluation/evaluation-database.ts'
import { indexSchema } from '../../src/parser/schema/index-schema.ts'
import type { SchemaIndex } from '../../src/parser/schema/schema-index.ts'
import type { Company } from './company-file.ts'
import { makeCompany, withComments } from './make-company.ts'

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
    const reference = { kind: 'sqlite', name: id, file } as const
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
