import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { parse } from 'yaml'
import { z } from 'zod'
import { makeAnswering } from '../src/bootstrap/answering/answering.ts'
import { makeResources } from '../src/bootstrap/resources.ts'
import { loadConfig } from '../src/config/load-config.ts'
import { silentLog } from '../src/domain/operations/telemetry.ts'
import { buildDatabase, databaseNames, loadDatabase } from '../training/business/build-databases.ts'
import { toQuestionLines } from '../training/business/questions.ts'

/**
 * `npm run bench:prompts [-- --json] [-- --only NAME]`: how long the prompts of each drafting path are and which share of
 * them a provider's cache can hold, for the questions of fixtures/business that may be read. A local endpoint makes up
 * examples and says that nothing can be answered, so that every path is asked. The JSON schema of the reply counts, since
 * providers put it in front of the model too.
 */
const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
  },
})

const fixtures = join(import.meta.dirname, '../fixtures/business')

/** The day that the questions about the sample company are asked on. */
const COMPANY_DAY = '2026-11-20T09:00:00Z'

/** The outputs of the prompts that are measured, by their path. */
const paths = {
  'metric-query': 'metric-query',
  'divide-and-conquer': 'divide-and-conquer',
  'query-plan': 'query-plan',
  'drafted-sql': 'online-synthetic',
} as const

type Output = keyof typeof paths

const chatRequest = z.object({
  messages: z.array(z.object({ content: z.string() })),
  response_format: z.object({ json_schema: z.object({ name: z.string(), schema: z.unknown() }) }),
})

/** What is answered to each kind of prompt but the one for examples: that there is nothing to say. */
const replies: Readonly<Record<string, unknown>> = {
  'metric-query': { missing: 'everything' },
  'divide-and-conquer': { parts: [], assembled: '', redundant: [], sql: '', assumptions: [] },
  'query-plan': { locate: [], operate: [], deliver: [], sql: '', assumptions: [] },
  'drafted-sql': { thought: '', sql: '', assumptions: [] },
  'fixed-sql': { diagnosis: '', sql: '', assumptions: [] },
  judgement: { difference: '', reason: '', winner: 'first' },
  keywords: { phrases: [] },
}

/** All prompts of one question, by their output. */
const asked = new Map<string, string[]>()

const answerRequest = (body: string): unknown => {
  const { messages, response_format } = chatRequest.parse(JSON.parse(body))
  const { name, schema } = response_format.json_schema
  const reply = name === 'examples' ? makeExamples(messages.at(-1)?.content ?? '') : replies[name]
  if (reply === undefined) throw new Error(`nobody expects a request for ${name}`)
  const prompt = [JSON.stringify(schema), ...messages.map(({ content }) => content)].join('\n')
  asked.set(name, [...(asked.get(name) ?? []), prompt])
  const message = { role: 'assistant', content: JSON.stringify(reply) }
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  return {
    id: '1',
    object: 'chat.completion',
    created: 0,
    model: 'none',
    usage,
    choices: [{ index: 0, message, finish_reason: 'stop' }],
  }
}

let examplesMade = 0

/** Nine statements over columns of the schema, as long as a model's, others for each question. */
const makeExamples = (prompt: string): unknown => {
  const schema = /<schema>\n([\s\S]*)\n<\/schema>/.exec(prompt)?.[1] ?? ''
  const columns = [...schema.matchAll(/CREATE TABLE (\S+) \(\n([\s\S]*?)\n\);/g)].flatMap(
    ([, table = '', lines = '']) =>
      [...lines.matchAll(/^ {2}(?!FOREIGN|PRIMARY)(\S+)/gm)].map(([, column = '']) => ({
        table,
        column: column.replace(/,$/, ''),
      })),
  )
  examplesMade++
  const examples = Array.from({ length: 9 }, (_, at) => columns[(examplesMade * 5 + at * 3) % columns.length])
    .flatMap(one => one ?? [])
    .map(({ table, column }) => ({
      question: `Which five ${column} of ${table} occur most often, and how often?`,
      sql: `SELECT ${column}, COUNT(*) AS times FROM ${table} GROUP BY ${column} ORDER BY times DESC LIMIT 5`,
    }))
  return { features: examples.slice(0, 5), focused: examples.slice(5) }
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/**
 * Lengths of the first prompts of one path, and of all of its prompts how many characters a provider may have cached:
 * what each begins with like a prompt of another question before it.
 */
interface Measured {
  readonly lengths: number[]
  characters: number
  cached: number
  /** Prompts of the first question and of the one before: a cache holds what was asked for often or just now. */
  first: readonly string[]
  last: readonly string[]
}

const main = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'querent-prompts-'))
  const server = createServer(async (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answerRequest(await textOf(request))))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const table = new Table({
    head: ['database', 'questions', ...Object.values(paths).map(path => `${path} (cached)`)],
  })
  try {
    const rows: MeasuredDatabase[] = []
    if (isWanted('sample-company'))
      rows.push(await measure({ name: 'sample-company', folder, baseUrl, asOf: COMPANY_DAY }))
    for (const name of databaseNames(fixtures).filter(isWanted)) {
      const database = await loadDatabase(fixtures, name)
      await buildDatabase(folder, name, database)
      const url = `${database.engine}:${join(folder, `${name}.${database.engine}`)}`
      rows.push(await measure({ name, folder, baseUrl, asOf: database.asOf, url }))
    }
    if (options.json) console.log(JSON.stringify(summarize(rows)))
    else {
      for (const { name, questions, measured } of rows) table.push([name, questions, ...cellsOf(measured)])
      console.log(table.toString())
    }
  } finally {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const isWanted = (name: string): boolean => options.only.length === 0 || options.only.includes(name)

/** The questions that may be read; those in files of their own are not even opened. */
const questionsOf = (name: string, isCompany: boolean): readonly string[] => {
  const files = isCompany
    ? readdirSync(fixtures).filter(file => file.endsWith('.yml'))
    : [join(name, 'questions.yml')]
  return files
    .flatMap(file => toQuestionLines(name, name, parse(readFileSync(join(fixtures, file), 'utf8'))))
    .filter(({ part }) => part === 'read')
    .map(({ question }) => question)
}

const measure = async (given: {
  readonly name: string
  readonly folder: string
  readonly baseUrl: string
  readonly asOf: string
  /** Left out for the sample company. */
  readonly url?: string
}): Promise<MeasuredDatabase> => {
  const { name, url } = given
  const measured = new Map<Output, Measured>()
  const questions = questionsOf(name, url === undefined)
  // In rounds there is one draft of each path; everything at once gives two samples of the paths that write SQL.
  await askAll(questions, given, { mode: 'adaptive', measured })
  await askAll(questions, given, { mode: 'full', measured })
  return { name, questions: questions.length, measured }
}

const askAll = async (
  questions: readonly string[],
  { name, folder, baseUrl, asOf, url }: Parameters<typeof measure>[0],
  { mode, measured }: { readonly mode: 'adaptive' | 'full'; readonly measured: Map<Output, Measured> },
): Promise<void> => {
  const settings = [
    'timeZone: UTC',
    'models: {drafter: {model: none}}',
    `drafting: {mode: ${mode}, mostDrafts: ${mode === 'full' ? 6 : 3}}`,
    'budget: {modelCallsPerQuestion: 200, tokensPerQuestion: 1000000}',
    ...(url === undefined ? [] : [`databases: {${name}: {url: "${url}"}}`]),
  ]
  writeFileSync(join(folder, 'querent.yml'), settings.join('\n'))
  const config = loadConfig({ env: { OPENAI_BASE_URL: baseUrl }, cwd: folder })
  const resources = makeResources(config, { log: silentLog, asOf: asOf.slice(0, 10) })
  for (const one of measured.values()) Object.assign(one, { first: [], last: [] })
  try {
    const answering = await makeAnswering(resources, { model: null, kept: 'in-memory' })
    for (const text of questions) {
      asked.clear()
      const id = randomUUID()
      const question = {
        id,
        key: id,
        text,
        database: name,
        askedAt: new Date(asOf),
        timeZone: 'UTC',
        askedBy: null,
      }
      await answering.keepQuestion(question)
      await answering.answer(question)
      await answering.forget(id)
      for (const output of Object.keys(paths) as Output[]) {
        const prompts = asked.get(output) ?? []
        if (prompts.length > 0) measured.set(output, countPrompts(prompts, measured.get(output), mode))
      }
    }
  } finally {
    await resources.release()
  }
}

const countPrompts = (
  prompts: readonly string[],
  known: Measured = { lengths: [], characters: 0, cached: 0, first: [], last: [] },
  mode: 'adaptive' | 'full',
): Measured => {
  const { first, last } = known
  if (last.length > 0)
    for (const prompt of prompts) {
      known.characters += prompt.length
      known.cached += Math.max(...[...first, ...last].map(other => sharedStart(other, prompt)))
    }
  if (mode === 'adaptive') known.lengths.push(prompts[0]?.length ?? 0)
  return { ...known, first: first.length > 0 ? first : prompts, last: prompts }
}

/** How many characters two texts begin with alike. */
const sharedStart = (a: string, b: string): number => {
  let [low, high] = [0, Math.min(a.length, b.length)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (a.startsWith(b.slice(0, middle))) low = middle
    else high = middle - 1
  }
  return low
}

/** What was measured on one database. */
interface MeasuredDatabase {
  readonly name: string
  readonly questions: number
  readonly measured: ReadonlyMap<Output, Measured>
}

const cellsOf = (measured: MeasuredDatabase['measured']): readonly string[] =>
  (Object.keys(paths) as Output[]).map(output => {
    const { lengths = [], cached = 0, characters = 0 } = measured.get(output) ?? {}
    return `${median(lengths)} (${characters === 0 ? '-' : `${((100 * cached) / characters).toFixed(1)}%`})`
  })

/** Of each path, over all databases: the mean length of a prompt that is asked first, and the share that can be cached. */
const summarize = (rows: readonly MeasuredDatabase[]) => {
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
  const shareOf = (found: readonly Measured[]): number =>
    sum(found.map(({ cached }) => cached)) / sum(found.map(({ characters }) => characters))
  const ofPath = (output: Output) => rows.flatMap(({ measured }) => measured.get(output) ?? [])
  const outputs = Object.keys(paths) as Output[]
  return {
    paths: Object.fromEntries(
      outputs.map(output => {
        const lengths = ofPath(output).flatMap(one => one.lengths)
        return [
          paths[output],
          { characters: Math.round(sum(lengths) / lengths.length), cacheable: shareOf(ofPath(output)) },
        ]
      }),
    ),
    // Drafts of SQL: a metric query is shown the layer, which has a caching of its own.
    cacheable: shareOf(outputs.filter(output => output !== 'metric-query').flatMap(ofPath)),
  }
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

await main()
