import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeBot } from './compose/make-bot.ts'
import { sampleCompany } from './compose/make-databases.ts'
import { makeResources } from './compose.ts'
import type { Config } from './config/config.ts'
import { listSecrets } from './config/list-secrets.ts'
import { loadConfig } from './config/load-config.ts'
import { QuerentError } from './core/errors.ts'
import type { Log } from './core/log.ts'
import { dayOf } from './lib/day-of.ts'
import type { SlackReceiver } from './slack/app.ts'
import { makeBoltLogger } from './slack/bolt-logger.ts'
import { makeHttpReceiver } from './slack/receivers/http.ts'
import { makeSocketModeReceiver } from './slack/receivers/socket-mode.ts'
import { makeLog } from './telemetry/log.ts'

/** The server: configuration, resources, bot, start, drain. Nothing imports this file. */

enableCompileCache(join(import.meta.dirname, '../.querent/compile-cache'))

/**
 * A process manager usually kills after 30 s. What is not finished by then is aborted and handed back to the queue,
 * which takes up to 5 s more: 25 s in all.
 */
const DRAIN_MS = 19_000
/** How long connections may take to close after that. */
const RELEASE_MS = 2_000

const receiverFor = (config: Config, log: Log): SlackReceiver => {
  const { signingSecret, appToken, port } = config.slack
  const logger = makeBoltLogger(log)
  if (appToken) return makeSocketModeReceiver({ appToken: appToken.reveal(), logger })
  if (signingSecret) return makeHttpReceiver({ signingSecret: signingSecret.reveal(), port, logger })
  throw new QuerentError(
    'bad-configuration',
    'set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET for HTTP, so that Slack can reach the bot',
  )
}

const main = async (): Promise<void> => {
  const config = loadConfig()
  const log = makeLog({ level: config.logLevel ?? 'info', secrets: listSecrets(config) })
  const token = config.slack.botToken?.reveal()
  if (!token) {
    throw new QuerentError(
      'bad-configuration',
      'set SLACK_BOT_TOKEN; npm run demo shows the bot without Slack',
    )
  }
  const receiver = receiverFor(config, log)
  const resources = makeResources(config, { log, asOf: dayOf(new Date(), config.timeZone) })
  try {
    const database = config.defaultDatabase ?? sampleCompany
    await resources.openDatabase(database)
    const bot = await makeBot(resources, {
      receiver,
      token,
      ...(config.slack.apiUrl ? { apiUrl: config.slack.apiUrl } : {}),
      database,
      workers: config.slack.workers,
    })
    // LangGraph writes checkpoints behind the run; one that fails (the store was away) rejects where nobody waits. The
    // run then has no outcome and its job is tried again, so the process and everybody else's questions live on.
    process.on('unhandledRejection', error => log.error({ error }, 'something failed where nobody waited'))
    const stopped = Promise.withResolvers<NodeJS.Signals>()
    process.once('SIGTERM', stopped.resolve)
    process.once('SIGINT', stopped.resolve)
    await bot.start()
    log.info({ database, port: config.slack.appToken ? null : config.slack.port }, 'the bot is ready')
    const signal = await stopped.promise
    log.info({ signal }, 'stopping: finishing what is under way')
    await bot.stop(DRAIN_MS)
  } finally {
    // A connection that still waits for somebody's lock would keep the process for as long.
    await Promise.race([resources.release(), sleep(RELEASE_MS)])
  }
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof QuerentError ? error.message : (error as Error).stack}\n`)
  process.exitCode = error instanceof QuerentError && error.code === 'bad-configuration' ? 2 : 1
}
// Retries of a Slack that does not answer would go on for half an hour in a process that is done.
process.exit()
