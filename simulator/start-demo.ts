import { makeBot } from '../src/bootstrap/bot.ts'
import { sampleCompany } from '../src/bootstrap/databases/databases.ts'
import { makeResources } from '../src/bootstrap/resources.ts'
import { makeSingleWorkspace } from '../src/bootstrap/slack/workspaces.ts'
import { type Config, makeSecret } from '../src/config/config.ts'
import type { Log } from '../src/domain/operations/telemetry.ts'
import { allEnded } from '../src/lib/concurrency.ts'
import type { Releasers } from '../src/lib/releasers.ts'
import { dayOf } from '../src/lib/time-zone.ts'
import { makeBoltLogger, makeHttpReceiver } from '../src/slack/receivers.ts'
import { dropDatabase, ensureDatabase, startEmbeddedServer } from '../src/store/embedded/embedded-server.ts'
import { claimStore } from './claim-store.ts'
import { freePort } from './free-port.ts'
import type { Simulator } from './simulator.ts'
import { startSimulator } from './start-simulator.ts'

const DRAIN_MS = 5_000

/** Who is an admin of the demo, and where people are asked to look at an answer. */
const ADMIN = 'mira'

const HUMANS_IN = 'random'

/** A bot in a simulator, and what people can ask it about. */
interface Demo {
  readonly simulator: Simulator
  readonly database: string
  readonly tables: number
}

/**
 * Starts the bot in a Slack simulator, over the sample company or the default database of the configuration. `store` is
 * the name of its own database, which begins empty: what an earlier demo stored would belong to nothing. One demo at a
 * time may have it; a second throws `store-unavailable`. `releasers` get the undo of every part; `say` is told what takes
 * time.
 */
export const startDemo = async (deps: {
  readonly configured: Config
  readonly store: string
  readonly log: Log
  readonly releasers: Releasers
  readonly now: () => Date
  say(line: string): void
}): Promise<Demo> => {
  const { configured, log, releasers, say } = deps
  say('Starting the store and the simulator ...')
  const [server, simulator] = await allEnded([
    startEmptyStore(deps),
    startSimulator().then(started => {
      releasers.push(() => started.close())
      return started
    }),
  ])
  const config = inWorkspace(configured, simulator, server.urlFor(deps.store))

  const resources = makeResources(config, { log, asOf: dayOf(deps.now(), config.timeZone) })
  releasers.push(() => resources.release())
  const database = config.defaultDatabase ?? sampleCompany
  say(database === sampleCompany ? 'Building the sample company ...' : `Opening ${database} ...`)
  await allEnded([resources.ownStore(), database === sampleCompany ? resources.sampleCompanyUrl() : null])
  // Only now: the store has the log that measuring the database is written to.
  const { catalog } = await resources.openDatabase(database)

  const port = await freePort()
  const bot = await makeBot(resources, {
    receiver: makeHttpReceiver({
      signingSecret: simulator.signingSecret,
      port,
      host: '127.0.0.1',
      logger: makeBoltLogger(log),
    }),
    workspaces: makeSingleWorkspace({ token: simulator.botToken, apiUrl: simulator.apiUrl }),
    database,
    workers: config.slack.workers,
  })
  releasers.push(() => bot.stop(DRAIN_MS))
  await bot.start()
  simulator.setBotUrl(`http://127.0.0.1:${port}/slack/events`)
  return { simulator, database, tables: catalog.tables.length }
}

/** Starts the database server with an empty database for the store. */
const startEmptyStore = async ({ configured, log, releasers, store }: Parameters<typeof startDemo>[0]) => {
  const server = await startEmbeddedServer({ home: configured.home, log })
  releasers.push(() => server.stop())
  const claim = claimStore(server, store, configured.home)
  releasers.push(async () => claim.release())
  await dropDatabase(server.adminUrl, store)
  await ensureDatabase(server.adminUrl, store)
  return server
}

/** The configuration with the people and channels of the simulator, whose ids are new at every start. */
const inWorkspace = (configured: Config, simulator: Simulator, databaseUrl: string): Config => {
  const admin = simulator.people.find(({ handle }) => handle === ADMIN)
  const humans = simulator.channels.find(({ name }) => name === HUMANS_IN)
  return {
    ...configured,
    store: { ...configured.store, databaseUrl: makeSecret(databaseUrl) },
    slack: {
      ...configured.slack,
      admins: admin ? [admin.id] : [],
      humansChannel: humans?.id ?? null,
    },
  }
}
