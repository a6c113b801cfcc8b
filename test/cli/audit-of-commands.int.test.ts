import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CommandName } from '../../src/cli/commands.ts'
import type { StatementRecord } from '../../src/domain/operations/audit.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { type PostgresRecorder, recordPostgres } from '../helpers/services/record-postgres.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts'

let folder: string

let store: TestDatabase

let boats: TestDatabase

let wire: PostgresRecorder

/** Where the boats are, as a person would type it. */
const database = (): readonly string[] => ['--database', wire.url]

const pooled = (): readonly string[] => [
  ...['--pools', 'pools.jsonl', '--questions', 'questions.jsonl'],
  ...['--databases', wire.url.replace(/[^/]+$/, '{db_id}')],
]

/**
 * What to type for every command that sends something to a database of others. Null for one that sends nothing: it looks
 * at our store, at files, or leaves the work to the bot (whose statements are in test/compose/audit.int.test.ts).
 */
const typed: Readonly<Record<CommandName, (() => readonly string[]) | null>> = {
  ask: () => ['How many boats are there?', ...database()],
  guard: () => database(),
  values: () => ['Kiel', ...database()],
  index: database,
  'eval-questions': () => pooled().slice(2),
  'eval-compare': () => [...pooled().slice(2), '--strategies', 'adaptive,chase'],
  'eval-selection': () => [...pooled(), '--pool', 'steady'],
  'train-selector': () => [...pooled(), '--pool', 'steady', '--out', 'model.json'],
  'verified-add': () => ['Which boats are longer than 10 m?', '--file', 'long.sql', ...database()],
  'verified-list': database,
  'knowledge-proposed': database,
  'semantic-check': database,
  'semantic-list': database,
  'semantic-review': () => [...database(), '--accept-all'],
  'semantic-import': () => ['ossie', 'fleet.yml', '--out', 'imported.yml', ...database()],
  'semantic-export': () => ['ossie', ...database()],
  'access-explain': () => ['--person', 'ada', '--table', 'boats', ...database()],
  init: () => ['--yes', '--name', 'boats', ...database()],
  doctor: database,
  // Sends what semantic-list does, and fails without a stored decision.
  'semantic-rollback': null,
  'verified-accept': null,
  'verified-remove': null,
  'bench-values': null,
  'eval-diff': null,
  'selector-list': null,
  'selector-promote': null,
  'selector-rollback': null,
  'feedback-export': null,
  'feedback-held': null,
  'feedback-accept': null,
  'feedback-drop': null,
  'feedback-voters': null,
  'knowledge-accept': null,
  'knowledge-reject': null,
  'audit-export': null,
  forget: null,
  serve: null,
  // Sends what its clients ask for: test/mcp/stdio.int.test.ts.
  mcp: null,
  'digest-list': null,
  'digest-edit': null,
  'digest-run': null,
  'digest-pause': null,
  'digest-resume': null,
  'installations-list': null,
  'installations-remove': null,
  'installations-rotate-keys': null,
  migrate: null,
  'connector-check': () => [wire.url],
}

const sending = Object.keys(typed).filter(name => typed[name as CommandName] !== null) as CommandName[]

/** What a connection sends of itself, and reading the catalogs of the system, which are one entry. */
const ofTheConnection = /^(begin read only|rollback|savepoint|set local)\b/

const ofTheSystem = /\b(pg_[a-z_]+|current_schemas)\b/

/** Checks of the safeguards: one entry too. */
const ofTrials = /querent_wall_/

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'querent-commands-'))
  store = await createTestDatabase({ on: 'embedded', migrated: true })
  boats = await createTestDatabase({ on: 'embedded' })
  const client = new Client({ connectionString: boats.url })
  await client.connect()
  await client.query(`
    create table boats (id integer primary key, name text, home_port text, length_m real);
    insert into boats values (1, 'Alba', 'Kiel', 9.5), (2, 'Brisa', 'Kiel', 12), (3, 'Cyan', 'Bergen', 7)`)
  await client.end()
  wire = await recordPostgres(boats.url)
  const id = 'one'
  const gold = 'select count(*) from boats'
  const line = {
    id,
    db_id: new URL(boats.url).pathname.slice(1),
    question: 'How many boats are there?',
    gold,
  }
  writeFileSync(join(folder, 'questions.jsonl'), JSON.stringify(line))
  const steady = [gold, 'select count(id) from boats', 'select name from boats'].map(sql => ({ sql }))
  writeFileSync(join(folder, 'pools.jsonl'), JSON.stringify({ id, pools: { steady } }))
  writeFileSync(
    join(folder, 'fleet.yml'),
    'version: 0.2.0.dev0\nsemantic_model:\n  - name: fleet\n    datasets:\n      - { name: boats, source: boats, primary_key: [id] }\n',
  )
  writeFileSync(join(folder, 'long.sql'), 'select name from boats where length_m > 10')
})

afterAll(async () => {
  await wire?.[Symbol.asyncDispose]()
  await boats?.drop()
  await store?.drop()
  rmSync(folder, { recursive: true })
})

/** Each command has a home of its own, so that each finds an index that is not there yet. */
const run = (home: string, ...args: readonly string[]) =>
  runCli(args, { folder, home: join(folder, home), env: { DATABASE_URL: store.url } })

const countOf = (texts: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(texts, text => text)].map(([text, all]) => [text, all.length]))

describe('the audit log of a shell', { timeout: 240_000 }, () => {
  it.each(sending)('has whatever %s sends to a database', async name => {
    const words = name.replace('-', ' ')
    wire.take()
    const { status, err } = await run(name, ...words.split(' '), ...(typed[name]?.() ?? []))
    expect([status, name === 'doctor' ? '' : err]).toEqual([0, expect.any(String)])
    const sent = wire
      .take()
      .filter(sql => !ofTheConnection.test(sql) && !ofTheSystem.test(sql) && !ofTrials.test(sql))
    expect(sent.length).toBeGreaterThan(0)

    const exported = await run(name, 'audit', 'export', '--json')
    const all: readonly (StatementRecord & { at: string })[] = JSON.parse(exported.out)
    expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted())
    const log = all.filter(({ command }) => command === `querent ${words}`)
    for (const record of log)
      expect(record).toMatchObject({ person: userInfo().username, team: null, channel: null })
    expect(log.map(({ verdict }) => verdict)).not.toContain('started')
    expect(log.map(({ kind }) => kind)).toContain('schema')
    expect(log.some(({ kind }) => kind === 'trial')).toBe(
      ['init', 'doctor', 'connector-check'].includes(name),
    )
    const told = log
      .filter(({ kind, verdict }) => (kind === 'run' || kind === 'explain') && verdict !== 'refused')
      .map(({ kind, sql }) => (kind === 'explain' ? `explain\n${sql}` : sql))
    expect(countOf(told)).toEqual(countOf(sent))
  })
})
