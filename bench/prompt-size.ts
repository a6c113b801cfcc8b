import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
 * `npm run bench:prompts`: how long the first prompt of each drafting path is, for the questions of fixtures/business that
 * may be read. A local endpoint says that nothing can be answered, so that every path is asked. The JSON schema of the
 * reply counts, since providers put it in front of the model too.
 */

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

/** What is answered to each kind of prompt: that there is nothing to say. */
const replies: Readonly<Record<string, unknown>> = {
  'metric-query': { missing: 'everything' },
  'divide-and-conquer': { parts: [], assembled: '', redundant: [], sql: '', assumptions: [] },
  'query-plan': { locate: [], operate: [], deliver: [], sql: '', assumptions: [] },
  'drafted-sql': { thought: '', sql: '', assumptions: [] },
  'fixed-sql': { diagnosis: '', sql: '', assumptions: [] },
  examples: { features: [], focused: [] },
  judgement: { difference: '', reason: '', winner: 'first' },
  keywords: { phrases: [] },
}

/** Prompts of one question, the first of each output. */
const asked = new Map<string, string>()

const answerRequest = (body: string): unknown => {
  const { messages, response_format } = chatRequest.parse(JSON.parse(body))
  const { name, schema } = response_format.json_schema
  const reply = replies[name]
  if (reply === undefined) throw new Error(`nobody expects a request for ${name}`)
  if (!asked.has(name))
    asked.set(name, [JSON.stringify(schema), ...messages.map(({ content }) => content)].join('\n'))
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

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/**
 * Lengths of the prompts of one path, and how much of each is new: behind what it begins with like the prompt of the
 * question before, which a provider may have cached.
 */
interface Measured {
  readonly lengths: number[]
  readonly fresh: number[]
  last: string
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
    head: ['database', 'questions', 'metric queries', ...Object.values(paths).map(path => `${path} (new)`)],
  })
  try {
    table.push(await measure({ name: 'sample-company', folder, baseUrl, asOf: COMPANY_DAY }))
    for (const name of databaseNames(fixtures)) {
      const database = await loadDatabase(fixtures, name)
      await buildDatabase(folder, name, database)
      const url = `${database.engine}:${join(folder, `${name}.${database.engine}`)}`
      table.push(await measure({ name, folder, baseUrl, asOf: database.asOf, url }))
    }
    console.log(table.toString())
  } finally {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

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
}): Promise<(string | number)[]> => {
  const { name, folder, baseUrl, asOf, url } = given
  const settings = [
    'timeZone: UTC',
    'models: {drafter: {model: none}}',
    'drafting: {mode: adaptive, mostDrafts: 3}',
    'budget: {modelCallsPerQuestion: 200, tokensPerQuestion: 1000000}',
    ...(url === undefined ? [] : [`databases: {${name}: {url: "${url}"}}`]),
  ]
  writeFileSync(join(folder, 'querent.yml'), settings.join('\n'))
  const config = loadConfig({ env: { OPENAI_BASE_URL: baseUrl }, cwd: folder })
  const resources = makeResources(config, { log: silentLog, asOf: asOf.slice(0, 10) })
  const measured = new Map<Output, Measured>()
  const questions = questionsOf(name, url === undefined)
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
        const prompt = asked.get(output)
        if (prompt === undefined) continue
        const known = measured.get(output) ?? { lengths: [], fresh: [], last: '' }
        if (known.last !== '') known.fresh.push(prompt.length - sharedStart(known.last, prompt))
        known.lengths.push(prompt.length)
        known.last = prompt
        measured.set(output, known)
      }
    }
  } finally {
    await resources.release()
  }
  const cells = (Object.keys(paths) as Output[]).map(output => {
    const { lengths = [], fresh = [] } = measured.get(output) ?? {}
    return `${median(lengths)} (${median(fresh)})`
  })
  return [name, questions.length, measured.get('metric-query')?.lengths.length ?? 0, ...cells]
}

const sharedStart = (a: string, b: string): number => {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

await main()
