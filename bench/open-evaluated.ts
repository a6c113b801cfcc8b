import { join } from 'node:path'
import { parseDatabaseReference } from '../src/databases/database-reference.ts'
import { makeGuard } from '../src/databases/guard/guard.ts'
import { type OpenDatabase, openDatabase } from '../src/databases/open-database.ts'
import { silentAudit } from '../src/domain/operations/audit.ts'
import type { RunLimits } from '../src/domain/result.ts'

/** Opens `ID.sqlite` of a folder of evaluation databases, which is looked for from where npm was called. */
export const openEvaluated = (databases: string, id: string, limits: RunLimits): Promise<OpenDatabase> => {
  const reference = parseDatabaseReference(`sqlite:${join(databases, `${id}.sqlite`)}`, {
    baseFolder: process.env.INIT_CWD ?? process.cwd(),
  })
  return openDatabase(reference, { audit: silentAudit, guard: makeGuard(), limits })
}
