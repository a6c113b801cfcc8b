import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { z } from 'zod'
import {
  type BusinessDatabase,
  buildDatabase,
  databaseNames,
  loadDatabase,
  writeSettings,
} from '../../training/business/build-databases.ts'
import {
  type BusinessLine,
  databaseFollowUps,
  databaseQuestions,
  FOLLOW_UP,
  type Part,
  toQuestionLines,
} from '../../training/business/questions.ts'
import { type AskedQuestion, summarize, type Totals } from './summarize-business.ts'

/**
 * `business.ts [--layer LAYER] [--misses] [--only NAME] [--follow-ups]`: asks the questions of fixtures/business without a
 * model. With the layer `accepted`, which is the default: those about the sample company, and those about other databases
 * with follow-ups by the semantic layer that was accepted for each. With `proposed`: the same about other databases by
 * nothing but what Querent proposes. Prints the totals by `read`, `unread` and `fresh` questions. `--misses` lists what went wrong on standard error; of the others only
 * totals are ever printed, so that nobody tunes to them.
 */
const { values } = parseArgs({
  options: {
    layer: { type: 'string', default: 'accepted' },
    misses: { type: 'boolean', default: false },
    only: { type: 'string' },
    'follow-ups': { type: 'boolean', default: false },
  },
})
const layer = z.enum(['accepted', 'proposed']).parse(values.layer)
const asksCompany = layer === 'accepted' && values.only === undefined && !values['follow-ups']
const root = join(import.meta.dirname, '../..')
const fixtures = join(root, 'fixtures/business')

/** The day that the known answers about the sample company were checked on. */
const AS_OF = '2026-11-20T09:00:00Z'

const outLine = z.object({
  id: z.string(),
  ex: z.boolean().nullable(),
  outcome: z.string(),
  confidence: z.number().nullable(),
  sql: z.string().nullable(),
  goldError: z.string().nullable(),
})

/** A question and what became of it. */
type Asked = AskedQuestion & { readonly part: Part }

/** Where questions are asked: without `databases`, their ids are names in the querent.yml of the folder. */
interface Place {
  readonly asOf: string
  readonly databases: string | null
  readonly cwd: string
}

const folder = mkdtempSync(join(tmpdir(), 'querent-business-'))
/** Without settings. */
const companyFolder = join(folder, 'company')
mkdirSync(companyFolder)
try {
  const company = readdirSync(fixtures)
    .filter(name => name.endsWith('.yml'))
    .flatMap(name =>
      toQuestionLines(
        name.replace('.yml', ''),
        'sample-company',
        parse(readFileSync(join(fixtures, name), 'utf8')),
      ),
    )
  const databases = await buildDatabases(
    databaseNames(fixtures).filter(name => values.only === undefined || name === values.only),
  )
  writeSettings(
    folder,
    fixtures,
    new Map([...databases].map(([name, { engine }]) => [name, { engine, folder }])),
  )
  // Two processes at a time.
  const [ofCompany, ofOthers] = await Promise.all([
    asksCompany ? ask('company', company, { asOf: AS_OF, databases: null, cwd: companyFolder }) : null,
    askDatabases(databases, ({ asOf, engine }) => ({
      asOf,
      databases: layer === 'accepted' ? null : `${engine}:${folder}/{db_id}.${engine}`,
      cwd: layer === 'accepted' ? folder : companyFolder,
    })),
  ])
  const { questions, followUps } = withoutFollowUps(ofOthers)
  console.log(
    JSON.stringify({
      ...(ofCompany && { company: partsOf(ofCompany) }),
      ...(values['follow-ups'] ? {} : partsOf(questions)),
      followUps: partsOf(followUps),
    }),
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function buildDatabases(names: readonly string[]): Promise<ReadonlyMap<string, BusinessDatabase>> {
  const built = new Map<string, BusinessDatabase>()
  for (const name of names) {
    const database = await loadDatabase(fixtures, name)
    await buildDatabase(folder, name, database)
    built.set(name, database)
  }
  return built
}

async function askDatabases(
  databases: ReadonlyMap<string, BusinessDatabase>,
  placeOf: (database: BusinessDatabase) => Place,
): Promise<readonly Asked[]> {
  const all: Asked[] = []
  for (const [name, database] of databases) {
    const questions = [
      ...(values['follow-ups'] ? [] : databaseQuestions(fixtures, name)),
      ...databaseFollowUps(fixtures, name),
    ]
    all.push(...(await ask(name, questions, placeOf(database))))
  }
  return all
}

/** Asks the questions in a process of their own, as a user would. */
async function ask(
  source: string,
  questions: readonly BusinessLine[],
  { asOf, databases, cwd }: Place,
): Promise<readonly Asked[]> {
  const lines = join(cwd, `${source}.jsonl`)
  const out = join(cwd, `${source}.out.jsonl`)
  writeFileSync(lines, questions.map(({ part: _, ...line }) => `${JSON.stringify(line)}\n`).join(''))
  const args = ['--questions', lines, '--model', 'none', '--as-of', asOf, '--out', out, '--json']
  await run(['eval', 'questions', ...args, ...(databases === null ? [] : ['--databases', databases])], cwd)
  const results = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map(text => outLine.parse(JSON.parse(text)))
  const broken = results.filter(({ goldError }) => goldError !== null)
  if (broken.length > 0)
    throw new Error(
      `known answers that do not run: ${broken.map(({ id, goldError }) => `${id} (${goldError})`).join(', ')}`,
    )
  const byId = new Map(questions.map(line => [line.id, line]))
  return results.map(({ id, ex, outcome, confidence, sql }) => {
    const line = byId.get(id)
    if (line === undefined) throw new Error(`an answer to a question that was not asked: ${id}`)
    const isRight = ex === true
    if (values.misses && !isRight && line.part === 'read' && line.answerable)
      console.error(
        `${id}: ${[...line.after, line.question].join(' > ')}\n  ${outcome} ${(sql ?? '').replaceAll(/\s+/g, ' ')}`,
      )
    return { kind: line.kind, isRight, outcome, confidence, answerable: line.answerable, part: line.part }
  })
}

function run(args: readonly string[], cwd: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'src/cli.ts'), ...args],
    { cwd, env: { ...process.env, INIT_CWD: cwd }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let errors = ''
  child.stderr.on('data', (data: Buffer) => {
    errors += data.toString()
  })
  child.on('error', reject)
  child.on('close', code => {
    if (code === 0) resolve()
    else reject(new Error(errors.trim().split('\n').at(-1) ?? 'eval questions failed'))
  })
  return promise
}

function withoutFollowUps(asked: readonly Asked[]): { questions: Asked[]; followUps: Asked[] } {
  const isFollowUp = ({ kind }: Asked): boolean => kind === FOLLOW_UP
  return { questions: asked.filter(one => !isFollowUp(one)), followUps: asked.filter(isFollowUp) }
}

function partsOf(asked: readonly Asked[]): Readonly<Record<Part, Totals>> {
  const totalsOf = (wanted: Part): Totals => summarize(asked.filter(({ part }) => part === wanted))
  return { read: totalsOf('read'), unread: totalsOf('unread'), fresh: totalsOf('fresh') }
}
