import { expect, it } from 'vitest'
import { runOutage, summariseOutage } from '../../../simulator/soak/run-outage.ts'
import { unavailableText } from '../../../src/slack/copy/phrases.ts'
import { startStoppablePostgres } from '../../helpers/services/stoppable-postgres.ts'
import { makeSqliteFile } from '../../helpers/sqlite-file.ts'
import { makeBotHome } from '../../helpers/start-bot.ts'
import { startTestSimulator } from '../../simulator/start-test-simulator.ts'
import { cyclesSchema } from '../cycles-schema.ts'

/** The small form of `npm run soak -- outage`. */
it('a store that goes and comes back loses nothing and ends nobody', async () => {
  await using undo = new AsyncDisposableStack()
  const server = undo.use(await startStoppablePostgres())
  const cycles = undo.adopt(makeSqliteFile(cyclesSchema), file => file.remove())
  const simulator = undo.use(await startTestSimulator({ timing: { retryAfter: [0, 8_000, 30_000] } }))
  const home = undo.use(
    await makeBotHome({ simulator, storeUrl: server.url, databaseFile: cycles.file, costOfAsking: 1 }),
  )
  const bot = await home.start()
  const report = await runOutage(
    { simulator, server, log: home.complaints, unavailable: unavailableText.slice(0, 40), say: () => {} },
    { questions: 12, everyMs: 500, awayMs: 4_000, outages: 1 },
  )
  expect(report.questions.filter(({ verdict }) => verdict !== 'once')).toEqual([])
  const { once, acknowledgedInOutage, threadsTold, toldTwice, askedInOutage, duplicates, explained } =
    summariseOutage(report)
  expect({ once, acknowledgedInOutage, toldTwice }).toEqual({
    once: 12,
    acknowledgedInOutage: 0,
    toldTwice: 0,
  })
  expect(duplicates).toBe(explained)
  // Otherwise nothing was shown: nobody asked while the server was away.
  expect(askedInOutage).toBeGreaterThan(0)
  expect(threadsTold).toBeGreaterThan(0)
  expect(await bot.end('SIGTERM', 30_000)).toEqual({ code: 0, signal: null })
}, 300_000)
