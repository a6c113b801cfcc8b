import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { z } from 'zod'
import { toQuestionLines } from './business-questions.ts'

/**
 * `business.ts [--misses]`: asks the questions of fixtures/business about the sample company, without a model, and prints
 * the summary of `eval questions` with a `read` and an `unread` part. `--misses` lists what went wrong on standard error;
 * of unread questions only totals are ever printed, so that nobody tunes to them.
 */
const { values } = parseArgs({ options: { misses: { type: 'boolean', default: false } } })
const root = join(import.meta.dirname, '../..')

/** The day that the known answers were checked on. */
const AS_OF = '2026-11-20T09:00:00Z'

const fixtures = join(root, 'fixtures/business')
const questions = readdirSync(fixtures)
  .filter(name => name.endsWith('.yml'))
  .flatMap(name =>
    toQuestionLines(name.replace('.yml', ''), parse(readFileSync(join(fixtures, name), 'utf8'))),
  )

const folder = mkdtempSync(join(tmpdir(), 'querent-business-'))
try {
  const asked = join(folder, 'questions.jsonl')
  const out = join(folder, 'out.jsonl')
  writeFileSync(asked, questions.map(line => `${JSON.stringify(line)}\n`).join(''))
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(root, 'src/cli.ts'),
      ...[
        'eval',
        'questions',
        '--questions',
        asked,
        '--model',
        'none',
        '--as-of',
        AS_OF,
        '--out',
        out,
        '--json',
      ],
    ],
    { encoding: 'utf8', cwd: folder, env: { ...process.env, INIT_CWD: folder } },
  )
  if (status !== 0) throw new Error(stderr.trim().split('\n').at(-1) ?? 'eval questions failed')
  const lineSchema = z.object({
    id: z.string(),
    exAnyOrder: z.boolean().nullable(),
    outcome: z.string(),
    sql: z.string().nullable(),
    goldError: z.string().nullable(),
  })
  const lines = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map(text => lineSchema.parse(JSON.parse(text)))
  const broken = lines.filter(({ goldError }) => goldError !== null)
  if (broken.length > 0)
    throw new Error(
      `known answers that do not run: ${broken.map(({ id, goldError }) => `${id} (${goldError})`).join(', ')}`,
    )
  const unread = new Set(questions.filter(line => line.unread).map(({ id }) => id))
  const totals = (wanted: boolean) => {
    const chosen = lines.filter(({ id }) => unread.has(id) === wanted)
    return {
      questions: chosen.length,
      right: chosen.filter(({ exAnyOrder }) => exAnyOrder).length,
      wrong: chosen.filter(({ outcome, exAnyOrder }) => outcome === 'answered' && !exAnyOrder).length,
      askedBack: chosen.filter(({ outcome }) => outcome === 'clarified').length,
    }
  }
  if (values.misses) {
    const texts = new Map(questions.map(({ id, question }) => [id, question]))
    for (const { id, exAnyOrder, outcome, sql } of lines) {
      if (!exAnyOrder && !unread.has(id))
        console.error(`${id}: ${texts.get(id)}\n  ${outcome} ${(sql ?? '').replaceAll(/\s+/g, ' ')}`)
    }
  }
  console.log(JSON.stringify({ ...JSON.parse(stdout), read: totals(false), unread: totals(true) }))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
