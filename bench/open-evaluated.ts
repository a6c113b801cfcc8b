import { join } from 'node:path'
import type { RunLimits } from '../src/core/result.ts'
import { silentAudit } from '../src/core/statement-audit.ts'
import { makeGuard } from '../src/databases/guard/make-guard.ts'
import { type OpenDatabase, openDatabase } from '../src/databases/open-database.ts'
import { parseDatabaseReference } from '../src/databases/parse-database-reference.ts'

/** Opens `ID.sqlite` of a folder of evaluation databases, which is looked for from where npm was called. */
export const openEvaluated = (databases: string, id: string, limits: RunLimits): Promise<OpenDatabase> => {
  const reference = parseDatabaseReference(`sqlite:${join(databases, `${id}.sqlite`)}`, {
    baseFolder: process.env.INIT_CWD ?? process.cwd(),
  })
  return openDatabase(reference, { audit: silentAudit, guard: makeGuard(), limits })
}
