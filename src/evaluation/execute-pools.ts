import type { ResultTable } from '../domain/result.ts'
import type { CandidateVote, IndependentEvidence } from '../domain/selection/ranking.ts'
import { forEachConcurrently, makeCachedRunStatement } from './evaluation-database.ts'
import { sameRows, sameRowsAnyColumnOrder } from './execution-accuracy.ts'
import {
  type PoolCandidate,
  type PoolLine,
  type PoolSpec,
  type Pools,
  parserSource,
  poolCandidates,
} from './pools-file.ts'
import type { QuestionLine } from './questions-file.ts'
import { pairStatements, type RenderPair, type TrainingLine, trainingLines } from './training-pairs.ts'

/** One question of a pool with all of its candidates run. Labels lie apart from what a selector is given. */
export interface PoolQuestion {
  readonly id: string
  readonly database: string
  readonly candidates: readonly PoolCandidate[]
  readonly candidateVotes: readonly CandidateVote[]
  /** What the semantic parser reads in the question; empty where the database was opened without it. */
  readonly parserEvidence: readonly IndependentEvidence[]
  /** By the place of the candidate. For training and for scoring; no selector sees the question that it scores. */
  readonly labels: readonly PoolLabel[]
}

/** Whether a candidate's result is the known one; `anyOrder` forgives the order of columns. */
export interface PoolLabel {
  readonly ex: boolean
  readonly anyOrder: boolean
}

/** A database of the pool's questions, and what turns a result into a vote. */
interface PoolDatabase {
  execute(sql: string, options: { readonly signal: AbortSignal }): Promise<ResultTable>
  /** The say of a candidate that ran. */
  toRun(candidate: {
    readonly sql: string
    readonly question: string
    readonly table: ResultTable
  }): NonNullable<CandidateVote['run']>
  /** What the semantic parser reads in a question, best first; without it there is no evidence of the parser. */
  read?(question: string): readonly { readonly sql: string; readonly confidence: number }[]
  /** What a judge is told about two statements; without it there is no training data. */
  readonly renderPair?: RenderPair
  close(): Promise<void>
}

/** What to run. Databases are opened one after the other. */
export interface ExecutePoolsInput {
  readonly lines: readonly QuestionLine[]
  readonly pools: Pools
  readonly specs: Readonly<Record<string, PoolSpec>>
  readonly open: (dbId: string, options: { readonly signal: AbortSignal }) => Promise<PoolDatabase>
  readonly timeoutMs: number
  /** Called with the training data of each question of a pool with right and wrong candidates. */
  readonly onTrainingLines?: (lines: readonly TrainingLine[]) => void | Promise<void>
  readonly signal: AbortSignal
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

const AT_A_TIME = 2

/** Runs every candidate of every pool, equal texts of a question once. Questions come in the order of the lines. */
export const executePools = async (
  input: ExecutePoolsInput,
): Promise<ReadonlyMap<string, readonly PoolQuestion[]>> => {
  const { lines, pools, signal, onProgress = () => {} } = input
  const needsPools = Object.values(input.specs).some(({ from }) => from !== 'readings')
  const wanted = lines.filter(line => line.answerable && (pools.has(line.id) || !needsPools))
  const found = new Map<string, Map<string, PoolQuestion>>()
  let done = 0
  for (const [dbId, ofDatabase] of Map.groupBy(wanted, line => line.db_id)) {
    signal.throwIfAborted()
    const database = await input.open(dbId, { signal })
    try {
      await forEachConcurrently(ofDatabase, AT_A_TIME, async line => {
        found.set(line.id, await executeQuestion(line, database, input))
        onProgress({ done: ++done, total: wanted.length })
      })
    } finally {
      await database.close()
    }
  }
  return new Map(
    Object.keys(input.specs).map(name => [
      name,
      wanted.flatMap(line => {
        const question = found.get(line.id)?.get(name)
        return question === undefined ? [] : [question]
      }),
    ]),
  )
}

/** A candidate that was run: its rows, its vote and its label. */
interface JudgedCandidate {
  readonly table: ResultTable | null
  readonly run: CandidateVote['run']
  readonly label: PoolLabel
}

const executeQuestion = async (
  line: QuestionLine,
  database: PoolDatabase,
  { pools, specs, signal, timeoutMs, onTrainingLines }: ExecutePoolsInput,
): Promise<Map<string, PoolQuestion>> => {
  const run = makeCachedRunStatement(database, { signal, timeoutMs })
  const golds: ResultTable[] = []
  for (const sql of [line.gold, ...line.alternatives]) {
    const ran = sql === null ? null : await run(sql)
    if (ran !== null && 'table' in ran) golds.push(ran.table)
  }
  const judged = new Map<string, JudgedCandidate>()
  const judge = async (sql: string) => {
    const known = judged.get(sql)
    if (known !== undefined) return known
    const ran = await run(sql)
    const one =
      'table' in ran
        ? {
            table: ran.table,
            run: database.toRun({ sql, question: line.question, table: ran.table }),
            label: {
              ex: golds.some(gold => sameRows(ran.table, gold)),
              anyOrder: golds.some(gold => sameRowsAnyColumnOrder(ran.table, gold)),
            },
          }
        : { table: null, run: null, label: { ex: false, anyOrder: false } }
    judged.set(sql, one)
    return one
  }
  const readings = database.read?.(line.question) ?? []
  const parserEvidence: IndependentEvidence[] = []
  for (const { sql, confidence } of readings) {
    const { run } = await judge(sql)
    if (run !== null)
      parserEvidence.push({
        groupKey: run.groupKey,
        probability: confidence,
        observation: run.evidence.observation ?? null,
      })
  }
  const pool: PoolLine = pools.get(line.id) ?? { id: line.id, pools: {}, systems: {} }
  const known: PoolLine = { ...pool, pools: { ...pool.pools, [parserSource]: [...readings] } }
  const questions = new Map<string, PoolQuestion>()
  for (const [name, spec] of Object.entries(specs)) {
    const candidates = poolCandidates(known, spec)
    const candidateVotes: CandidateVote[] = []
    const labels: PoolLabel[] = []
    const statements: Parameters<typeof pairStatements>[0][number][] = []
    for (const { sql, source, rank } of candidates) {
      const { table, run, label } = await judge(sql)
      if (table !== null) statements.push({ sql, table, isRight: label.ex })
      candidateVotes.push({ candidateId: `${source}/${rank}`, lineage: source, run })
      labels.push(label)
    }
    const { renderPair } = database
    if (onTrainingLines && renderPair && golds.length > 0) {
      const { id: questionId, db_id, question } = line
      const of = { questionId, database: db_id, question, source: `pool ${name}` }
      const pairs = pairStatements(statements)
      for (const pair of pairs) await onTrainingLines(await trainingLines(pair, of, { renderPair, signal }))
    }
    questions.set(name, {
      id: line.id,
      database: line.db_id,
      ...{ candidates, candidateVotes, labels },
      // Interpretations are no evidence for themselves.
      parserEvidence: spec.from === 'readings' ? [] : parserEvidence,
    })
  }
  return questions
}

/**
 * One question with the candidates of several pools, the first of each, then the second of each: what a pool of all
 * these sources would have been, without running anything again. `parts` are of the same question, at least one.
 */
export const mixPools = (parts: readonly [PoolQuestion, ...PoolQuestion[]]): PoolQuestion => {
  const longest = Math.max(...parts.map(({ candidates }) => candidates.length))
  const places = Array.from({ length: longest }, (_, rank) =>
    parts.flatMap(part => (rank < part.candidates.length ? [{ part, rank }] : [])),
  ).flat()
  return {
    ...parts[0],
    candidates: places.map(({ part, rank }) => part.candidates[rank]!),
    candidateVotes: places.map(({ part, rank }) => part.candidateVotes[rank]!),
    labels: places.map(({ part, rank }) => part.labels[rank]!),
  }
}
