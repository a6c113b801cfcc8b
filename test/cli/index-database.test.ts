import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../helpers/cli/run-cli.ts'
import { startModelServer } from '../llm/model-server.ts'

let folder: string
const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runCli(args, {
    folder,
    home: join(folder, 'home'),
    env: { QUERENT_CONFIG: join(folder, 'querent.yml'), ...env },
  })

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
  const database = new DatabaseSync(join(folder, 'harbour.sqlite'))
  database.exec(`
    create table ports (id integer primary key, name text);
    insert into ports values (1, 'Kiel'), (2, 'Bergen');
    create table boats (id integer primary key, name text, port_id integer, class text);
    insert into boats values (1, 'Alba', 1, 'C'), (2, 'Brisa', 1, 'C'), (3, 'Cyan', 2, 'R');
    create view broken as select missing from ports;
  `)
  database.close()
  writeFileSync(
    join(folder, 'querent.yml'),
    'defaultDatabase: harbour\ndatabases:\n  harbour:\n    path: harbour.sqlite\n    description: Boats and where they lie\n',
  )
  mkdirSync(join(folder, 'knowledge'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const know = (text: string): void => writeFileSync(join(folder, 'knowledge/harbour.md'), text)

describe('index', { timeout: 90_000 }, () => {
  it('tells what it came to, and on standard error what was found and left out', async () => {
    know('')
    const { status, out, err } = await run(['index', '--json'])
    expect(status).toBe(0)
    const report = JSON.parse(out)
    expect(Object.keys(report)).toEqual(['tables', 'columns', 'values', 'milliseconds', 'bytes'])
    expect(report).toMatchObject({ tables: 2, columns: 6, values: 7 })
    expect(err).toContain('boats.port_id -> ports.id (100% of the values match)')
    const again = await run(['index'])
    expect(again.out).toMatch(/^2 tables, 6 columns and 7 values in \d/)
  })

  it('fails on knowledge that does not fit, with the line and the nearest name', async () => {
    know("## Terms\n### cruiser\n- sql: boats.clas = 'C'\n")
    const { status, out } = await run(['index'])
    expect(status).toBe(1)
    expect(out).toContain('knowledge/harbour.md:2: the table boats has no column clas; did you mean class?')
  })

  it('leaves knowledge in force, and a question uses it without a model', async () => {
    know(
      "---\ndatabase: harbour\n---\n## Terms\n### cruiser\nA boat to live on.\n- sql: `boats.class = 'C'`\n",
    )
    expect((await run(['index', '--json'])).status).toBe(0)
    const { out } = await run(['ask', 'How many cruisers are there?', '--json'])
    const answer = JSON.parse(out)
    expect(answer).toMatchObject({ status: 'answered', rows: [[2]] })
    expect(answer.sql).toContain("class = 'C'")
  })

  it('describes only when told to, and says what it needs for that', async () => {
    const without = await run(['index', '--describe'])
    expect([without.status, without.err]).toEqual([2, expect.stringContaining('--describe needs a model')])
    const reply = JSON.stringify({
      table: 'Something of the harbour.',
      columns: [{ column: 'class', description: 'C to live on, R to race.' }],
    })
    await using server = await startModelServer([{ reply }, { reply }])
    const told = await run(['index', '--describe', '--model', 'some-model'], {
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: server.connection.baseUrl,
    })
    expect(told.status).toBe(0)
    expect(told.out).toContain('Described 2 tables and 1 column in')
    const text = readFileSync(join(folder, 'knowledge/generated/harbour.md'), 'utf8')
    expect(text).toContain('### boats\nSomething of the harbour.\n- `class`: C to live on, R to race.')
    expect(server.seen()[0]?.messages.at(-1)?.content).toContain('Boats and where they lie')
  })
})
