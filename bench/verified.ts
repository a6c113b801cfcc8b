import { appendFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeVerifiedPath } from '../graphs/answer/drafting/verified-path.ts'
import { extractKeywords } from '../graphs/answer/understanding/keywords.ts'
import { flagMatches, matchKeywords } from '../graphs/answer/understanding/value-matches.ts'
import { makeReadVerified } from '../graphs/answer/verified/read-verified.ts'
import { makeFindExamples } from '../graphs/answer/verified/similar-questions.ts'
import { evaluationDatabaseReference } from '../src/cli/evaluation/pool-databases.ts'
import { parseDatabaseReference } from '../src/databases/database-reference.ts'
import { makeGuard } from '../src/databases/guard/guard.ts'
import { openDatabase } from '../src/databases/open-database.ts'
import type { Draft } from '../src/domain/candidate.ts'
import { silentAudit } from '../src/domain/operations/audit.ts'
import type { VerifiedQuery } from '../src/domain/verified-query.ts'
import { sameRows } from '../src/evaluation/execution-accuracy.ts'
import { readQuestionsFile, selectUsable } from '../src/evaluation/questions-file.ts'
import { percentile } from '../src/evaluation/statistics.ts'
import { makeParseQuestion } from '../src/parser/interpret-question.ts'
import { trainedModel } from '../src/parser/rank/model.ts'
import { understandQuestion } from '../src/parser/understand/understand-question.ts'

/**
 * `npm run bench:verified -- --questions FILE --databases DIR|postgres://HOST/{db_id} [--limit N] [--out FILE]`: how
 * often a verified query is put to a question, and how often its rows are then the known answer's. Each question is
 * asked while all others of its database are verified (leave one out). `--twins` says how many lines on either side
 * are left out too: sets that hold every question in two wordings, one after the other, are harder without the other.
 * `--crowd` adds so many questions of other databases to each list, none of which can match: what does a long list cost?
 */
const { values: given } = parseArgs({
  options: {
    questions: { type: 'string', default: '' },
    databases: { type: 'string', default: '' },
    limit: { type: 'string' },
    twins: { type: 'string', default: '0' },
    crowd: { type: 'string', default: '0' },
    out: { type: 'string' },
  },
})

const folder = process.env.INIT_CWD ?? process.cwd()

const lines = selectUsable(
  await readQuestionsFile(resolve(folder, given.questions)),
  given.limit === undefined ? undefined : Number(given.limit),
).filter(line => line.answerable)

const [twins, crowd] = [Number(given.twins), Number(given.crowd)]

const clock = { now: () => new Date('2026-11-20T12:00:00Z'), timeZone: 'UTC' }

const limits = { timeoutMs: 30_000, maxRows: 100_000, maxBytes: 100_000_000 }

const readVerified = makeReadVerified({ understand: understandQuestion, clock })

const parse = makeParseQuestion(trainedModel)

/** Questions of other databases, without slots: no value of theirs is known here, and their SQL runs nowhere here. */
const strangers = (dbId: string): readonly VerifiedQuery[] =>
  lines
    .filter(line => line.db_id !== dbId)
    .slice(0, crowd)
    .map(line => ({
      id: line.id,
      database: dbId,
      question: line.question,
      maskedQuestion: line.question,
      sql: line.gold ?? '',
      skeleton: 'SELECT _ FROM _',
      slots: [],
      touches: null,
      fingerprint: '',
      status: 'accepted',
      savedBy: null,
      savedAt: clock.now(),
      decidedBy: null,
      decidedAt: clock.now(),
    }))

const judged: {
  readonly id: string
  readonly drafts: readonly Draft[]
  readonly right: readonly boolean[]
  readonly milliseconds: number
  readonly examplesMilliseconds: number
}[] = []

for (const [dbId, ofDatabase] of Map.groupBy(lines, line => line.db_id)) {
  process.stderr.write(`\r\u001b[2K${judged.length} of ${lines.length} (${dbId})`)
  const reference = parseDatabaseReference(evaluationDatabaseReference(given.databases, dbId, folder), {
    baseFolder: folder,
  })
  const { database, close } = await openDatabase(reference, {
    audit: silentAudit,
    guard: makeGuard(),
    limits,
  })
  const rowsOf = async (sql: string) => {
    const verdict = database.guard(sql)
    return verdict.verdict === 'refuse' ? null : database.run(verdict.guarded).catch(() => null)
  }
  const verified: VerifiedQuery[] = []
  for (const line of ofDatabase) {
    const [question, sql] = [line.question.replace(/\s+/g, ' ').trim(), line.gold ?? '']
    const reading = await readVerified({ question, sql }, database)
    verified.push({
      ...reading,
      id: line.id,
      database: dbId,
      question,
      sql,
      fingerprint: database.catalog.fingerprint,
      status: 'accepted',
      savedBy: null,
      savedAt: clock.now(),
      decidedBy: null,
      decidedAt: clock.now(),
    })
  }
  for (const [at, line] of ofDatabase.entries()) {
    const understanding = understandQuestion(line.question, clock)
    const matches = await matchKeywords(extractKeywords(understanding.text), database, {
      more: flagMatches(understanding.text, database.catalog),
    })
    const others = verified.filter((_, other) => other !== at && Math.abs(other - at) > twins)
    const listVerified = async () => [...others, ...strangers(dbId)]
    const path = makeVerifiedPath({ listVerified, parse })
    const input = { understanding, database, matches, linked: { tables: [] }, sample: 0 }
    const started = performance.now()
    const drafted = await path.draft(input)
    const drafts = drafted.kind === 'statements' ? drafted.drafts : []
    const milliseconds = performance.now() - started
    await makeFindExamples({ listVerified, parse })(input)
    const examplesMilliseconds = performance.now() - started - milliseconds
    const gold = await rowsOf(line.gold ?? '')
    const right: boolean[] = []
    for (const { sql } of drafts) {
      const rows = await rowsOf(sql)
      right.push(rows !== null && gold !== null && sameRows(rows, gold))
    }
    judged.push({ id: line.id, drafts, right, milliseconds, examplesMilliseconds })
    if (given.out !== undefined && drafts.length > 0)
      appendFileSync(
        resolve(folder, given.out),
        `${JSON.stringify({ id: line.id, question: line.question, gold: line.gold, drafts, right })}\n`,
      )
  }
  await close()
}

process.stderr.write('\r\u001b[2K')

const first = judged.filter(({ drafts }) => drafts.length > 0)

const shareRight = (some: typeof judged): number | null =>
  some.length === 0 ? null : some.filter(({ right }) => right[0]).length / some.length

const summary = {
  questions: judged.length,
  replayed: first.length,
  right: shareRight(first),
  sameWords: first.filter(({ drafts }) => (drafts[0]?.prior ?? 0) >= 0.9).length,
  sameWordsRight: shareRight(first.filter(({ drafts }) => (drafts[0]?.prior ?? 0) >= 0.9)),
  otherValues: first.filter(({ drafts }) => / for “/.test(drafts[0]?.assumptions[0] ?? '')).length,
  otherValuesRight: shareRight(first.filter(({ drafts }) => / for “/.test(drafts[0]?.assumptions[0] ?? ''))),
  millisecondsMedian: percentile(
    judged.map(({ milliseconds }) => milliseconds),
    0.5,
  ),
  examplesMillisecondsMedian: percentile(
    judged.map(({ examplesMilliseconds }) => examplesMilliseconds),
    0.5,
  ),
}

process.stdout.write(`${JSON.stringify(summary, null, 2)}\n`)
