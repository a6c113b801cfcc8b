import type { Resources } from '../compose.ts'
import type { Config } from '../config/config.ts'
import { connect } from '../databases/connect.ts'
import { parseDatabaseReference } from '../databases/parse-database-reference.ts'
import { connectRedis } from '../store/redis.ts'
import type { Check } from './check.ts'
import { checkModel } from './check-model.ts'
import { sampleCompany } from './make-databases.ts'

/** Looks at every part in turn: one that is broken does not keep the others from being looked at. */
export const checkParts = async (
  given: { readonly config: Config; readonly resources: Resources; readonly signal: AbortSignal },
  database: string | null,
): Promise<readonly Check[]> => {
  const { config, resources, signal } = given
  const names = database ? [database] : [sampleCompany, ...Object.keys(config.databases)]
  return [
    checkNode(process.versions.node),
    await look(
      'store',
      () => checkStore(config, resources),
      'Set DATABASE_URL to a Postgres that runs, or leave it out.',
    ),
    await look('redis', () => checkRedis(config), 'Set REDIS_URL to a Redis that runs, or leave it out.'),
    await look(
      'model',
      () => checkModel(config, signal),
      'Check OPENAI_API_KEY, OPENAI_BASE_URL and `models` in querent.yml.',
    ),
    checkSlack(config),
    ...(await sequence(names, name =>
      look(
        `database ${name}`,
        () => checkDatabase(name, config, resources, signal),
        'Check its address in querent.yml.',
      ),
    )),
  ]
}

const checkNode = (version: string): Check =>
  Number(version.split('.')[0]) >= 24
    ? { part: 'node', status: 'ok', finding: `Node ${version}` }
    : {
        part: 'node',
        status: 'broken',
        finding: `Node ${version}; Querent needs 24.`,
        todo: 'Start through npm (npm run -s querent -- ...), which brings Node 24 along on x64 Linux; elsewhere install Node 24.',
      }

const checkStore = async (config: Config, resources: Resources): Promise<Omit<Check, 'part'>> => {
  const { store } = await resources.ownStore()
  const pending = await store.pendingMigrations()
  const where = config.store.databaseUrl ? 'DATABASE_URL' : 'the embedded Postgres server'
  return { status: 'ok', finding: `${where} answers; ${pending.length} migrations wait` }
}

const checkRedis = async (config: Config): Promise<Omit<Check, 'part'>> => {
  if (!config.store.redisUrl) return { status: 'not-set', finding: 'One process needs no Redis.' }
  const redis = await connectRedis(config.store.redisUrl.reveal())
  try {
    await redis.ping()
    return { status: 'ok', finding: 'REDIS_URL answers' }
  } finally {
    await redis.close()
  }
}

const checkSlack = (config: Config): Check => {
  const { botToken, signingSecret, appToken } = config.slack
  if (!botToken) return { part: 'slack', status: 'not-set', finding: 'SLACK_BOT_TOKEN is not set.' }
  if (signingSecret || appToken) return { part: 'slack', status: 'ok', finding: 'The bot has its tokens.' }
  return {
    part: 'slack',
    status: 'broken',
    finding: 'There is a bot token, but no way for Slack to reach the bot.',
    todo: 'Set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET for HTTP.',
  }
}

/** A database is fit when it opens, answers, and refuses a write with the guard out of the way. */
const checkDatabase = async (
  name: string,
  config: Config,
  resources: Resources,
  signal: AbortSignal,
): Promise<Omit<Check, 'part'>> => {
  const opened = await resources.openDatabase(name, { signal })
  const address =
    name === sampleCompany
      ? await resources.sampleCompanyUrl()
      : (config.databases[name]?.url.reveal() ?? name)
  const connector = await connect(parseDatabaseReference(address, { baseFolder: config.workingFolder }))
  try {
    const refuses = await connector.refusesWrites({ signal })
    const tables = `${opened.catalog.tables.length} tables`
    return refuses
      ? { status: 'ok', finding: `${tables}; a write was refused` }
      : {
          status: 'broken',
          finding: `${tables}; A WRITE WAS NOT REFUSED`,
          todo: 'Give Querent a role that can only SELECT.',
        }
  } finally {
    await connector.close()
  }
}

const look = async (
  part: string,
  check: () => Promise<Omit<Check, 'part'>>,
  todo: string,
): Promise<Check> => {
  try {
    return { part, ...(await check()) }
  } catch (error) {
    return { part, status: 'broken', finding: error instanceof Error ? error.message : String(error), todo }
  }
}

const sequence = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const done: R[] = []
  for (const item of items) done.push(await work(item))
  return done
}
