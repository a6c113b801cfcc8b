import type { Database } from '../../../../src/domain/database.ts'
import { openSqliteDatabase } from '../../open-sqlite-database.ts'
import { potteryDdl } from '../repair/pottery-ddl.ts'
import { potteryDatabase } from './pottery.ts'

/** The studio in a SQLite file, for the test file that calls this: its statements are run. For within tests. */
export const openPottery = (): (() => Database) => {
  const file = openSqliteDatabase('studio', potteryDdl.join(';\n'))
  return () => {
    const { catalog, guard, run } = file()
    return { ...potteryDatabase('sqlite'), catalog, guard, run }
  }
}
