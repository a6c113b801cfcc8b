import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeSqliteConnector } from '../../../../src/databases/connectors/sqlite/connector.ts'
import type { SafeguardSubject } from './safeguard-subject.ts'

/** The bytes of the file, and what lies beside it. A file knows no users: there is one case. */
export const openSqlite = async (): Promise<SafeguardSubject> => {
  const home = mkdtempSync(join(tmpdir(), 'querent-wall-'))
  const file = join(home, 'wall.sqlite')
  const database = new DatabaseSync(file)
  database.exec(`
    create table pets (id integer primary key, name text);
    insert into pets values (1, 'Rex'), (2, 'Tom');
    create table t (a); insert into t values (1);
  `)
  database.close()
  const connector = await makeSqliteConnector({ file })
  return {
    connector,
    look: async () =>
      JSON.stringify([createHash('sha256').update(readFileSync(file)).digest('hex'), readdirSync(home)]),
    close: async () => {
      await connector.close()
      rmSync(home, { recursive: true })
    },
  }
}
