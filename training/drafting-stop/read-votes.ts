import { openEvaluated } from '../../bench/open-evaluated.ts'
import { toPoolDatabase } from '../../src/cli/evaluation/pool-databases.ts'
import type { Database } from '../../src/domain/database.ts'
import type { IndependentEvidence } from '../../src/domain/selection/ranking.ts'
import { evaluationLimits } from '../../src/evaluation/evaluation-database.ts'
import { executePools } from '../../src/evaluation/execute-pools.ts'
import { parsePoolSpec, readPoolsFile } from '../../src/evaluation/pools-file.ts'
import { readQuestionsFile, selectUsable } from '../../src/evaluation/questions-file.ts'
import { makeParseQuestion } from '../../src/parser/interpret-question.ts'
import { trainedModel } from '../../src/parser/rank/model.ts'
import { understandQuestion } from '../../src/parser/understand/understand-question.ts'
import type { LabeledVotes } from '../../src/ranking/learning/train-stopping-model.ts'
import { resultKey } from '../../src/ranking/result-key.ts'

const clock = { now: () => new Date('2026-11-20T12:00:00Z'), timeZone: 'UTC' }

/** Readings whose results the vote is told of: later ones hardly ever have any weight. */
const READINGS = 3

/** Readings that the learned selector hears of, as `querent eval selection` counts them. */
const INTERPRETATIONS = 10

/** One question's votes, and the statements that they were cast for. */
export interface ReadVotes extends LabeledVotes {
  readonly id: string
  readonly question: string
  /** By the id of the candidate. */
  readonly statements: ReadonlyMap<string, string>
  /** What the parser reads in the question, for the learned selector. */
  readonly parserEvidence: readonly IndependentEvidence[]
}

/** Runs the candidates of a pool and the parser's first readings, and labels them by the known answers. */
export const readVotes = async (input: {
  readonly pools: string
  readonly questions: string
  readonly databases: string
  readonly pool: string
}): Promise<readonly ReadVotes[]> => {
  const lines = selectUsable(await readQuestionsFile(input.questions))
  const priors = new Map<string, Map<string, number>>()
  const executed = await executePools({
    lines,
    pools: await readPoolsFile(input.pools),
    specs: { all: parsePoolSpec(input.pool) },
    timeoutMs: evaluationLimits.timeoutMs,
    signal: new AbortController().signal,
    open: async dbId => {
      const { database, close } = await openEvaluated(input.databases, dbId, evaluationLimits)
      for (const line of lines.filter(line => line.db_id === dbId))
        priors.set(line.id, await readPriors(line.question, database))
      return {
        ...toPoolDatabase(database, close),
        read: question => readQuestion(question, database, INTERPRETATIONS),
      }
    },
    onProgress: ({ done, total }) => process.stderr.write(`\r${done} of ${total} questions`),
  })
  process.stderr.write('\n')
  const asked = new Map(lines.map(({ id, question }) => [id, question]))
  return executed.get('all')!.map(({ id, database, candidates, candidateVotes, parserEvidence, labels }) => ({
    id,
    question: asked.get(id) ?? '',
    statements: new Map(
      candidateVotes.map(({ candidateId }, at) => [candidateId, candidates[at]?.sql ?? '']),
    ),
    database,
    candidateVotes,
    parserEvidence,
    priors: priors.get(id) ?? new Map(),
    right: new Set(candidateVotes.filter((_, at) => labels[at]!.ex).map(({ candidateId }) => candidateId)),
  }))
}

const parse = makeParseQuestion(trainedModel)

const readQuestion = (question: string, database: Database, limit: number) =>
  parse({ understanding: understandQuestion(question, clock), ...database }, { limit })

const readPriors = async (question: string, database: Database): Promise<Map<string, number>> => {
  const readings = readQuestion(question, database, READINGS)
  const priors = new Map<string, number>()
  for (const { sql, confidence } of readings) {
    const verdict = database.guard(sql)
    const table = verdict.verdict === 'allow' ? await database.run(verdict.guarded).catch(() => null) : null
    if (table === null) continue
    const key = resultKey(table, { ordered: false })
    priors.set(key, Math.min(1, (priors.get(key) ?? 0) + confidence))
  }
  return priors
}
