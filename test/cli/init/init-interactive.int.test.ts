import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { runCli } from '../../helpers/cli/run-cli.ts'
import { keys, typeCli } from '../../helpers/cli/type-cli.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/test-database.ts'
import { startTestSimulator } from '../../simulator/start-test-simulator.ts'

let folder: string
let database: TestDatabase
const place = (env: NodeJS.ProcessEnv = {}) => ({ folder, home: join(folder, 'home'), env })
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

const asAdmin = async (statements: readonly string[]): Promise<void> => {
  const client = new Client({ connectionString: database.url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

beforeAll(async () => {
  database = await createTestDatabase()
  await asAdmin([
    `create table boats (id integer primary key, name text, hull text, length numeric, built date)`,
    `insert into boats select i, 'Boat ' || i, case when i % 3 = 0 then 'red' else 'blue' end, i % 17, date '2025-01-01' + i from generate_series(1, 60) i`,
  ])
})
afterAll(async () => {
  await database.drop()
  const admin = new Client({ connectionString: inject('embeddedPostgresUrl') })
  await admin.connect()
  await admin.query('drop role if exists querent_reader')
  await admin.end()
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'querent-init-'))
  return () => rmSync(folder, { recursive: true, force: true })
})

/** The address as somebody types it, and the password that is asked for. */
const typed = () => {
  const url = new URL(database.url)
  const password = decodeURIComponent(url.password)
  url.password = ''
  return { address: url.href, password }
}
const theDatabase = () => {
  const { address, password } = typed()
  return [
    [/\? Which database/, keys.enter],
    [/\? Address or path/, `${address}${keys.enter}`],
    [/\? Password of/, `${password}${keys.enter}`],
    [/\? What do you call it/, `boats${keys.enter}`],
    [/\? What is in it/, `Boats of the harbour${keys.enter}`],
  ] as const
}

describe('a person at the terminal', () => {
  it('switches to a read-only user in a second run, after an administrator created it', async () => {
    const first = await typeCli(['init'], place(), [
      [/\? Which database/, keys.enter],
      [/\? Address or path/, `postgres://ada@127.0.0.1:1/boats${keys.enter}`],
      [/\? Password of ada/, keys.enter],
      [/No\s+server\s+is\s+listening\s+there[\s\S]*\? Address or path/, `${typed().address}${keys.enter}`],
      [/\? Password of/, `${typed().password}${keys.enter}`],
      [/\? What do you call it/, `boats${keys.enter}`],
      [/\? What is in it/, keys.enter],
      [/\? What now/, keys.enter],
      [/may not have been run yet[\s\S]*\? What now/, `${keys.down}${keys.down}${keys.enter}`],
    ])
    expect(first.status).toBe(1)
    expect(first.err).toContain('To continue: npm run -s querent -- init')
    expect(first.shown).toContain('the database user may write')
    // Nobody reads secrets over a shoulder, in querent.yml, or in a .env of everybody's.
    expect(first.shown).not.toContain(typed().password)
    expect(read('querent.yml')).toContain(`url: \${BOATS_DATABASE_URL}`)
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600)
    expect(read('.env')).toContain(`BOATS_DATABASE_URL=${database.url}`)

    const statements = first.shown.match(/^(create role|alter role|alter default|grant|revoke) .*;$/gm) ?? []
    expect(statements.length).toBeGreaterThan(4)
    await asAdmin(statements)

    const second = await typeCli(['init'], place(), [
      [/\? Which database.*\n.*boats, which is in querent.yml/, keys.enter],
      [/\? How does Slack reach/, `${keys.down}${keys.down}${keys.enter}`],
    ])
    expect(second.status).toBe(0)
    expect(second.shown).toContain('Querent now connects as querent_reader')
    expect(second.shown).toContain('the database user cannot write')
    expect(second.shown).toContain('How many boats are there by hull?')
    expect(second.shown).toContain('Done, except for Slack')
    expect(read('.env')).toMatch(/^BOATS_DATABASE_URL=postgres:\/\/querent_reader:/m)
    expect(read('.env')).not.toContain(database.url)
    expect(read('.env')).not.toContain('_READER')

    const asked = await runCli(['ask', 'How many boats are there?', '--json'], place())
    expect(JSON.parse(asked.out)).toMatchObject({ status: 'answered', rows: [[60]] })
  })

  it('continues with Slack after Ctrl-C, and asks again for a token that Slack refuses', async () => {
    await using simulator = await startTestSimulator()
    const at = place({ SLACK_API_URL: simulator.apiUrl })
    const stopped = await typeCli(['init'], at, [
      ...theDatabase(),
      [/\? What now/, `${keys.down}${keys.enter}`],
      [/\? How does Slack reach/, keys.ctrlC],
    ])
    expect(stopped.status).toBe(1)
    expect(stopped.err).toContain('Finished steps are saved')

    const done = await typeCli(['init'], at, [
      [/\? Which database/, keys.enter],
      [/\? What now/, `${keys.down}${keys.enter}`],
      [/\? How does Slack reach/, `${keys.down}${keys.enter}`],
      [/\? Address that Slack calls/, `https://querent.example.com${keys.enter}`],
      [/\? Bot User OAuth Token/, `xoxb-wrong${keys.enter}`],
      [/refuses the token: invalid_auth[\s\S]*\? Bot User OAuth Token/, `${simulator.botToken}${keys.enter}`],
      [/\? Signing Secret/, `0123456789abcdef0123456789abcdef${keys.enter}`],
    ])
    expect(done.status).toBe(0)
    expect(done.shown).toContain('already indexed')
    expect(done.shown).toContain('request_url: https://querent.example.com/slack/events')
    expect(done.shown).toContain('socket_mode_enabled: false')
    expect(done.shown).toMatch(/Done\. Next:\s+npm start/)
    expect(done.shown).not.toContain(simulator.botToken)
    expect(read('.env')).toContain(`SLACK_BOT_TOKEN=${simulator.botToken}`)
    expect(read('.env')).toContain('SLACK_SIGNING_SECRET=0123456789abcdef0123456789abcdef')

    const again = JSON.parse((await runCli(['init', '--yes', '--json'], at)).out)
    expect(again.slack).toMatchObject({ status: 'ok', way: 'http' })
    expect(again.role).toMatchObject({ canWrite: true, statements: expect.anything() })
    // What others may read shows no password.
    expect(again.role.statements.join('\n')).toContain("password 'CHOOSE ONE'")
  })

  it('leaves at Ctrl-D, with nothing written', async () => {
    const { status, err } = await typeCli(['init'], place(), [[/\? Which database/, keys.ctrlD]])
    expect(status).toBe(1)
    expect(err).toContain('Stopped')
    expect(() => statSync(join(folder, 'querent.yml'))).toThrow('ENOENT')
  })
})
