import { expect, it } from 'vitest'
import { runReplicas } from '../../../simulator/soak/run-replicas.ts'
import { summariseReplicas } from '../../../simulator/soak/summarise-replicas.ts'
import { makeReplicas } from '../../helpers/start-replicas.ts'
import { openWorkspace } from '../open-workspace.ts'

/** The small form of `npm run soak -- replicas`. */
it('two replicas answer every question once, whichever of them is killed', async () => {
  await using workspace = await openWorkspace({ timing: { retryAfter: [0, 10_000, 60_000] } })
  const { simulator, watcher, storeUrl, databaseFile } = workspace
  await using replicas = await makeReplicas(2, {
    simulator,
    storeUrl,
    databaseFile,
    costOfAsking: 1,
    workers: 1,
  })
  const report = await runReplicas(
    {
      simulator,
      rows: watcher.rows,
      log: replicas.complaints,
      say: () => {},
      startReplica: async number => {
        const started = await replicas.start(number)
        return { kill: async () => void (await started.end('SIGKILL')) }
      },
    },
    { replicas: 2, questions: 20, pace: { by: 'rounds', kills: 2, atWork: 2 }, seed: 3 },
  )
  expect(report.questions.filter(({ verdict }) => verdict !== 'once')).toEqual([])
  const { once, duplicates, explained, kills, lost, lostForGood, problems } = summariseReplicas(report)
  expect({ once, kills, lostForGood, problems }).toEqual({ once: 20, kills: 2, lostForGood: 0, problems: 0 })
  expect(duplicates).toBe(explained)
  // Otherwise nothing was shown: nobody was at work when the replicas died.
  expect(lost).toBeGreaterThan(0)
}, 300_000)
