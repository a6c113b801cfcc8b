import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { runReplicas } from '../../simulator/soak/run-replicas.ts'
import { summariseReplicas } from '../../simulator/soak/summarise-replicas.ts'
import { startSimulator } from '../../simulator/start-simulator.ts'
import { cyclesSchema } from '../../test/e2e/cycles-schema.ts'
import { openWatcher } from '../../test/e2e/open-watcher.ts'
import { startRedisServer } from '../../test/helpers/services/start-redis-server.ts'
import { makeSqliteFile } from '../../test/helpers/sqlite-file.ts'
import { makeReplicas } from '../../test/helpers/start-replicas.ts'
import { openBenchDatabase } from '../overhead/open-bench-database.ts'
import { writeRun } from './write-run.ts'

/** What docs/replicas.md promises: nobody waits longer than this after the replica at work on their question died. */
const LATEST_S = 30

/**
 * `npm run soak -- replicas`: several processes of the bot on one Postgres and one Redis behind the simulator. One is
 * killed without a word every 20 s and started again; Redis is away for a minute in the middle. Resolves with whether
 * every question was answered, none twice but for the documented window, and none too late.
 */
export const soakReplicas = async (args: readonly string[]): Promise<boolean> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      replicas: { type: 'string', default: '2' },
      questions: { type: 'string', default: '500' },
      channels: { type: 'string', default: '20' },
      every: { type: 'string', default: '1200' },
      'kill-every': { type: 'string', default: '20000' },
      'redis-away': { type: 'string', default: '60000' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
    },
  })
  const number = (name: Exclude<keyof typeof values, 'json'>): number => Number(values[name])
  await using undo = new AsyncDisposableStack()
  const store = undo.adopt(await openBenchDatabase(), opened => opened.drop())
  const watcher = undo.use(await openWatcher(store.url))
  const redis = undo.use(await startRedisServer())
  const cycles = undo.adopt(makeSqliteFile(cyclesSchema), file => file.remove())
  const simulator = undo.adopt(
    await startSimulator({
      // Three public channels are always there.
      moreChannels: Array.from({ length: Math.max(0, number('channels') - 3) }, (_, n) => `team-${n + 1}`),
    }),
    started => started.close(),
  )
  const replicas = undo.use(
    await makeReplicas(number('replicas'), {
      simulator,
      storeUrl: store.url,
      databaseFile: cycles.file,
      redisUrl: redis.url,
      // Each question has one reading worth an answer, so that nobody has to be asked back.
      costOfAsking: 1,
    }),
  )
  const say = (line: string): void => void process.stderr.write(`${line}\n`)
  const report = await runReplicas(
    {
      simulator,
      rows: watcher.rows,
      log: replicas.complaints,
      say,
      startReplica: async n => {
        const started = await replicas.start(n)
        return { kill: async () => void (await started.end('SIGKILL')) }
      },
      halfway: async () => {
        say('Redis goes')
        await redis.stop()
        await sleep(number('redis-away'))
        await redis.start()
        say('Redis is back')
      },
    },
    {
      replicas: number('replicas'),
      questions: number('questions'),
      pace: { by: 'clock', askEveryMs: number('every'), killEveryMs: number('kill-every') },
      seed: number('seed'),
    },
  )
  const redisSaid = replicas.complaints().filter(line => /redis/i.test(line)).length
  const summary = { ...summariseReplicas(report), redisSaid }
  writeRun('replicas', { summary, all: report, json: values.json })
  for (const question of report.questions.filter(({ verdict }) => verdict !== 'once')) {
    process.stdout.write(`${JSON.stringify(question)}\n`)
  }
  return (
    summary.once + summary.twice === summary.questions &&
    summary.duplicates === summary.explained &&
    summary.lostForGood === 0 &&
    summary.latestAfterDeath <= LATEST_S
  )
}
