import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDuckdbFile } from '../../../helpers/duckdb-file.ts'
import { makeSqliteFile } from '../../../helpers/sqlite-file.ts'
import { describeRepairs } from './describe-repairs.ts'
import { workshopDdl } from './repair-cases.ts'

describeRepairs('sqlite', async () => {
  const { file, remove } = makeSqliteFile(workshopDdl('sqlite').join(';'))
  return { reference: `sqlite:${file}`, drop: async () => remove() }
})

describeRepairs('duckdb', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'querent-repair-'))
  const file = join(folder, 'workshop.duckdb')
  await makeDuckdbFile(file, workshopDdl('duckdb').join(';'))
  return { reference: `duckdb:${file}`, drop: async () => rmSync(folder, { recursive: true }) }
})
