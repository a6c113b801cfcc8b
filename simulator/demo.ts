import { randomBytes } from 'node:crypto'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { makeBot } from '../src/compose/make-bot.ts'
import { sampleCompany } from '../src/compose/make-databases.ts'
import { makeResources } from '../src/compose.ts'
import type { Config } from '../src/config/config.ts'
import { listSecrets } from '../src/config/list-secrets.ts'
import { loadConfig } from '../src/config/load-config.ts'
import { makeSecret } from '../src/config/secret.ts'
import { QuerentError } from '../src/core/errors.ts'
import { dayOf } from '../src/lib/day-of.ts'
import { makeReleasers } from '../src/lib/make-releasers.ts'
import { makeBoltLogger } from '../src/slack/bolt-logger.ts'
import { makeHttpReceiver } from '../src/slack/receivers/http.ts'
import { dropDatabase } from '../src/store/embedded/drop-database.ts'
import { ensureDatabase } from '../src/store/embedded/ensure-database.ts'
import { startEmbeddedServer } from '../src/store/embedded/start-embedded-server.ts'
import { makeLog } from '../src/telemetry/log.ts'
import { freePort } from './free-port.ts'
import { startSimulator } from './start-simulator.ts'

/** `npm run demo`: the bot in a Slack simulator, with the sample company; no key, no service, no Slack. */

enableCompileCache(join(import.meta.dirname, '../.querent/compile-cache'))

/** Each demo begins with an empty workspace, so what an earlier one stored would belong to nothing. */
const DEMO_DATABASE = 'querent_demo'
const DRAIN_MS = 5_000

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const demo = async (): Promise<void> => {
  const releasers = makeReleasers()
  const started = performance.now()
  try {
    const configured = loadConfig()
    const log = makeLog({ level: configured.logLevel ?? 'warn', secrets: listSecrets(configured) })
    say('Starting the store ...')
    const server = await startEmbeddedServer({ home: configured.home, log })
    releasers.push(() => server.stop())
    await dropDatabase(server.adminUrl, DEMO_DATABASE)
    await ensureDatabase(server.adminUrl, DEMO_DATABASE)
    const databaseUrl = makeSecret(server.urlFor(DEMO_DATABASE))
    const config: Config = { ...configured, store: { ...configured.store, databaseUrl } }

    const today = dayOf(new Date(), config.timeZone)
    const resources = makeResources(config, { log, asOf: today })
    releasers.push(() => resources.release())
    const database = config.defaultDatabase ?? sampleCompany
    say(database === sampleCompany ? 'Building the sample company ...' : `Opening ${database} ...`)
    const { catalog } = await resources.openDatabase(database)

    say('Starting the simulator ...')
    const signingSecret = randomBytes(16).toString('hex')
    const simulator = await startSimulator({ signingSecret })
    releasers.push(() => simulator.close())

    const port = await freePort()
    const bot = await makeBot(resources, {
      receiver: makeHttpReceiver({ signingSecret, port, logger: makeBoltLogger(log) }),
      token: simulator.botToken,
      apiUrl: simulator.apiUrl,
      database,
      workers: config.slack.workers,
    })
    releasers.push(() => bot.stop(DRAIN_MS))
    const stopped = Promise.withResolvers<void>()
    process.once('SIGINT', () => stopped.resolve())
    process.once('SIGTERM', () => stopped.resolve())
    await bot.start()
    simulator.setBotUrl(`http://127.0.0.1:${port}/slack/events`)

    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    say(`\n  Querent in a Slack simulator: ${simulator.url}\n`)
    say(`  ${database}: ${catalog.tables.length} tables; ready after ${seconds} s. Ctrl-C stops it.`)
    say('  Try in #sales: @querent how many orders were placed last month by region?\n')
    await stopped.promise
    say('Stopping ...')
  } finally {
    await releasers.release()
  }
}

try {
  await demo()
} catch (error) {
  process.stderr.write(`${error instanceof QuerentError ? error.message : (error as Error).stack}\n`)
  process.exitCode = 1
}
