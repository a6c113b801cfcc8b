import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trySql } from '../../src/answering/revise-answer.ts'
import type { AnswerReport } from '../../src/domain/answer.ts'
import { openApp } from '../helpers/open-app.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'

const harbor = makeSqliteFile(`
  create table landings (id integer primary key, fish text, landed_on date);
  insert into landings
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
    select i, 'cod', date('2025-05-07', '+' || (i % 300) || ' days') from n;
  create index landings_landed_on on landings (landed_on);
  create table crates (id integer primary key, content text);
  insert into crates
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
    select i, case when i <= 600 then 'ice' when i <= 900 then 'salt' else 'fish' end from n;
  create index crates_content on crates (content);
  create table nets (id integer primary key, mesh integer);
  insert into nets
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
    select i, i % 7 from n;
  create table boats (id integer primary key, name text);
  insert into boats values (1, 'Alba'), (2, 'Brisa');
`)

let app: Awaited<ReturnType<typeof openApp>>

beforeAll(async () => {
  app = await openApp(harbor.file, { baseUrl: 'http://127.0.0.1:9', limits: { heavyRows: 2000 } })
})

afterAll(async () => {
  await app[Symbol.asyncDispose]()
  harbor.remove()
})

const QUESTION = 'How many landings are there?'

const asked = async (): Promise<AnswerReport> => {
  const report = await app.ask(QUESTION)
  expect(report.outcome.status).toBe('needs-clarification')
  return report
}

const option = (number: number) => ({ kind: 'option', number }) as const

describe('a question with an expensive answer', () => {
  it('asks before anything is run, and gives up if nobody replies', async () => {
    const { outcome, candidates } = await asked()
    expect(outcome).toMatchObject({
      clarification: {
        question:
          'This reads about 3,000 rows, most of them of landings. More than 2,000 rows need your go-ahead. Should I run it?',
        options: [{ label: 'Run it' }, { label: 'Narrow it' }, { label: 'Cancel' }],
        defaultOption: 2,
      },
    })
    expect(candidates.every(({ run }) => run?.status !== 'ran')).toBe(true)
  })

  it('is answered after confirmation', async () => {
    const { questionId } = await asked()
    const { outcome } = await app.resume(questionId, option(1))
    expect(outcome).toMatchObject({
      status: 'answered',
      headline: expect.stringContaining('3,000'),
      assumptions: expect.arrayContaining(['You chose: Run it.']),
    })
  })

  it.each([
    ['yes', 'answered'],
    ['no', 'refused'],
    ['cancel', 'refused'],
    ['run', 'answered'],
  ])('understands “%s”', async (text, status) => {
    const { questionId } = await asked()
    const { outcome, candidates } = await app.resume(questionId, { kind: 'text', text })
    expect(outcome.status).toBe(status)
    expect(candidates.some(({ run }) => run?.status === 'ran')).toBe(status === 'answered')
  })

  it('can be narrowed to a cheaper question, which is answered without confirmation', async () => {
    const { questionId } = await asked()
    const { outcome } = await app.resume(questionId, option(2))
    const day = (words: string) => `How many landings are there ${words}?`
    const nearest = [day('in the last 30 days'), day('in the last 7 days'), day('from yesterday')]
    expect(outcome).toMatchObject({
      ...{ status: 'refused', nearest },
      why: {
        code: 'narrower',
        offered: expect.arrayContaining([
          { question: 'How many landings are there from yesterday?', rows: expect.any(Number) },
        ]),
      },
    })
    for (const question of nearest)
      expect((await app.ask(question)).outcome).toMatchObject({ status: 'answered' })
  })

  it('can be narrowed to a kind or to what is newest, where it has no dates', async () => {
    const ofKinds = await app.ask('How many crates are there?')
    const kinds = await app.resume(ofKinds.questionId, option(2))
    expect(kinds.outcome).toMatchObject({
      nearest: [
        'How many crates are there where the content is ice?',
        'How many crates are there where the content is salt?',
      ],
    })
    const ice = await app.ask('How many crates are there where the content is ice?')
    expect(ice.outcome).toMatchObject({ status: 'answered', headline: expect.stringContaining('600') })

    const ofNets = await app.ask('Which nets are there?')
    const newest = await app.resume(ofNets.questionId, option(2))
    const question = 'Which nets are there, looking only at the newest 1,000 rows of nets?'
    expect(newest.outcome).toMatchObject({
      nearest: expect.arrayContaining([question]),
      why: { code: 'narrower', offered: expect.arrayContaining([{ question, rows: 1_000 }]) },
    })
    const { outcome } = await app.ask(question)
    expect(outcome).toMatchObject({
      status: 'answered',
      headline: expect.stringContaining('1,000'),
      assumptions: expect.arrayContaining(['I read only the newest 1,000 rows of nets, by id.']),
    })
  })

  it('is not narrowed to what is newest where it counts', async () => {
    const { questionId } = await app.ask('How many nets are there?')
    expect((await app.resume(questionId, option(2))).outcome).toMatchObject({
      ...{ status: 'refused', nearest: [] },
      why: { code: 'narrower', offered: [] },
    })
  })

  it('is not run if it is canceled or expires', async () => {
    const first = await asked()
    const cancelled = await app.resume(first.questionId, option(3))
    expect(cancelled.outcome).toMatchObject({ status: 'refused', why: { code: 'not-run', isExpired: false } })
    const second = await asked()
    const expired = await app.resume(second.questionId, { ...option(3), expired: true })
    expect(expired.outcome).toMatchObject({
      status: 'refused',
      why: { code: 'not-run', isExpired: true },
    })
    for (const { candidates } of [cancelled, expired])
      expect(candidates.every(({ run }) => run?.status !== 'ran')).toBe(true)
  })

  it('takes other words as a narrower question, and does not ask twice', async () => {
    const { questionId } = await asked()
    const { outcome } = await app.resume(questionId, { kind: 'text', text: 'only of cod' })
    expect(outcome).toMatchObject({
      status: 'refused',
      why: { code: 'still-expensive' },
      nearest: ['How many landings are there? (only of cod)'],
    })
    // What is offered is understood, and asks before it is run.
    const [again = ''] = outcome.status === 'refused' ? (outcome.nearest ?? []) : []
    const next = await app.ask(again)
    expect(next.outcome.status).toBe('needs-clarification')
    const ran = await app.resume(next.questionId, option(1))
    expect(ran.outcome).toMatchObject({ status: 'answered', headline: expect.stringContaining('3,000') })
  })

  it('does not ask about a cheap one', async () => {
    const { outcome } = await app.ask('How many boats are there?')
    expect(outcome).toMatchObject({ status: 'answered' })
  })

  it("runs a person's SQL only after that person confirms", async () => {
    const database = await app.resources.openDatabase('asked')
    const sql = "select count(*) as landings from landings where fish <> 'hake';"
    expect(await trySql(database, sql)).toEqual({
      status: 'too-heavy',
      reason: expect.stringContaining('3,000 rows, most of them of landings'),
    })
    expect(await trySql(database, sql, { evenIfHeavy: true })).toMatchObject({
      status: 'ran',
      sql: sql.slice(0, -1),
      table: { rows: [[3000]] },
    })
  })
})
