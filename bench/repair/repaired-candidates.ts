import { makeFixByRule } from '../../graphs/answer/repair/fix-by-rule.ts'
import { repairCandidate } from '../../graphs/answer/repair/repair-candidate.ts'
import { tryCandidate } from '../../graphs/answer/repair/try-candidate.ts'
import { evaluationDatabaseReference, toPoolDatabase } from '../../src/cli/evaluation/pool-databases.ts'
import { parseDatabaseReference } from '../../src/databases/database-reference.ts'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { openDatabase } from '../../src/databases/open-database.ts'
import { widenSchema } from '../../src/databases/schema-linking/link-schema.ts'
import type { Database } from '../../src/domain/database.ts'
import type { SqlErrorClass } from '../../src/domain/errors.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import type { QuestionContext } from '../../src/domain/question-context.ts'
import type { SaveResult } from '../../src/domain/result.ts'
import type { CandidateVote } from '../../src/domain/selection/ranking.ts'
import { forEachConcurrently, makeCachedRunStatement } from '../../src/evaluation/evaluation-database.ts'
import { sameRows } from '../../src/evaluation/execution-accuracy.ts'
import { type PoolSpec, type Pools, poolCandidates } from '../../src/evaluation/pools-file.ts'
import type { QuestionLine } from '../../src/evaluation/questions-file.ts'
import { makeFindEvidence } from '../../src/ranking/evidence.ts'
import { columnsKey, resultKey } from '../../src/ranking/result-key.ts'
import { findMeantPhrases } from '../../src/semantic-layer/ask/meant-phrases.ts'

/** One statement of a real system, before and after the rules. `ex` only serves the scoring. */
export interface JudgedRepair {
  readonly question: string
  readonly database: string
  readonly source: string
  readonly before: Judged
  readonly after: Judged
}

/** A statement, how it went, and whether its rows are the known answer's. */
export interface Judged {
  readonly sql: string
  /** What a fixer was called for; null if nothing was wrong. */
  readonly problem: SqlErrorClass | null
  readonly message: string
  readonly run: CandidateVote['run']
  readonly ex: boolean
}

const limits = { timeoutMs: 30_000, maxRows: 100_000, maxBytes: 100_000_000 }

const AT_A_TIME = 2

/** Runs all candidates of a pool as they are, and once more with the rules; equal texts of a question once. */
export const repairPool = async (input: {
  readonly lines: readonly QuestionLine[]
  readonly pools: Pools
  readonly spec: PoolSpec
  readonly databases: string
  readonly onProgress: (done: number, total: number) => void
}): Promise<readonly JudgedRepair[]> => {
  const lines = input.lines.filter(line => line.answerable && input.pools.has(line.id))
  const found = new Map<string, readonly JudgedRepair[]>()
  const folder = process.env.INIT_CWD ?? process.cwd()
  for (const [dbId, ofDatabase] of Map.groupBy(lines, line => line.db_id)) {
    const text = evaluationDatabaseReference(input.databases, dbId, folder)
    const { database, close } = await openDatabase(parseDatabaseReference(text, { baseFolder: folder }), {
      audit: silentAudit,
      guard: makeGuard(),
      limits,
    })
    try {
      await forEachConcurrently(ofDatabase, AT_A_TIME, async line => {
        found.set(line.id, await repairQuestion(line, database, input))
        input.onProgress(found.size, lines.length)
      })
    } finally {
      await close()
    }
  }
  return lines.flatMap(line => found.get(line.id) ?? [])
}

const repairQuestion = async (
  line: QuestionLine,
  database: Database,
  { pools, spec }: { readonly pools: Pools; readonly spec: PoolSpec },
): Promise<readonly JudgedRepair[]> => {
  const judge = await makeJudge(line, database)
  const known = new Map<string, Promise<Pick<JudgedRepair, 'before' | 'after'>>>()
  const judgeBoth = async (sql: string) => {
    const before = await judge(sql)
    if (before.problem === null) return { before, after: before }
    const repaired = await repairCandidate(
      { sql, question: { id: line.id, text: line.question }, database, context: async () => briefOf(line) },
      { ...rules, saveResult: nothingKept },
      {},
    )
    return { before, after: repaired.sql === sql ? before : await judge(repaired.sql) }
  }
  const judged: JudgedRepair[] = []
  for (const { sql, source } of poolCandidates(pools.get(line.id)!, spec)) {
    const both = known.get(sql) ?? judgeBoth(sql)
    known.set(sql, both)
    judged.push({ question: line.id, database: line.db_id, source, ...(await both) })
  }
  return judged
}

/** Runs a statement as the graph does, and compares its rows with those of the known answers. */
const makeJudge = async (
  line: QuestionLine,
  database: Database,
): Promise<(sql: string) => Promise<Judged>> => {
  const signal = new AbortController().signal
  const pool = toPoolDatabase(database, async () => {})
  const run = makeCachedRunStatement(pool, { signal, timeoutMs: limits.timeoutMs })
  const golds = (
    await Promise.all([line.gold, ...line.alternatives].map(sql => (sql === null ? null : run(sql))))
  ).flatMap(ran => (ran !== null && 'table' in ran ? [ran.table] : []))
  return async sql => {
    let ex = false
    const saveResult: SaveResult = async (_, table) => {
      ex = golds.some(gold => sameRows(table, gold))
      return 'not kept'
    }
    const { run, problem } = await tryCandidate(
      sql,
      { id: line.id, text: line.question },
      { ...rules, saveResult, database },
      {},
    )
    return {
      sql,
      problem: problem?.errorClass ?? null,
      message: problem?.message ?? '',
      run: run.status === 'ran' ? run : null,
      ex,
    }
  }
}

const nothingKept: SaveResult = async () => 'not kept'

const rules = {
  fixers: [makeFixByRule()],
  resultKey,
  columnsKey,
  findEvidence: makeFindEvidence(findMeantPhrases),
  widenSchema,
}

/** Rules read the question and the database; no model is shown a schema here. */
const briefOf = (line: QuestionLine): QuestionContext => ({
  understanding: { kind: 'data', text: line.question, spans: [], today: '2026-11-20', timeZone: 'UTC' },
  matches: [],
  linked: { tables: [] },
})
