import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDuckdbConnector } from '../../../../src/databases/connectors/duckdb/connector.ts'
import { makeDuckdbFile } from '../../../helpers/duckdb-file.ts'
import type { SafeguardSubject } from './safeguard-subject.ts'

/** The bytes of the file, and what lies beside it and in `folder`. A file knows no users: there is one case. */
export const openDuckdb = async (folder: string): Promise<SafeguardSubject> => {
  const home = mkdtempSync(join(tmpdir(), 'querent-wall-'))
  const file = join(home, 'wall.duckdb')
  await makeDuckdbFile(
    file,
    `create table trips (a integer, b varchar); insert into trips values (1, 'x'), (2, 'y');
     create table secrets (a integer); insert into secrets values (1);
     create table t (a integer); insert into t values (1); create sequence s`,
  )
  // Beside the database, where a statement would find it if it could look.
  writeFileSync(join(home, 'trips.csv'), 'a,b\n1,2\n')
  const connector = await makeDuckdbConnector({ path: file })
  return {
    connector,
    look: async () =>
      JSON.stringify([
        createHash('sha256').update(readFileSync(file)).digest('hex'),
        readdirSync(home).sort(),
        readdirSync(folder),
      ]),
    close: async () => {
      await connector.close()
      rmSync(home, { recursive: true })
    },
  }
}
