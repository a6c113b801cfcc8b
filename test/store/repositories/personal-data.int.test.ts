import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ForgetPerson, makeForgetPerson } from '../../../src/audit/forget-person.ts'
import { deleteJobsOfPerson } from '../../../src/jobs/pg-boss-tables.ts'
import { personColumns } from '../../../src/store/repositories/personal-data.ts'
import { openTestJobs } from '../../jobs/open-test-jobs.ts'
import { insertPerson, longerId, other, person, questionOf } from '../setup/insert-person.ts'

let opened: Awaited<ReturnType<typeof openTestJobs>>

let client: Client

let forget: ForgetPerson

const beside: string[] = []

beforeAll(async () => {
  opened = await openTestJobs()
  client = new Client({ connectionString: opened.url })
  await client.connect()
  const { store } = opened
  const { personalData } = store.repositories
  forget = makeForgetPerson({
    inTransaction: store.inTransaction,
    listQuestions: personalData.listQuestions,
    forgetRows: personalData.forget,
    forgetJobs: (given, tx) => deleteJobsOfPerson((sql, values) => store.executeIn(tx, sql, values), given),
    forgetBeside: async id => void beside.push(id),
    newAlias: () => 'forgotten-1',
  })
})

afterAll(async () => {
  await client?.end()
  await opened?.[Symbol.asyncDispose]()
})

const textColumns = async (): Promise<readonly { schema: string; table: string; column: string }[]> => {
  const { rows } = await client.query(`
    select table_schema as schema, table_name as table, column_name as column
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema like 'querent%' and table_type = 'BASE TABLE'
      and data_type in ('text', 'character varying', 'character', 'json', 'jsonb', 'bytea', 'ARRAY')`)
  return rows
}

/** Columns in which the id stands as a whole word. */
const whereIs = async (id: string): Promise<string[]> => {
  const found: string[] = []
  for (const { schema, table, column } of await textColumns()) {
    const { rows } = await client.query(
      `select count(*)::int as n from ${schema}."${table}" where "${column}"::text ~ ('\\m' || $1 || '\\M')`,
      [id],
    )
    if (rows[0].n > 0) found.push(`${schema}.${table}.${column}`)
  }
  return found
}

const count = async (sql: string): Promise<number> =>
  (await client.query(`select count(*)::int as n from ${sql}`)).rows[0].n

describe('the handling of a person’s id', () => {
  it('is defined for every text column', async () => {
    const there = (await textColumns())
      .filter(({ schema }) => schema === 'querent')
      .filter(({ table }) => table !== 'migrations_lock')
      .map(({ table, column }) => `${table}.${column}`)
    const said = Object.entries(personColumns).flatMap(([table, columns]) =>
      Object.keys(columns).map(column => `${table}.${column}`),
    )
    const unsaid = there.filter(column => !said.includes(column))
    expect(unsaid, 'say in src/store/personal/person-columns.ts what becomes of a person in these').toEqual(
      [],
    )
    expect(said.filter(column => !there.includes(column))).toEqual([])
  })
})

describe('forgetting a person', () => {
  it('first counts, and changes nothing by it', async () => {
    await insertPerson(client)
    await opened.jobs.send('question', { questionId: questionOf.person })
    await opened.jobs.send('question', { questionId: questionOf.other })
    const place = { channel: 'C1', thread: '1.0', questionId: questionOf.other }
    await opened.jobs.send('export', { ...place, person }, { group: person })
    await opened.jobs.send('export', { ...place, person: longerId }, { group: longerId })
    const counted = await forget(person, { only: 'count' })
    expect(counted).toMatchObject({
      ...{ questions: 1, digests: 2, remarks: 1, votes: 1, feedback: 1, jobs: 2, usage: 3, statements: 1 },
    })
    expect(counted.names).toBeGreaterThan(5)
    expect(counted.mentions).toBeGreaterThan(20)
    expect(beside).toEqual([])
    // As planted: in every column that is said to hold one.
    const planted = new Set(await whereIs(person))
    for (const [table, columns] of Object.entries(personColumns))
      for (const [column, handling] of Object.entries(columns))
        if (handling !== 'nowhere')
          expect(planted, `${table}.${column}`).toContain(`querent.${table}.${column}`)
  })

  it("then leaves the id nowhere, and other people's data alone", async () => {
    const counted = await forget(person, { only: 'count' })
    expect(await forget(person, { only: 'forget' })).toEqual(counted)
    expect(await whereIs(person)).toEqual([])
    expect(await whereIs('D0FORGET1')).toEqual([])
    expect(new Set(beside)).toEqual(new Set([questionOf.person]))

    expect(await count(`querent.questions where asked_by = '${other}'`)).toBe(1)
    expect(await count(`querent.votes where person = '${other}'`)).toBe(1)
    expect(await count(`querent.budget_usage where name = '${other}'`)).toBe(1)
    expect(await count(`querent.digests where owner = '${other}'`)).toBe(1)
    expect(await count(`querent_jobs.job where data ->> 'questionId' = '${questionOf.other}'`)).toBe(2)
    expect(await count(`querent_jobs.job where group_id = '${longerId}'`)).toBe(1)
    // Somebody else whose id begins the same is left alone.
    expect(await whereIs(longerId)).toContain('querent.outbound_messages.payload')
    expect(await count(`querent.outbound_messages where payload ->> 'by' = 'UXXXXXXXX'`)).toBe(1)
  })

  it('keeps verified queries, rules, weights and the record of statements without the name', async () => {
    expect(await count(`querent.verified_queries where saved_by is null and decided_by is null`)).toBe(1)
    expect(await count(`querent.proposed_rules where proposed_by is null`)).toBe(1)
    expect(await count(`querent.expert_weights`)).toBe(1)
    expect(await count(`querent.audit_log where person = 'forgotten-1' and channel is null`)).toBe(1)
    expect(await count(`querent.audit_log where person = '${other}' and channel is not null`)).toBe(1)
    expect(await count(`querent.answer_revisions where person = 'forgotten-1'`)).toBe(1)
    expect(await count(`querent.replies where reply ->> 'text' = '(removed)'`)).toBe(1)
    expect(await count(`querent.human_requests where reason is null`)).toBe(1)
    const { rows } = await client.query(`
      select calls::int, prompt_tokens::int as tokens, money::float8 from querent.model_usage where asked_by = ''`)
    expect(rows).toEqual([{ calls: 3, tokens: 107, money: 0.75 }])
  })

  it('finds nothing more the second time', async () => {
    const again = await forget(person, { only: 'forget' })
    expect(Object.values(again).every(rows => rows === 0)).toBe(true)
  })

  it('refuses an invalid id, and does not replace words for a shell user', async () => {
    await expect(forget('% or 1=1', { only: 'forget' })).rejects.toMatchObject({ code: 'bad-arguments' })
    await client.query(`update querent.questions set text = 'orders of about'`)
    expect((await forget('orders', { only: 'count' })).mentions).toBe(0)
  })
})
