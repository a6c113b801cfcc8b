import { describe } from 'vitest'
import { createMysqlDatabase } from '../../../helpers/services/mysql-database.ts'
import { requireService } from '../../../helpers/services/require-service.ts'
import { createTestDatabase } from '../../../helpers/test-database.ts'
import { withClient } from '../../../helpers/with-client.ts'
import { describeRepairs } from './describe-repairs.ts'
import { workshopDdl } from './repair-cases.ts'

describeRepairs('postgres', async () => {
  const database = await createTestDatabase()
  await withClient(database.url, async client => {
    for (const statement of workshopDdl('postgres')) await client.query(statement)
  })
  return { reference: database.url, drop: database.drop }
})

const mysqlUrl = requireService('MYSQL_URL', 'repair without a model, on MySQL')

describe.skipIf(mysqlUrl === null)('with MySQL', () => {
  describeRepairs('mysql', async () => {
    const database = await createMysqlDatabase(mysqlUrl ?? '')
    for (const statement of workshopDdl('mysql')) await database.admin(statement)
    return { reference: database.url, drop: database.drop }
  })
})
