import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeSqliteConnector } from '../../../src/databases/connectors/sqlite/connector.ts'
import { makeRunQuery } from '../../../src/databases/run-query.ts'
import type { Connector, RunQuery } from '../../../src/domain/database.ts'

/** A real SQLite file with a connector on it, gone when the test is done. */
export interface MadeDatabase extends AsyncDisposable {
  readonly file: string
  readonly connector: Connector
  readonly run: RunQuery
}

export const limits = { timeoutMs: 20_000, maxRows: 100_000, maxBytes: 20_000_000 }

export const makeSqliteFile = (sql: string): { readonly file: string; readonly remove: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), 'querent-catalog-'))
  const file = join(folder, 'made.sqlite')
  const database = new DatabaseSync(file)
  // Each statement is a commit, and none has to outlive a power cut.
  database.exec(`pragma synchronous = off; ${sql}`)
  database.close()
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export const makeDatabase = async (sql: string): Promise<MadeDatabase> => {
  const { file, remove } = makeSqliteFile(sql)
  const connector = await makeSqliteConnector({ file, processes: 1 })
  return {
    file,
    connector,
    run: makeRunQuery({ connector, limits }),
    [Symbol.asyncDispose]: async () => {
      await connector.close()
      remove()
    },
  }
}
