import { afterAll, beforeAll, describe } from 'vitest'
import type { NotificationBus } from '../../src/domain/operations/jobs.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { makePostgresNoticeBoard } from '../../src/store/notices.ts'
import { noticeBoardContract } from '../contracts/notice-board.ts'
import { createTestDatabase } from '../helpers/test-database.ts'

describe('notices over Postgres', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  const made: NotificationBus[] = []
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(async () => {
    await Promise.all(made.map(board => board.close()))
    await database?.[Symbol.asyncDispose]()
  })

  noticeBoardContract(async () => {
    const boards = [0, 1].map(() => makePostgresNoticeBoard({ url: database.url, log: silentLog }))
    await Promise.all(boards.map(board => board.ready))
    made.push(...boards)
    return { here: boards[0] as never, there: boards[1] as never }
  })
})
