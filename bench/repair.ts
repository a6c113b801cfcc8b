import { Console } from 'node:console'
import { appendFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parsePoolSpec, readPoolsFile } from '../src/evaluation/pools-file.ts'
import { readQuestionsFile, selectUsable } from '../src/evaluation/questions-file.ts'
import { goldsTakenForWrong } from './repair/golds-taken-for-wrong.ts'
import { repairPool } from './repair/repaired-candidates.ts'
import { scoreByClass, scoreQuestions } from './repair/score-repairs.ts'

/**
 * `npm run bench:repair -- --pools FILE --questions FILE --databases DIR|postgres://HOST/{db_id} --pool P [--pool P ...]
 * [--out FILE]`: what the rules alone, without a model, make of statements that real systems wrote and that fail, by
 * class of failure, and what that does to votes. `--out` gets one line for each statement with a problem.
 */
const { values } = parseArgs({
  options: {
    pools: { type: 'string', default: '' },
    questions: { type: 'string', default: '' },
    databases: { type: 'string', default: '' },
    pool: { type: 'string', multiple: true, default: [] },
    limit: { type: 'string' },
    out: { type: 'string' },
    golds: { type: 'boolean', default: false },
  },
})

const pathOf = (file: string): string => resolve(process.env.INIT_CWD ?? '.', file)

const lines = selectUsable(
  await readQuestionsFile(pathOf(values.questions)),
  values.limit === undefined ? undefined : Number(values.limit),
)

if (values.golds)
  process.stdout.write(`${JSON.stringify(await goldsTakenForWrong(lines, values.databases))}\n`)

const pools = values.golds ? new Map() : await readPoolsFile(pathOf(values.pools))

const people = new Console(process.stderr)

for (const pool of values.pool) {
  const repairs = await repairPool({
    lines,
    pools,
    spec: parsePoolSpec(pool),
    databases: values.databases,
    onProgress: (done, total) => process.stderr.write(`\r${pool}: ${done} of ${total} questions`),
  })
  process.stderr.write('\n')
  const result = {
    pool,
    before: scoreQuestions(repairs, 'before'),
    after: scoreQuestions(repairs, 'after'),
    classes: scoreByClass(repairs),
  }
  process.stdout.write(`${JSON.stringify(result)}\n`)
  people.log(pool)
  people.table({ before: result.before, after: result.after })
  people.table(result.classes)
  if (values.out === undefined) continue
  const told = repairs.filter(({ before }) => before.problem !== null)
  appendFileSync(pathOf(values.out), told.map(one => `${JSON.stringify({ pool, ...one })}\n`).join(''))
}
