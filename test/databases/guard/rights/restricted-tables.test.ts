import { expect, test } from 'vitest'
import { findRestrictedTables } from '../../../../src/databases/guard/rights/restricted-tables.ts'
import type { DataRights } from '../../../../src/domain/access/data-rights.ts'
import { makeSqliteFile } from '../../../helpers/sqlite-file.ts'
import { worldRights, worldStatements } from './rights-world.ts'
import { openUnder } from './try-rights.ts'

const made = makeSqliteFile(worldStatements('first').join(';\n'))
const { database, close } = await openUnder(`sqlite:${made.file}`, null)
await close()
made.remove()

const problemOf = (changes: Partial<DataRights>): string | null => {
  try {
    findRestrictedTables(database.catalog, { ...worldRights('main'), ...changes })
    return null
  } catch (error) {
    return (error as Error).message
  }
}

const rule = (condition: string, table = 'orders') => ({ rowRules: [{ table, condition }] })

test('rules that match something and are one condition are taken', () => {
  expect(problemOf({})).toBeNull()
  expect(problemOf(rule("total > 3 and (tenant = 'a' or note like '%(b')"))).toBeNull()
})

test.each([
  [rule('1 = 1', 'ordres'), 'The row rule for ordres of the group “tenant-a” matches no table'],
  [rule('tenant ='), 'is not one SQL condition'],
  [rule('1 = 1) or (1 = 1'), 'is not one SQL condition'],
  [rule('1 = 1; select 1'), 'is not one SQL condition'],
  [rule("tenant = 'a' -- only these"), 'is not one SQL condition'],
  [rule('tenant in (select name from tenants)'), 'reads tenants: write that table with its schema'],
  [
    { columnMasks: [{ column: 'orders.nothing', mask: 'hash' as const }] },
    'The mask for orders.nothing of the group “tenant-a” matches no column',
  ],
  [
    { columnMasks: [{ column: 'orders.note', mask: 'bucket' as const, width: 10 }] },
    'needs a number, and orders.note is none',
  ],
])('a rule that could not be applied is an error: %j', (changes, message) => {
  expect(problemOf(changes)).toContain(message)
})

test('views and tables that show rows of a restricted table are closed, through others too', () => {
  const { closed } = findRestrictedTables(database.catalog, worldRights('main'))
  expect([...closed].map(({ name }) => name).sort()).toEqual(['deep_notes', 'order_notes'])
})
