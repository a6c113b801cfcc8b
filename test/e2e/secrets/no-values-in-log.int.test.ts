import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { openKnex } from '../../../src/store/store.ts'
import { makeLog } from '../../../src/telemetry/log.ts'
import { createTestDatabase } from '../../helpers/test-database.ts'
import { openWorkspace, type TestWorkspace } from '../open-workspace.ts'

/** Words that stand for what people ask and what databases hold. */
const planted = ['wombatish', 'quokkaville', 'okapilit', 'numbatreply', 'bilbycomment']

const leaksIn = (lines: readonly string[]): readonly string[] =>
  lines.filter(line => planted.some(word => line.toLowerCase().includes(word)))

/** With these, libraries write what they do. */
const chatty = { QUERENT_LOG_LEVEL: 'debug', DEBUG: '*', OPENAI_LOG: 'debug', LANGCHAIN_VERBOSE: 'true' }

type Mood = 'answers' | 'prose' | 'refuses' | 'rejects' | 'fails'

/** A model that answers with a literal, or goes wrong in a way that quotes what it was sent. */
const startMoodyModel = async () => {
  let mood: Mood = 'answers'
  let asked = 0
  const sql = "select kind, count(*) as n from bicycles where kind <> 'numbatreply' group by kind"
  const server = createServer(async (request, response) => {
    const sent = (await request.toArray()).map(String).join('')
    asked += 1
    const status = { answers: 200, prose: 200, refuses: 200, rejects: 400, fails: 500 }[mood]
    response.writeHead(status, { 'content-type': 'application/json' })
    if (status !== 200) return response.end(JSON.stringify({ error: { message: `cannot read ${sent}` } }))
    const said = {
      answers: JSON.stringify({
        outcome: 'sql',
        sql,
        assumptions: [],
        missing: '',
        unclear: '',
        meanings: [],
      }),
      prose: `I read numbatreply in ${sent.slice(-300)}`,
      refuses: null,
    }[mood as 'answers' | 'prose' | 'refuses']
    const message = {
      role: 'assistant',
      content: said,
      refusal: mood === 'refuses' ? 'no numbatreply' : null,
    }
    const usage = { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    return response.end(JSON.stringify({ id: 'm', object: 'chat.completion', created: 0, choices, usage }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: () => asked,
    is: (next: Mood) => {
      mood = next
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const ask = async (workspace: TestWorkspace, text: string) => {
  const asked = await workspace.ask(`@querent ${text}`)
  const isOver = (blocks: unknown) => !JSON.stringify(blocks).includes('stop_question')
  return workspace.reply(asked, ({ blocks }) => blocks.length > 0 && isOver(blocks), 90_000)
}

it('no question, no literal and no value reaches the log, whatever goes wrong', async () => {
  await using model = await startMoodyModel()
  await using workspace = await openWorkspace({ modelUrl: model.url, env: chatty })
  const { simulator } = workspace
  const file = new DatabaseSync(workspace.databaseFile)
  file.exec("update bicycles set kind = 'quokkaville' where kind = 'cargo'")
  file.close()
  const bot = await workspace.bot.start()
  const answer = await ask(workspace, 'how many bicycles are there by kind, wombatish or quokkaville?')
  await ask(workspace, 'how many quokkaville bicycles are there?')
  await ask(workspace, 'wombatish?')
  for (const mood of ['prose', 'refuses', 'rejects', 'fails'] as const) {
    model.is(mood)
    const before = model.asked()
    await ask(workspace, `how many quokkaville bicycles of a ${mood} wombatish model are there?`)
    expect([mood, model.asked() > before]).toEqual([mood, true])
  }
  model.is('answers')
  const submit = async (sql: string) => {
    await simulator.click({ by: 'ada', on: answer, label: 'Edit & rerun' })
    await simulator.until(() => simulator.modal('ada'))
    await simulator.submitModal('ada', { sql_0: sql })
    if (simulator.modal('ada')) await simulator.closeModal('ada')
  }
  // The database quotes a literal; the guard and the parser quote names and text.
  await submit("select json_extract('{}', 'okapilit') as n")
  await submit("select kind from bicycles where kind = 'okapilit")
  await submit('select okapilit from bicycles')
  simulator.setFaults([
    { method: 'chat.update', times: 1, kind: 'error', error: 'invalid_blocks' },
    { method: 'chat.update', times: 1, kind: 'server-error' },
  ])
  await ask(workspace, 'how many wombatish quokkaville bicycles are there by model?')
  simulator.openHome('ada', 'home')
  await simulator.until(() => simulator.home('ada'))
  await simulator.settled()
  await bot.end('SIGTERM')
  const words = bot.lines.join('\n')
  // It did log at this level, and did what was asked.
  expect(words).toContain('"level":"debug"')
  expect(JSON.stringify(simulator.messages())).toContain('quokkaville')
  expect(leaksIn(bot.lines)).toEqual([])
}, 300_000)

it('no value that could not be stored reaches the log', async () => {
  await using database = await createTestDatabase({ migrated: true })
  const lines: string[] = []
  const log = makeLog({ level: 'debug', destination: { write: line => void lines.push(line) } })
  const knex = openKnex(database.url, log)
  const failing = [
    () => knex('querent.heard_messages').insert({ key: 'okapilit', heard_at: 'wombatish' }),
    () => knex('querent.heard_messages').insert({ key: 'okapilit', nothing: 'bilbycomment' }),
    () => knex('querent.heard_messages').insert([{ key: 'okapilit' }, { key: 'okapilit' }]),
    () => knex.raw('select ?::uuid', ['okapilit']),
  ]
  for (const work of failing)
    await work().then(
      () => expect.unreachable('it fails'),
      (error: unknown) => log.error({ error }, 'could not store it'),
    )
  await knex.destroy()
  expect(lines.length).toBeGreaterThanOrEqual(failing.length)
  expect(leaksIn(lines)).toEqual([])
})
