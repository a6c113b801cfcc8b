import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type EvaluatedSystem,
  makeOpenForEvaluation,
  readReplayModel,
} from '../src/cli/evaluation/open-for-evaluation.ts'
import { loadConfig } from '../src/config/load-config.ts'
import { silentLog } from '../src/domain/operations/telemetry.ts'
import type { ResultTable } from '../src/domain/result.ts'
import { evaluateQuestions } from '../src/evaluation/evaluate-questions.ts'
import type { EvaluationDatabase, OpenForEvaluation } from '../src/evaluation/evaluation-database.ts'
import { sameRows } from '../src/evaluation/execution-accuracy.ts'
import { parsePoolSpec, poolCandidates, readPoolsFile } from '../src/evaluation/pools-file.ts'
import { type QuestionLine, readQuestionsFile, selectUsable } from '../src/evaluation/questions-file.ts'
import { type JudgedQuestion, makeHashedJudge } from './judge/hashed-judge.ts'
import { poolOptions } from './pool-options.ts'

/**
 * `npm run bench:full-mode -- --pools FILE --questions FILE --databases DIR [--accuracy PERCENT|none ...]`: replays the
 * drafts of a pool through the whole graph in full mode, with a judge that is right in so many of a hundred pairs, or
 * without any. Prints accuracy and judgments for each judge, and how often any draft is right.
 */
const { values } = parseArgs({
  options: { ...poolOptions, accuracy: { type: 'string', multiple: true, default: ['70', '100'] } },
})

const { databases = '', pool } = values

const folder = process.env.INIT_CWD ?? process.cwd()

const questions = resolve(folder, values.questions ?? '')

const pools = resolve(folder, values.pools ?? '')

const config = loadConfig()

const lines = selectUsable(await readQuestionsFile(questions))

const drafts = new Map(
  [...(await readPoolsFile(pools))].map(([id, line]) => [id, poolCandidates(line, parsePoolSpec(pool))]),
)

const replay = await readReplayModel(`pool:${pools}#${pool}`, folder)

const mostDrafts = Math.max(...[...drafts.values()].map(({ length }) => length))

const open = (judge: EvaluatedSystem['judge'] | null): OpenForEvaluation =>
  makeOpenForEvaluation(
    { databases, model: 'none', replay, ...(judge && { judge }) },
    {
      config: {
        ...config,
        strategy: 'chase',
        drafting: { mode: 'full', draftBudget: 'balanced', mostDrafts },
      },
      log: silentLog,
      terminal: { folder },
      now: new Date(),
      shell: { person: null, command: 'bench:full-mode' },
    },
  )

const run = (sql: string, database: EvaluationDatabase): Promise<ResultTable | null> =>
  database.execute(sql, { signal: new AbortController().signal }).catch(() => null)

const runAll = async (
  statements: readonly (string | null)[],
  database: EvaluationDatabase,
): Promise<readonly ResultTable[]> => {
  const ran = await Promise.all(statements.map(async sql => (sql === null ? null : run(sql, database))))
  return ran.filter(table => table !== null)
}

/** `accuracy` from 0 to 1; null without a judge. */
const measure = async (accuracy: number | null) => {
  let current: JudgedQuestion = { id: '', golds: [] }
  let judgments = 0
  const judge = accuracy === null ? null : makeHashedJudge(accuracy, () => current)
  const openCounted = open(
    judge &&
      (input => {
        judgments += 1
        return judge(input)
      }),
  )
  const asked = new Set<string>()
  const openForEvaluation: OpenForEvaluation = async (dbId, options) => {
    const database = await openCounted(dbId, options)
    return {
      ...database,
      ask: async (line, options) => {
        current = { id: line.id, golds: await runAll([line.gold, ...line.alternatives], database) }
        const before = judgments
        const answer = await database.ask(line, options)
        if (judgments > before) asked.add(line.id)
        return answer
      },
    }
  }
  // One question at a time: the judge is told which.
  const { evaluated } = await evaluateQuestions({ lines, openForEvaluation, concurrency: 1 })
  const share = (isCounted: (one: (typeof evaluated)[number]) => boolean | null): number =>
    evaluated.filter(one => isCounted(one)).length / evaluated.length
  return {
    ex: share(({ ex }) => ex),
    exAnyOrder: share(({ exAnyOrder }) => exAnyOrder),
    askedBack: share(({ outcome }) => outcome === 'clarified'),
    judgments,
    judgedQuestions: asked.size,
  }
}

/** Questions for which any draft of the pool is right as it was written. */
const countRightDrafts = async (): Promise<number> => {
  const hasRightDraft = async (line: QuestionLine, database: EvaluationDatabase): Promise<boolean> => {
    const golds = await runAll([line.gold, ...line.alternatives], database)
    const statements = new Set((drafts.get(line.id) ?? []).map(({ sql }) => sql))
    const tables = await runAll([...statements], database)
    return tables.some(table => golds.some(gold => sameRows(table, gold)))
  }
  let right = 0
  for (const [dbId, ofDatabase] of Map.groupBy(lines, line => line.db_id)) {
    const database = await open(null)(dbId, { signal: new AbortController().signal })
    for (const line of ofDatabase) if (await hasRightDraft(line, database)) right += 1
    await database.close()
  }
  return right
}

const judges: Record<string, Awaited<ReturnType<typeof measure>>> = {}

for (const percent of values.accuracy)
  judges[percent] = await measure(percent === 'none' ? null : Number(percent) / 100)

const oracle = (await countRightDrafts()) / lines.length

process.stdout.write(`${JSON.stringify({ questions: lines.length, pool, oracle, judges }, null, 1)}\n`)
