import { expect, it } from 'vitest'
import { makeJudgeWithModel } from '../../../graphs/answer/comparison/pair-judges.ts'
import { schemaOfPair } from '../../../graphs/answer/nodes/compare-groups.ts'
import { makeRenderPair } from '../../../src/bootstrap/answering/render-pairs.ts'
import { renderDdl } from '../../../src/databases/catalog/render-schema.ts'
import { widenSchema } from '../../../src/databases/schema-linking/link-schema.ts'
import type { ModelRequest } from '../../../src/domain/model.ts'
import { noModelUsage } from '../../../src/domain/operations/usage.ts'
import { makeRenderPrompt } from '../../../src/llm/prompts.ts'
import { understandQuestion } from '../../../src/parser/understand/understand-question.ts'
import { openSqliteDatabase } from '../../graphs/open-sqlite-database.ts'

const harbor = openSqliteDatabase(
  'harbor',
  `create table boats (id integer primary key, name text, home_port text);
   create table crews (id integer primary key, boat_id integer references boats (id), size integer);
   insert into boats values (1, 'Alba', 'Kiel'), (2, 'Brisa', 'Bergen');`,
)

const clock = { now: () => new Date('2026-03-02T10:00:00Z'), timeZone: 'UTC' }

const question = 'Which boats were in Kiel last month?'

const first = {
  sql: "select name from boats where home_port = 'Kiel'",
  result: {
    columns: [{ name: 'name', kind: 'text' as const }],
    ...{ rows: [['Alba']], truncated: null, milliseconds: 1 },
  },
}

const second = { sql: 'select id from boats', result: null }

it.each([true, false])('training shows what the judge is shown, with rows: %s', async seesRows => {
  const requests: ModelRequest[] = []
  const judge = makeJudgeWithModel({
    askForJudgement: async request => {
      requests.push(request)
      return { value: { winner: 'first', reason: '' }, usage: noModelUsage }
    },
    renderSchema: renderDdl,
    seesRows,
  })
  const database = harbor()
  const understanding = understandQuestion(question, clock)
  const linked = { tables: [{ table: 'crews', keep: 'all' as const }] }
  const matches = [{ keyword: 'Kiel', table: 'boats', column: 'home_port', value: 'Kiel', score: 1 }]
  await judge({
    ...{ understanding, database, matches, first, second },
    linked: schemaOfPair({ statements: [first.sql, second.sql], database, linked }, widenSchema),
  })
  const [request] = requests
  const renderPair = makeRenderPair(database, {
    ...clock,
    seesRows,
    contextOf: async () => ({ understanding, matches, linked }),
  })
  const messages = await renderPair({ question, first, second })
  expect(messages).toEqual(makeRenderPrompt()('judge-pair', request!.variables).messages)
  expect(JSON.stringify(messages).includes('Alba\\n</first-result>')).toBe(seesRows)
})

it('reads a question by itself if nothing is known of it', async () => {
  const renderPair = makeRenderPair(harbor(), { ...clock, seesRows: true })
  const [, user] = await renderPair({ question, first, second })
  expect(user?.content).toContain('"last month" is from 2026-02-01 until 2026-03-01, the end excluded.')
  expect(user?.content).toContain('CREATE TABLE boats')
  expect(user?.content).not.toContain('CREATE TABLE crews')
})
