import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { listSecrets, loadConfig } from '../config/load-config.ts'
import { QuerentError } from '../domain/errors.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import { redact } from '../lib/redact.ts'
import { dayOf } from '../lib/time-zone.ts'
import type { SlackReceiver } from '../slack/app.ts'
import type { InstallRoute } from '../slack/installs/routes.ts'
import { makeBoltLogger, makeHttpReceiver, makeSocketModeReceiver } from '../slack/receivers.ts'
import { makeLog, makeLogContext } from '../telemetry/log.ts'
import { makeBot } from './bot.ts'
import { sampleCompany } from './databases/databases.ts'
import { openInBackground } from './databases/open-in-background.ts'
import { openOperations } from './operations.ts'
import { makeResources } from './resources.ts'
import { openWorkspaces } from './slack/workspaces.ts'

/**
 * Process managers usually kill after 30 s. What is not finished by then is aborted and handed back to the queue, which
 * takes up to 5 s more: 25 s in total.
 */
const DRAIN_MS = 19_000

/** How long connections may take to close after that. */
const RELEASE_MS = 2_000

const receiverFor = (config: Config, log: Log, installs: readonly InstallRoute[] | null): SlackReceiver => {
  const { signingSecret, appToken, apiUrl, port, host } = config.slack
  const logger = makeBoltLogger(log)
  if (appToken)
    return makeSocketModeReceiver({
      appToken: appToken.reveal(),
      logger,
      apiUrl,
      ...(installs && { installs: { routes: installs, port, host } }),
    })
  if (signingSecret)
    return makeHttpReceiver({
      signingSecret: signingSecret.reveal(),
      ...{ port, host },
      logger,
      ...(installs && { installs }),
    })
  throw new QuerentError(
    'bad-configuration',
    'set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET for HTTP, so that Slack can reach the bot',
  )
}

/**
 * Runs the bot as configured until SIGTERM or SIGINT, then drains it. Throws if it cannot start, after releasing what
 * is open.
 */
export const serve = async (config: Config = loadConfig()): Promise<void> => {
  const { inLogContext, current } = makeLogContext()
  const log = makeLog({ level: config.logLevel ?? 'info', secrets: listSecrets(config), context: current })
  // Missing configuration is reported at once, before anything is opened.
  const { workspaces, installs } = await openWorkspaces(config, { log, ownStore: () => resources.ownStore() })
  const receiver = receiverFor(config, log, installs)
  // Up before everything else and down after it, so that a slow start shows what it waits for.
  const operations = await openOperations(config, log)
  const { metrics } = operations
  const resources = makeResources(config, {
    log,
    metrics,
    inLogContext,
    asOf: dayOf(new Date(), config.timeZone),
  })
  try {
    const database = config.defaultDatabase ?? sampleCompany
    // Before a database is opened: profiling it is recorded in the store's audit log, and profiles of other processes
    // are taken from there.
    await resources.ownStore()
    await resources.openDatabase(database)
    const bot = await makeBot(resources, {
      receiver,
      workspaces,
      database,
      workers: config.slack.workers,
    })
    operations.watch(bot.watched)
    // LangGraph writes checkpoints in the background; a failed one (the store was unavailable) is an unhandled
    // rejection. The run then has no outcome and its job is tried again, so the process and other questions continue.
    // Node would print the error with all that hangs on it, such as the headers of a request.
    process.on('uncaughtException', error => {
      log.error({ error }, 'the bot crashed')
      process.exit(1)
    })
    process.on('unhandledRejection', error => log.error({ error }, 'an error went unhandled'))
    const stopped = Promise.withResolvers<NodeJS.Signals>()
    process.once('SIGTERM', stopped.resolve)
    process.once('SIGINT', stopped.resolve)
    await bot.start()
    log.info({ database, port: config.slack.appToken ? null : config.slack.port }, 'the bot is ready')
    const opening = new AbortController()
    void openInBackground(resources, { opened: database, signal: opening.signal })
    const signal = await stopped.promise
    opening.abort()
    log.info({ signal }, 'stopping: finishing the work in progress')
    operations.drain()
    await bot.stop(DRAIN_MS)
  } finally {
    // A connection waiting for a lock would keep the process alive for as long.
    await Promise.race([resources.release(), sleep(RELEASE_MS)])
    await operations.close()
  }
}

/**
 * Runs the bot as the only work of this process. Returns the exit status: 2 if the configuration is wrong, 1 if anything else
 * stopped it, after writing why to standard error.
 */
export const runServer = async (): Promise<number> => {
  try {
    await serve()
    return 0
  } catch (error) {
    process.stderr.write(
      `${error instanceof QuerentError ? error.message : redact(String((error as Error).stack))}\n`,
    )
    return error instanceof QuerentError && error.code === 'bad-configuration' ? 2 : 1
  }
}
