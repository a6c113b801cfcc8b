import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { makeFixByRule } from '../../../../graphs/answer/repair/fix-by-rule.ts'
import { potteryInput } from '../drafting/pottery.ts'
import { potteryCases } from './pottery-cases.ts'
import { potteryDdl } from './pottery-ddl.ts'

const fix = makeFixByRule()

const studio = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: true })

for (const statement of potteryDdl) studio.exec(statement)

const ask = (broken: string, errorClass: (typeof potteryCases)[number]['errorClass']) =>
  fix({ ...potteryInput('sqlite'), sql: broken, errorClass, message: '', history: [] })

describe.each(potteryCases.filter(({ on }) => on.includes('sqlite')))(
  '$title',
  ({ broken, errorClass, fixed }) => {
    it('fails as it says', () => {
      if (errorClass === 'empty-result') expect(studio.prepare(broken).all()).toEqual([])
      else expect(() => studio.prepare(broken).all()).toThrow()
    })

    it(fixed === null ? 'is left to others' : 'is repaired, for nothing', async () => {
      expect(await ask(broken, errorClass)).toEqual({
        sql: fixed,
        usage: { modelCalls: 0, promptTokens: 0, completionTokens: 0 },
      })
    })

    if (fixed !== null) {
      it('runs after that', () => {
        const rows = studio.prepare(fixed).all()
        if (errorClass === 'empty-result') expect(rows).not.toEqual([])
      })
    }
  },
)

it('does not write what was tried before', async () => {
  const sql = "SELECT full_name FROM makers WHERE city = 'bergen'"
  const history = [{ sql: "SELECT full_name FROM makers WHERE city = 'Bergen'", message: 'no rows' }]
  const input = { ...potteryInput('sqlite'), sql, errorClass: 'empty-result', message: '', history } as const
  expect((await fix(input)).sql).toBeNull()
})

it('repairs what the guard could not parse, and leaves alone what it refused for a reason', async () => {
  const refused = async (sql: string) =>
    (await fix({ ...potteryInput('postgres'), sql, errorClass: 'refused', message: '', history: [] })).sql
  expect(await refused('SELECT group, count(*) FROM "KilnLog" GROUP BY group')).toBe(
    'SELECT "group", count(*) FROM "KilnLog" GROUP BY "group"',
  )
  expect(await refused('DELETE FROM maker')).toBeNull()
  expect(await refused('SELECT pg_sleep(1), k.fuel type FROM "KilnLog" AS k')).toBeNull()
})

it('has nothing to say about text that is no SQL', async () => {
  expect((await ask("SELECT 'open", 'syntax')).sql).toBeNull()
  expect((await ask('', 'syntax')).sql).toBeNull()
})
