import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** A real SQLite file made from statements, in a folder of its own that `remove` deletes. */
export const makeSqliteFile = (statements: string): { readonly file: string; remove(): void } => {
  const folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
  const file = join(folder, 'test.sqlite')
  const database = new DatabaseSync(file)
  // Each statement is a commit, and none has to outlive a power cut.
  database.exec(`pragma synchronous = off; ${statements}`)
  database.close()
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
