import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { sampleCompany } from '../src/bootstrap/databases/databases.ts'
import { makeResources } from '../src/bootstrap/resources.ts'
import { loadConfig } from '../src/config/load-config.ts'
import { silentLog } from '../src/domain/operations/telemetry.ts'
import type { LabeledGroups } from '../src/domain/selection/ranking.ts'
import { makeParseQuestion } from '../src/parser/interpret-question.ts'
import { trainedModel } from '../src/parser/rank/model.ts'
import { understandQuestion } from '../src/parser/understand/understand-question.ts'
import { makeFindEvidence } from '../src/ranking/evidence.ts'
import { measureGroups } from '../src/ranking/features/measure-groups.ts'
import { columnsKey, resultKey } from '../src/ranking/result-key.ts'
import { findMeantPhrases } from '../src/semantic-layer/ask/meant-phrases.ts'
import { knownQuestions } from './selection-benchmark/known-questions.ts'

/**
 * `npm run bench:selection-benchmark`: makes the benchmark that every challenger is held to. The semantic parser reads
 * questions about the sample company, its readings run, and what came out is measured and set beside the known answer.
 * Only questions that a selector can get right or wrong are kept: several results, one of them right. Then format it:
 * `npm run format`.
 */
const AS_OF = '2026-06-30'

const READINGS = 6

const OUT = 'weights/selection-benchmark.json'

const config = loadConfig()

const resources = makeResources(config, { log: silentLog, asOf: AS_OF })

const clock = { now: () => new Date(`${AS_OF}T12:00:00Z`), timeZone: 'UTC' }

const findEvidence = makeFindEvidence(findMeantPhrases)

const parse = makeParseQuestion(trainedModel)

try {
  const database = await resources.openDatabase(sampleCompany)
  const execute = async (sql: string) => {
    const verdict = database.guard(sql)
    return verdict.verdict === 'refuse' ? null : database.run(verdict.guarded).catch(() => null)
  }
  const kept: (Omit<LabeledGroups, 'right'> & { readonly right: readonly string[] })[] = []
  const left: string[] = []
  for (const [question, gold] of knownQuestions) {
    const known = await execute(gold)
    if (known === null) throw new Error(`the known answer of "${question}" does not run`)
    const answer = resultKey(known, { ordered: false })
    const understanding = understandQuestion(question, clock)
    const readings = parse({ understanding, ...database }, { limit: READINGS })
    const candidateVotes = []
    for (const [rank, { sql }] of readings.entries()) {
      const table = await execute(sql)
      candidateVotes.push({
        candidateId: `reading ${rank}`,
        lineage: 'semantic-parser',
        run: table && {
          groupKey: resultKey(table, { ordered: false }),
          columnsKey: columnsKey(table),
          evidence: findEvidence({ sql, question, table }, database),
        },
      })
    }
    const measured = measureGroups(candidateVotes)
    const right = measured.findIndex(({ key }) => key === answer)
    if (measured.length < 2 || right < 0) {
      left.push(`${measured.length} results${right < 0 ? ', none right' : ''}: ${question}`)
      continue
    }
    // Results change with every change of the generator; their places do not, and are read more easily.
    const groups = measured.map(({ representativeId, candidateIds, measures }, at) => ({
      key: `result ${at + 1}`,
      candidateIds,
      representativeId,
      measures: shorten(measures),
    }))
    kept.push({ id: question, database: 'sample company', groups, right: [groups[right]!.key], weight: 1 })
  }
  const path = resolve(import.meta.dirname, '..', OUT)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `[\n${kept.map(question => JSON.stringify(question)).join(',\n')}\n]\n`)
  const first = kept.filter(({ groups, right }) => groups[0]?.key === right[0]).length
  process.stdout.write(
    `${JSON.stringify({ questions: knownQuestions.length, kept: kept.length, first, left }, null, 1)}\n`,
  )
} finally {
  await resources.release()
}

function shorten(measures: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(measures).map(([name, value]) => [name, Number(value.toFixed(4))]))
}
