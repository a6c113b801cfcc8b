import { checkShape } from '../../graphs/answer/repair/result-shape.ts'
import { evaluationDatabaseReference } from '../../src/cli/evaluation/pool-databases.ts'
import { connect } from '../../src/databases/connect.ts'
import { parseDatabaseReference } from '../../src/databases/database-reference.ts'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { makeRunQuery } from '../../src/databases/run-query.ts'
import { SqlError } from '../../src/domain/errors.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import type { QuestionLine } from '../../src/evaluation/questions-file.ts'

const limits = { timeoutMs: 30_000, maxRows: 100_000, maxBytes: 100_000_000 }

/** A known answer that a database refuses is left out; a fault of ours is not. */
const unlessOurs = (error: unknown): null => {
  if (error instanceof SqlError) return null
  throw error
}

/** How often the shape of a known answer is taken for wrong, and of which questions; empty answers are left out. */
export const goldsTakenForWrong = async (
  lines: readonly QuestionLine[],
  databases: string,
): Promise<{ readonly answers: number; readonly flagged: readonly string[] }> => {
  const folder = process.env.INIT_CWD ?? process.cwd()
  const guard = makeGuard()
  const flagged: string[] = []
  let answers = 0
  for (const [dbId, ofDatabase] of Map.groupBy(lines, line => line.db_id)) {
    const text = evaluationDatabaseReference(databases, dbId, folder)
    const connector = await connect(parseDatabaseReference(text, { baseFolder: folder }), {
      audit: silentAudit,
    })
    const run = makeRunQuery({ connector, limits })
    for (const { gold, question } of ofDatabase) {
      const verdict = guard(gold ?? '', connector.dialect)
      const table = verdict.verdict === 'allow' ? await run(verdict.guarded).catch(unlessOurs) : null
      if (table === null || table.rows.length === 0) continue
      answers += 1
      if (checkShape(question, table) !== null) flagged.push(question)
    }
    await connector.close()
  }
  return { answers, flagged }
}
