import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
 * `business.ts [--misses] [--only NAME] [--follow-ups]`: asks the questions of fixtures/business without a model: those
 * about the sample company, and those about other databases with follow-ups, twice: with nothing but what Querent
 * proposes (`proposed`, `followUps`), and with the semantic layer that was accepted (`accepted`). Prints the totals of
 * each by `read`, `unread` and `fresh` questions. `--misses` lists what went wrong on standard error; of the others only
 * totals are ever printed, so that nobody tunes to them.
 */
const { values } = parseArgs({
  options: {
    misses: { type: 'boolean', default: false },
    only: { type: 'string' },
    'follow-ups': { type: 'boolean', default: false },
  },
})
const asksCompany = values.only === undefined && !values['follow-ups']
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
  const acceptedFolder = join(folder, 'accepted')
  writeSettings(
    acceptedFolder,
    fixtures,
    new Map([...databases].map(([name, { engine }]) => [name, { engine, folder }])),
  )
  const ofCompany = asksCompany
    ? ask('company', company, { asOf: AS_OF, databases: null, cwd: folder })
    : Promise.resolve(null)
  const [first, accepted, proposed] = await Promise.all([
    ofCompany,
    // Two processes at a time.
    ofCompany.then(() =>
      askDatabases(databases, ({ asOf }) => ({ asOf, databases: null, cwd: acceptedFolder })),
    ),
    askDatabases(databases, ({ asOf, engine }) => ({
      asOf,
      databases: `${engine}:${folder}/{db_id}.${engine}`,
      cwd: folder,
    })),
  ])
  const [alone, layered] = [withoutFollowUps(proposed), withoutFollowUps(accepted)]
  console.log(
    JSON.stringify({
      ...(first ? partsOf(first) : {}),
      ...(values['follow-ups'] ? {} : { proposed: partsOf(alone.questions) }),
      followUps: partsOf(alone.followUps),
      accepted: {
        ...(values['follow-ups'] ? {} : partsOf(layered.questions)),
        followUps: partsOf(layered.followUps),
      },
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
        `${id}${cwd === folder ? '' : ' (accepted)'}: ${[...line.after, line.question].join(' > ')}\n  ${outcome} ${(sql ?? '').replaceAll(/\s+/g, ' ')}`,
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
