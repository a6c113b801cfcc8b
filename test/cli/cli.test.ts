import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../helpers/cli/run-cli.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'

let folder: string
const run = (...args: string[]) => runCli(args, { folder, home: join(folder, 'home') })

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
  const database = new DatabaseSync(join(folder, 'harbour.sqlite'))
  database.exec(`
    create table boats (id integer primary key, name text, home_port text, length_m real);
    insert into boats values (1, 'Alba', 'Kiel', 9.5), (2, 'Brisa', 'Kiel', 12), (3, 'Cyan', 'Bergen', 7);
  `)
  database.close()
  const questions = [
    { id: 'a', db_id: 'harbour', question: 'How many boats are there?', gold: 'select count(*) from boats' },
    { id: 'b', db_id: 'harbour', question: 'no use', gold: 'select 1', excluded: 'a reason' },
    { id: 'c', db_id: 'harbour', question: 'What is the longest boat?', gold: 'select broken' },
  ]
  writeFileSync(join(folder, 'questions.jsonl'), questions.map(line => JSON.stringify(line)).join('\n'))
})

afterAll(() => rmSync(folder, { recursive: true }))

describe('ask', { timeout: 60_000 }, () => {
  it('answers a question of a SQLite file named relative to the folder it was typed in', async () => {
    const { status, out } = await run(
      'ask',
      'How many boats are there?',
      '--database',
      'sqlite:harbour.sqlite',
      '--json',
    )
    expect(status).toBe(0)
    const report = JSON.parse(out)
    expect(report).toMatchObject({
      status: 'answered',
      rows: [[3]],
      rowCount: 1,
      truncated: false,
      clarification: null,
    })
    expect(Object.keys(report)).toEqual([
      'status',
      'question',
      'sql',
      'columns',
      'rows',
      'rowCount',
      'truncated',
      'confidence',
      'assumptions',
      'alternatives',
      'clarification',
      'reason',
      'nextStep',
      'missing',
      'nearest',
      'whoToAsk',
      'shortfalls',
      'candidates',
      'usage',
    ])
    expect(Object.keys(report.candidates[0])).toEqual(['sql', 'path', 'lineage', 'group', 'repairs', 'error'])
    expect(Object.keys(report.usage)).toEqual([
      'modelCalls',
      'promptTokens',
      'completionTokens',
      'money',
      'milliseconds',
    ])
  })

  it('shows a person the number, how sure it is, and the SQL', async () => {
    const { out } = await run('ask', 'How many boats are there?', '--database', 'sqlite:harbour.sqlite')
    expect(out).toMatch(/: 3\n/)
    expect(out).toMatch(/(Confident|Likely|Please check) \(\d+%\)/)
    expect(out).toMatch(/SELECT COUNT\(\*\)/i)
  })

  it('explains a run as a tree, and in JSON under a key of its own', async () => {
    const question = ['ask', 'How many boats are there?', '--database', 'sqlite:harbour.sqlite', '--explain']
    const { out } = await run(...question)
    expect(out).toMatch(
      /├─ schema: boats\n[\s\S]*├─ chosen 0\/00\/semantic-parser[\s\S]*└─ decision: answered with A/,
    )
    const { trace, ...report } = JSON.parse((await run(...question, '--json')).out)
    expect(trace).toMatchObject({ outcome: { status: 'answered', sql: report.sql }, leftOut: [] })
    expect(trace.groups[0].head.rows).toEqual([['3']])
  })

  it.each([['nowhere'], ['sqlite:missing.sqlite']])(
    'writes JSON when there is no run at all: %s',
    async name => {
      const { status, out, err } = await run('ask', 'how many?', '--database', name, '--json')
      expect(status).toBe(2)
      const report = JSON.parse(out)
      expect(report).toMatchObject({ status: 'failed', question: 'how many?', candidates: [] })
      expect(err).toContain(report.reason)
    },
  )

  it('refuses what the database knows nothing of, and that is no failure', async () => {
    const { status, out } = await run(
      'ask',
      'xylophone zebra quux?',
      '--database',
      'sqlite:harbour.sqlite',
      '--json',
    )
    expect(status).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ status: 'refused', sql: null, rows: [] })
  })

  it('fails with status 1 when the database is away, still as one JSON value', async () => {
    const { status, out } = await run(
      'ask',
      'how many?',
      '--database',
      'postgres://nobody@127.0.0.1:1/none',
      '--json',
    )
    expect(status).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      status: 'failed',
      nextStep: expect.stringContaining('server is running'),
    })
  })

  it.each([
    [['ask']],
    [['ask', 'how many?', '--database', 'nowhere']],
    [['ask', 'how many?', '--database', 'sqlite:missing.sqlite']],
    [['ask', 'how many?', '--as-of', 'someday', '--database', 'sqlite:harbour.sqlite']],
    [['bogus']],
  ])('exits with 2 for wrong arguments: %j', async args => {
    const { status, out, err } = await run(...args)
    expect(status).toBe(2)
    expect(out).toBe('')
    expect(err.trim()).not.toBe('')
  })
})

describe('guard', { timeout: 60_000 }, () => {
  it('gives one verdict a line, in order, and exits with 0 when it refuses', async () => {
    const input = [
      { id: 1, sql: 'select 1' },
      { id: 'x', sql: 'drop table boats', dialect: 'sqlite' },
      { id: 3, sql: 'select `a` from t', dialect: 'mysql' },
    ]
      .map(line => JSON.stringify(line))
      .join('\n')
    const { status, out } = await runCli(['guard'], { folder, home: join(folder, 'home'), input })
    expect(status).toBe(0)
    const lines = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines).toMatchObject([
      { id: 1, verdict: 'allow', reason: null },
      { id: 'x', verdict: 'refuse', reason: expect.any(String) },
      { id: 3, verdict: 'allow', reason: null },
    ])
  })

  it('names the line that it cannot read', async () => {
    const { status, err } = await runCli(['guard'], {
      folder,
      home: join(folder, 'home'),
      input: '{"id": 1}\n',
    })
    expect(status).toBe(2)
    expect(err).toContain('Line 1 ')
  })

  it('knows the tables of a database, and says which one was meant', async () => {
    const made = makeSqliteFile('create table boats (id integer, name text)')
    try {
      const { status, out } = await runCli(['guard', '--database', `sqlite:${made.file}`], {
        folder,
        home: join(folder, 'home'),
        input: [
          'select name from boats',
          'select name from boat',
          'with b as (select 1 as x) select x from b',
        ]
          .map((sql, id) => JSON.stringify({ id, sql }))
          .join('\n'),
      })
      expect(status).toBe(0)
      const verdicts = out
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
      expect(verdicts).toEqual([
        { id: 0, verdict: 'allow', reason: null },
        { id: 1, verdict: 'refuse', reason: 'it reads boat, which is no table here; the nearest is boats' },
        { id: 2, verdict: 'allow', reason: null },
      ])
    } finally {
      made.remove()
    }
  })
})

describe('eval', { timeout: 60_000 }, () => {
  it('measures, keeps a line a question, and goes on where it stopped', async () => {
    const args = [
      'eval',
      'questions',
      '--questions',
      'questions.jsonl',
      '--databases',
      '.',
      '--out',
      'run.jsonl',
      '--json',
    ]
    const first = await run(...args, '--model', 'none')
    expect(first.status).toBe(0)
    expect(JSON.parse(first.out)).toMatchObject({ questions: 2, ex: 0.5, failed: 0, modelCalls: 0 })
    expect(first.err).toContain('1 known answer did not run')
    const kept = readFileSync(join(folder, 'run.jsonl'), 'utf8').trim().split('\n')
    expect(kept.map(line => JSON.parse(line).id)).toEqual(['a', 'c'])
    const second = await run(...args, '--model', 'none')
    expect(JSON.parse(second.out)).toMatchObject({ questions: 2, ex: 0.5 })
    expect(readFileSync(join(folder, 'run.jsonl'), 'utf8').trim().split('\n')).toEqual(kept)
    const diff = await run('eval', 'diff', 'run.jsonl', 'run.jsonl', '--json')
    expect(JSON.parse(diff.out)).toMatchObject({ questions: 2, difference: 0 })
  })

  it('asks a follow-up after the questions of its thread', async () => {
    const question = 'How many boats are there?'
    const gold = "select count(*) from boats where home_port = 'Kiel'"
    const line = { id: 'kiel', db_id: 'harbour', after: [question], question: 'only Kiel', gold }
    writeFileSync(join(folder, 'thread.jsonl'), JSON.stringify(line))
    const asked = ['eval', 'questions', '--questions', 'thread.jsonl', '--databases', '.', '--model', 'none']
    const { out } = await run(...asked, '--json')
    expect(JSON.parse(out)).toMatchObject({ questions: 1, ex: 1 })
  })

  it('writes a report beside another run, in HTML and in Markdown, with R-VES where it is asked for', async () => {
    const asked = [
      'eval',
      'questions',
      '--questions',
      'questions.jsonl',
      '--databases',
      '.',
      '--model',
      'none',
    ]
    const compared = [...asked, '--out', 'reported.jsonl', '--rves']
    const { status, out } = await run(...compared, '--report', 'report.html', '--json')
    expect(status).toBe(0)
    const { rves, byDifficulty } = JSON.parse(out)
    // One of two is right, and a reward is between .25 and 1.25.
    expect(rves).toBeGreaterThanOrEqual(Math.sqrt(0.25) / 2)
    expect(rves).toBeLessThanOrEqual(Math.sqrt(1.25) / 2)
    expect(byDifficulty).toEqual([{ difficulty: 'easy', questions: 2, ex: 0.5, exAnyOrder: 0.5 }])
    await run(...compared, '--report', 'report.md', '--against', 'reported.jsonl')
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toMatch(/<svg[\s\S]*What is the longest boat\?/)
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toContain(
      '![EX by the difficulty of the question]',
    )
    expect(readFileSync(join(folder, 'report-by-difficulty.svg'), 'utf8')).toMatch(/^<svg/)
    const pdf = await run(...asked, '--report', 'report.pdf')
    expect(pdf).toMatchObject({ status: 2, err: expect.stringContaining('.md or .html') })
    const lonely = await run(...asked, '--against', 'reported.jsonl')
    expect(lonely).toMatchObject({ status: 2, err: expect.stringContaining('--against needs --report') })
  })
})
