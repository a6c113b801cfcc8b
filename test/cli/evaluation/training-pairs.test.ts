import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCli } from '../../helpers/cli/run-cli.ts'

let folder: string

const run = (...args: string[]) =>
  runCli(args, { folder, home: join(folder, 'home'), env: { OPENAI_BASE_URL: 'http://127.0.0.1:9' } })

const write = (file: string, lines: readonly unknown[]): void =>
  writeFileSync(join(folder, file), lines.map(line => `${JSON.stringify(line)}\n`).join(''))

interface Line {
  readonly messages: readonly { readonly content: string }[]
  readonly completion: string
  readonly questionId: string
  readonly database: string
  readonly source: string
}

const read = (file: string): readonly Line[] =>
  readFileSync(join(folder, file), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

/** Only the known answers have this name, so it shows whether one was told to a judge. */
const GOLD = 'known_answer'

const ports = ['north', 'south']

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
  for (const port of ports) {
    const database = new DatabaseSync(join(folder, `${port}.sqlite`))
    database.exec(`
      create table boats (id integer primary key, name text, home_port text);
      insert into boats values (1, 'Alba', 'Kiel'), (2, 'Brisa', 'Kiel'), (3, 'Cyan', 'Bergen');
    `)
    database.close()
  }
  write(
    'questions.jsonl',
    ports.flatMap(db_id => [
      {
        ...{ id: `${db_id}-1`, db_id, question: 'How many boats are there?' },
        gold: `select count(*) as ${GOLD} from boats`,
      },
      {
        ...{ id: `${db_id}-2`, db_id, question: 'Which boats are from Kiel?' },
        gold: `select name as ${GOLD} from boats where home_port = 'Kiel'`,
      },
      {
        ...{ id: `${db_id}-3`, db_id, question: 'How many ports are there?' },
        gold: `select count(distinct home_port) as ${GOLD} from boats`,
      },
    ]),
  )
  const pool = (...statements: readonly string[]) => ({ gpt: statements.map(sql => ({ sql })) })
  write(
    'pools.jsonl',
    ports.flatMap(db_id => [
      {
        id: `${db_id}-1`,
        // A right one, a second spelling of it, one that does not run, two different wrong ones.
        pools: pool(
          ...['select count(*) from boats', 'select count(id) from boats', 'select nope from boats'],
          ...['select name from boats', 'select 7'],
        ),
      },
      { id: `${db_id}-2`, pools: pool("select name from boats where home_port = 'Kiel'") },
      { id: `${db_id}-3`, pools: pool('select count(home_port) from boats', 'select 9') },
    ]),
  )
})

afterAll(() => rmSync(folder, { recursive: true }))

const place = ['--questions', 'questions.jsonl', '--databases', '.']

const selection = (...args: string[]) =>
  run(
    ...['eval', 'selection', '--pools', 'pools.jsonl', ...place],
    ...['--pool', 'gpt', '--selector', 'first', ...args],
  )

const expectPairs = (lines: readonly Line[], source: string): void => {
  // Only the first question of each database has both a right and a wrong candidate.
  expect(lines.map(({ questionId, database }) => [questionId, database])).toEqual(
    ports.flatMap(port => Array.from({ length: 4 }, () => [`${port}-1`, port])),
  )
  expect(lines.map(({ completion }) => JSON.parse(completion).winner)).toEqual(
    Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? 'first' : 'second')),
  )
  expect(new Set(lines.map(line => line.source))).toEqual(new Set([source]))
  for (const { messages, completion } of lines) {
    const text = messages.map(({ content }) => content).join('\n')
    const place = JSON.parse(completion).winner
    expect(text).toContain(`<${place}-statement>\nselect count(*) from boats\n`)
    expect(text).not.toContain(GOLD)
  }
}

it('eval selection --pairs writes a right and a wrong candidate in both orders, and never the known answer', async () => {
  const { status, err } = await selection('--pairs', 'pool-pairs.jsonl')
  expect(status).toBe(0)
  expect(err).toContain(
    'Training data: 8 lines from 4 pairs of 2 questions on 2 databases. The first statement is right in 50%.',
  )
  expectPairs(read('pool-pairs.jsonl'), 'pool gpt')
})

it('eval questions --pairs writes the candidates of the run, and goes on where a run was stopped', async () => {
  const ask = (...args: string[]) =>
    run('eval', 'questions', ...place, '--model', 'pool:pools.jsonl#gpt', '--strategy', 'chase', ...args)
  const files = ['--out', 'run.jsonl', '--pairs', 'run-pairs.jsonl']
  expect((await ask(...files, '--limit', '2')).status).toBe(0)
  const begun = read('run-pairs.jsonl')
  // What the parser reads counts as a candidate of the run, too.
  expect(begun.map(({ questionId }) => questionId)).toContain('north-1')
  expect(begun.every(({ database }) => database === 'north')).toBe(true)
  expect((await ask(...files)).status).toBe(0)
  const lines = read('run-pairs.jsonl')
  expect(lines.slice(0, begun.length)).toEqual(begun)
  expect(lines.map(({ questionId }) => questionId)).toContain('south-1')
  expect(lines.every(({ source }) => source === 'run')).toBe(true)
  expect(JSON.stringify(lines)).not.toContain(GOLD)
  const wins = lines.filter(({ completion }) => completion.includes('"first"')).length
  expect(wins * 2).toBe(lines.length)
})

it('shows no rows if the judge sees none', async () => {
  const rows = (lines: readonly Line[]) =>
    lines.filter(line => /Alba\\n/.test(JSON.stringify(line.messages))).length
  await selection('--pairs', 'with-rows.jsonl')
  writeFileSync(
    join(folder, 'querent.yml'),
    'models:\n  drafter: {model: some-model}\n  judge: {seesRows: false}\n',
  )
  const { status, err } = await selection('--pairs', 'without-rows.jsonl')
  expect([status, err]).toEqual([0, expect.any(String)])
  rmSync(join(folder, 'querent.yml'))
  expect(rows(read('with-rows.jsonl'))).toBeGreaterThan(0)
  expect(rows(read('without-rows.jsonl'))).toBe(0)
})
