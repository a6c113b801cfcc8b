import { DatabaseSync } from 'node:sqlite'
import { evaluationDatabaseReference } from '../../src/cli/evaluation/pool-databases.ts'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { openDatabase } from '../../src/databases/open-database.ts'
import type { Database } from '../../src/domain/database.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import { evaluationLimits } from '../../src/evaluation/evaluation-database.ts'
import type { QuestionLine } from '../../src/evaluation/questions-file.ts'

/** A question with its known answer, the opened database, and the same file for looking up what it holds. */
interface KnownAnswer {
  readonly line: QuestionLine
  readonly gold: string
  readonly database: Database
  readonly rows: DatabaseSync
}

/** Goes through the questions that have a known answer, with one database open at a time. `cache` keeps value indexes. */
export async function* knownAnswers(
  lines: readonly QuestionLine[],
  { databases, cache }: { readonly databases: string; readonly cache: string },
): AsyncGenerator<KnownAnswer> {
  for (const [id, group] of Map.groupBy(lines, line => line.db_id)) {
    const path = evaluationDatabaseReference(databases, id, process.cwd()).replace(/^sqlite:/, '')
    const { database, close } = await openDatabase(
      { dialect: 'sqlite', name: id, location: path },
      { audit: silentAudit, guard: makeGuard(), limits: evaluationLimits, cacheFolder: cache },
    )
    const rows = new DatabaseSync(path, { readOnly: true })
    try {
      for (const line of group) if (line.gold !== null) yield { line, gold: line.gold, database, rows }
    } finally {
      rows.close()
      await close()
    }
  }
}
