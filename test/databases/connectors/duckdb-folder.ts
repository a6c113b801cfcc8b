import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect } from 'vitest'
import { makeDuckdbConnector } from '../../../src/databases/connectors/duckdb/connector.ts'
import type { Connector } from '../../../src/domain/database.ts'
import type { QuerentError } from '../../../src/domain/errors.ts'
import { watchProcesses } from './watch-processes.ts'

/** Looks at the child processes that were told of a DuckDB path, which is in the JSON that they are given. */
export const duckdbProcesses = watchProcesses('duckdb/child.ts', (word, path) =>
  word.includes(JSON.stringify(path)),
)

/** What work failed with. The test fails where it did not. */
export const failure = (work: Promise<unknown>): Promise<Pick<QuerentError, 'code' | 'message'>> =>
  work.then(
    () => expect.fail('it did not fail'),
    error => error,
  )

/** A folder for what the test file that calls this asks DuckDB about; it is gone after its last test. */
export const openDuckdbFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'querent-duckdb-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const opened: Connector[] = []
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(connector => connector.close()))
  })
  return {
    folder,
    /** Opens a connector that is closed after the test. */
    open: async (path: string): Promise<Connector> => {
      const connector = await makeDuckdbConnector({ path })
      opened.push(connector)
      return connector
    },
    /** Makes a folder in it with some files, by name and text. */
    makeFolder: (files: Readonly<Record<string, string>>): string => {
      const made = mkdtempSync(join(folder, 'files-'))
      for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text)
      return made
    },
  }
}
