import { afterAll, expect, it } from 'vitest'
import { maintenanceRunContext } from '../../src/audit/run-contexts.ts'
import { openApp } from '../helpers/open-app.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'

const harbor = makeSqliteFile(`
  create table boats (id integer primary key, name text);
  insert into boats values (1, 'Alba'), (2, 'Brisa'), (3, 'Cala');
`)

afterAll(() => harbor.remove())

it('without a store what is read is counted in memory, and statements at once never read more than there is', async () => {
  const settings = { baseUrl: 'http://127.0.0.1:9', budget: { rowsPerUserPerDay: 8 } }
  for (const _ of ['one process', 'the next begins at nothing']) {
    await using app = await openApp(harbor.file, settings)
    const database = await app.resources.openDatabase('asked')
    const verdict = database.guard('select name from boats')
    if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
    const { guarded } = verdict
    const read = (person: string) =>
      app.resources.inRunContext(maintenanceRunContext('command', person), () =>
        database.run(guarded).then(
          ({ rows }) => rows.length,
          (error: { readonly message: string }) => error.message,
        ),
      )
    const all = await Promise.all(Array.from({ length: 6 }, () => read('ada')))
    const rows = all.filter(one => typeof one === 'number')
    expect(rows.reduce((sum, one) => sum + one, 0)).toBe(8)
    expect(all.filter(one => typeof one === 'string')).toContainEqual(
      expect.stringContaining('8 of 8 rows were read for you today'),
    )
    expect(await read('bob')).toBe(3)
  }
})
