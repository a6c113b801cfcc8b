import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeFolder } from '../config/make-folder.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'

const boats = makeSqliteFile("create table boats (name text); insert into boats values ('Alba'), ('Brisa')")

/** A model that knows nothing: each call fails at once. */
const model = createServer((_, response) => response.writeHead(404).end('{}'))

beforeAll(async () => {
  await once(model.listen(0, '127.0.0.1'), 'listening')
})

afterAll(() => {
  model.closeAllConnections()
  model.close()
  boats.remove()
})

const run = (args: readonly string[], callLimit: number) => {
  const { port } = model.address() as AddressInfo
  const folder = makeFolder({ 'querent.yml': `budget: {modelCallsPerQuestion: ${callLimit}}` })
  const question = { db_id: basename(boats.file, '.sqlite'), question: 'How many boats?', gold: countBoats }
  const lines = [1, 2].map(id => JSON.stringify({ id, ...question }))
  writeFileSync(join(folder, 'questions.jsonl'), lines.join('\n'))
  const env = { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_API_KEY: 'k' }
  return runCli(args, { folder, home: join(folder, '.querent'), env })
}

const countBoats = 'select count(*) from boats'

const ask = ['ask', 'How many boats?', '--database', `sqlite:${boats.file}`, '--model', 'm', '--json']

const warning =
  'A question may need about 30 model calls in full mode, but budget.modelCallsPerQuestion allows 12.'

it('says before full mode starts that its model calls may not be enough', async () => {
  const { err, out } = await run([...ask, '--strategy', 'chase'], 12)
  expect(err).toContain(warning)
  expect(JSON.parse(out)).toMatchObject({ status: 'answered', rows: [[2]] })
})

it.each([
  ['the default', ['--strategy', 'chase'], 30],
  ['adaptive mode', [], 12],
])('says nothing with %s', async (_, args, callLimit) => {
  expect((await run([...ask, ...args], callLimit)).err).not.toContain('model calls in full mode')
})

it('says so once in an evaluation', async () => {
  const questions = ['--questions', 'questions.jsonl', '--databases', dirname(boats.file)]
  const options = ['--model', 'm', '--strategy', 'chase', '--json']
  const { err, out } = await run(['eval', 'questions', ...questions, ...options], 12)
  expect(JSON.parse(out)).toMatchObject({ questions: 2, ex: 1 })
  expect(err.split(warning)).toHaveLength(2)
})
