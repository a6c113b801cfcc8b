import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { extractKeywords } from '../graphs/answer/understanding/keywords.ts'
import { flagMatches, matchKeywords } from '../graphs/answer/understanding/value-matches.ts'
import { makeReadVerified } from '../graphs/answer/verified/read-verified.ts'
import { makeFindSimilarVerified } from '../graphs/answer/verified/similar-questions.ts'
import { evaluationDatabaseReference, toPoolDatabase } from '../src/cli/evaluation/pool-databases.ts'
import { parseDatabaseReference } from '../src/databases/database-reference.ts'
import { makeGuard } from '../src/databases/guard/guard.ts'
import { openDatabase } from '../src/databases/open-database.ts'
import type { Database } from '../src/domain/database.ts'
import { silentAudit } from '../src/domain/operations/audit.ts'
import type { VerifiedQuery } from '../src/domain/verified-query.ts'
import { evaluationLimits } from '../src/evaluation/evaluation-database.ts'
import { executePools } from '../src/evaluation/execute-pools.ts'
import { parsePoolSpec, readPoolsFile } from '../src/evaluation/pools-file.ts'
import { readQuestionsFile, selectUsable } from '../src/evaluation/questions-file.ts'
import { makeParseQuestion } from '../src/parser/interpret-question.ts'
import { trainedModel } from '../src/parser/rank/model.ts'
import { understandQuestion } from '../src/parser/understand/understand-question.ts'
import { makeVerifiedSimilarity } from '../src/ranking/evidence.ts'
import { measureGroups } from '../src/ranking/features/measure-groups.ts'
import { makeRankGroups } from '../src/ranking/selector/rank-groups.ts'
import { selectorWithout } from '../src/ranking/selector/shipped-selector.ts'

/**
 * `npm run bench:likeness -- --pools FILE --questions FILE --databases DIR [--pool NAMES]`: what it does to the choice
 * among a pool's candidates when likeness to verified queries weighs 0, .35, .7 ... logits. Each question is asked while all
 * others of its database are verified (leave one out), and again while its neighbours in the file are left out too, since
 * sets that hold every question in two wordings have the same query beside it. The selector has not seen the database.
 */
const { values } = parseArgs({
  options: {
    pools: { type: 'string', default: '' },
    questions: { type: 'string', default: '' },
    databases: { type: 'string', default: '' },
    pool: { type: 'string', default: 'gpt4_10+dailsql10+chatgpt5' },
  },
})

const WEIGHTS = [0, 0.35, 0.7, 1.4, 2.8]

const LEFT_OUT = [0, 1]

/** As many as the selector was trained with. */
const READINGS = 10

const folder = process.env.INIT_CWD ?? process.cwd()

const lines = selectUsable(await readQuestionsFile(resolve(folder, values.questions))).filter(
  line => line.answerable,
)

const clock = { now: () => new Date('2026-11-20T12:00:00Z'), timeZone: 'UTC' }

const readVerified = makeReadVerified({ understand: understandQuestion, clock })

const parse = makeParseQuestion(trainedModel)

/** By question and how many neighbours are left out. */
const likeness = new Map<string, (sql: string) => number>()

const keyOf = (id: string, leftOut: number): string => JSON.stringify([id, leftOut])

const holdAgainstOthers = async (ofDatabase: typeof lines, database: Database): Promise<void> => {
  const verified: VerifiedQuery[] = []
  for (const { id, question, gold } of ofDatabase)
    verified.push({
      ...(await readVerified({ question, sql: gold ?? '' }, database)),
      ...{ id, question, database: database.name, sql: gold ?? '', status: 'accepted', savedBy: null },
      ...{ fingerprint: '', savedAt: clock.now(), decidedBy: null, decidedAt: clock.now() },
    })
  for (const [at, { id, question }] of ofDatabase.entries()) {
    const understanding = understandQuestion(question, clock)
    const matches = await matchKeywords(extractKeywords(understanding.text), database, {
      more: flagMatches(understanding.text, database.catalog),
    })
    for (const leftOut of LEFT_OUT) {
      const others = verified.filter((_, other) => other !== at && Math.abs(other - at) > leftOut)
      const near = await makeFindSimilarVerified({ listVerified: async () => others })({
        ...{ understanding, database, matches },
      })
      likeness.set(keyOf(id, leftOut), makeVerifiedSimilarity(near, database.dialect))
    }
  }
}

const executed = await executePools({
  lines,
  pools: await readPoolsFile(resolve(folder, values.pools)),
  specs: { all: parsePoolSpec(values.pool) },
  timeoutMs: evaluationLimits.timeoutMs,
  signal: new AbortController().signal,
  open: async dbId => {
    const reference = parseDatabaseReference(evaluationDatabaseReference(values.databases, dbId, folder), {
      baseFolder: folder,
    })
    const { database, close } = await openDatabase(reference, {
      audit: silentAudit,
      guard: makeGuard(),
      limits: evaluationLimits,
    })
    await holdAgainstOthers(
      lines.filter(line => line.db_id === dbId),
      database,
    )
    return {
      ...toPoolDatabase(database, close),
      read: question =>
        parse({ understanding: understandQuestion(question, clock), ...database }, { limit: READINGS }),
    }
  },
  onProgress: ({ done, total }) => process.stderr.write(`\r${done} of ${total} questions`),
})

process.stderr.write('\n')

const questions = executed.get('all') ?? []

/** Whether each question is answered rightly, by its place. */
const choose = (weight: number, leftOut: number): readonly boolean[] =>
  questions.map(({ id, database, candidates, candidateVotes, parserEvidence, labels }) => {
    const like = likeness.get(keyOf(id, leftOut))
    const measured = measureGroups(
      candidateVotes,
      parserEvidence,
      new Map(
        candidateVotes.map(({ candidateId }, at) => [candidateId, like?.(candidates[at]?.sql ?? '') ?? 0]),
      ),
    )
    const model = selectorWithout(database)
    const features = model.features.map(feature =>
      feature.name === 'verified-likeness' ? { ...feature, weight } : feature,
    )
    const [winner] = makeRankGroups({ ...model, features })(measured)
    const at = candidateVotes.findIndex(({ candidateId }) => candidateId === winner?.representativeId)
    return labels[at]?.ex === true
  })

const count = (some: readonly boolean[]): number => some.filter(Boolean).length

const result = {
  n: questions.length,
  pool: values.pool,
  chosen: LEFT_OUT.flatMap(leftOut => {
    const without = choose(0, leftOut)
    return WEIGHTS.map(weight => {
      const withIt = choose(weight, leftOut)
      return {
        neighboursLeftOut: leftOut,
        weight,
        right: count(withIt),
        gained: count(withIt.map((right, at) => right && !without[at])),
        lost: count(withIt.map((right, at) => !right && without[at] === true)),
      }
    })
  }),
}

process.stdout.write(`${JSON.stringify(result, null, 1)}\n`)
