import { expect, it } from 'vitest'
import { summarise } from '../../../simulator/soak/judge-soak.ts'
import { runSoak } from '../../../simulator/soak/run-soak.ts'
import { openWorkspace } from '../open-workspace.ts'

/** The small form of `npm run soak`: all faults on, twenty questions, two kills. */
it('answers every question once, whatever fails and whichever process dies', async () => {
  await using workspace = await openWorkspace({ timing: { retryAfter: [0, 20_000, 90_000] } })
  const { simulator, watcher, bot } = workspace
  const report = await runSoak(
    {
      simulator,
      rows: watcher.rows,
      log: bot.complaints,
      say: () => {},
      startBot: async () => {
        const started = await bot.start()
        return { kill: async () => void (await started.end('SIGKILL')) }
      },
    },
    { questions: 20, kills: 2, seed: 11, share: 0.2 },
  )
  const { questions: _, once, kills, faults, problems, duplicates, explained } = summarise(report)
  expect(report.questions.filter(({ verdict }) => verdict !== 'once')).toEqual([])
  expect({ once, kills, problems }).toEqual({ once: 20, kills: 2, problems: 0 })
  expect(duplicates).toBe(explained)
  expect(faults).toBeGreaterThan(5)
}, 600_000)
