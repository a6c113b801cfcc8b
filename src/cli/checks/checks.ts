import { sampleCompany } from '../../bootstrap/databases/databases.ts'
import { ownStoreUrl } from '../../bootstrap/own-store.ts'
import type { Resources } from '../../bootstrap/resources.ts'
import type { Config } from '../../config/config.ts'
import { connect } from '../../databases/connect.ts'
import { parseDatabaseReference } from '../../databases/database-reference.ts'
import type { Database, IndexReport } from '../../domain/database.ts'
import { noKnowledge } from '../../domain/knowledge.ts'
import { type DailyUsagePeaks, type ModelSpending, noUsagePeaks } from '../../domain/operations/usage.ts'
import type { Installation } from '../../domain/operations/workspace.ts'
import { readDeadJobs } from '../../jobs/dead-jobs.ts'
import { dayOf } from '../../lib/time-zone.ts'
import { resultKey } from '../../ranking/result-key.ts'
import { connectRedis } from '../../store/redis.ts'
import { makeStore } from '../../store/store.ts'
import { checkBudget } from './check-budget.ts'
import { checkModel } from './check-model.ts'
import { readOnlyRoleStatements, summarizeSafeguards } from './check-safeguards.ts'
import { checkSlack } from './check-slack.ts'

/** Looks at every part in turn: one that is broken does not keep the others from being looked at. */
export const checkParts = async (
  given: { readonly config: Config; readonly resources: Resources; readonly signal: AbortSignal },
  database: string | null,
): Promise<readonly Check[]> => {
  const { config, resources, signal } = given
  const names = database ? [database] : [sampleCompany, ...Object.keys(config.databases)]
  return [
    checkNode(process.versions.node),
    await runCheck(
      'store',
      () => checkStore(config, resources),
      'Set DATABASE_URL to a Postgres that runs, or leave it out.',
    ),
    await runCheck(
      'jobs',
      async () => checkJobs(await ownStoreUrl(config, resources.server)),
      'Look at the store first; the queues are made when the bot starts.',
    ),
    await runCheck('redis', () => checkRedis(config), 'Set REDIS_URL to a Redis that runs, or leave it out.'),
    await runCheck(
      'model',
      () => checkModel(config, signal),
      'Check OPENAI_API_KEY, OPENAI_BASE_URL and `models` in querent.yml.',
    ),
    await runCheck(
      'budget',
      async () => {
        const { models, peaks } = await spentToday(config, resources)
        return checkBudget(models, config, peaks)
      },
      'Look at the store first.',
    ),
    await runCheck(
      'slack',
      () => checkSlack(config, signal, () => installationsIn(config, resources)),
      'Check what is set for Slack: SLACK_BOT_TOKEN, or SLACK_CLIENT_ID and what it needs.',
    ),
    ...(await mapInSequence(names, name =>
      runCheck(
        `database ${name}`,
        () => checkDatabase(name, config, resources, signal),
        'Check its address in querent.yml.',
      ),
    )),
    ...(await mapInSequence(names, name =>
      runCheck(
        `knowledge of ${name}`,
        async () => {
          const database = await resources.openDatabase(name, { signal })
          return checkKnowledge(database, await resources.reportOnDatabase(name, { signal }))
        },
        'Look at the database first.',
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
  // Looked at, not opened: opening would bring the schema up to date, and a check changes nothing.
  const store = makeStore({ url: await ownStoreUrl(config, resources.server), resultKey })
  const pending = await store.pendingMigrations().finally(() => store.close())
  const where = config.store.databaseUrl ? 'DATABASE_URL' : 'the embedded Postgres server'
  if (pending.length === 0) return { status: 'ok', finding: `${where} answers; its schema is up to date` }
  return {
    status: 'ok',
    finding: `${where} answers; its schema is ${pending.length === 1 ? 'a migration' : `${pending.length} migrations`} behind; the next start runs what is missing; to do it now: npm run -s querent -- migrate`,
  }
}

/** Nothing where the schema is older than the books: they are looked at, not opened. */
const spentToday = async (
  config: Config,
  resources: Resources,
): Promise<{ readonly models: readonly ModelSpending[]; readonly peaks: DailyUsagePeaks }> => {
  const nothing = { models: [], peaks: noUsagePeaks }
  if (!config.models && Object.values(config.budget).every(limit => limit === null)) return nothing
  const store = makeStore({ url: await ownStoreUrl(config, resources.server), resultKey })
  try {
    if ((await store.pendingMigrations()).length > 0) return nothing
    const day = dayOf(new Date(), config.timeZone)
    const { modelUsage, budgetUsage } = store.repositories
    return { models: await modelUsage.list(day), peaks: await budgetUsage.peaksOn(day) }
  } finally {
    await store.close()
  }
}

/** None where the schema is older than they are. */
const installationsIn = async (config: Config, resources: Resources): Promise<readonly Installation[]> => {
  const store = makeStore({ url: await ownStoreUrl(config, resources.server), resultKey })
  try {
    return (await store.pendingMigrations()).length > 0 ? [] : await store.repositories.installations.list()
  } finally {
    await store.close()
  }
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

/** A database is fit when it opens, answers, and its walls stand with the guard out of the way (core/wall-trials.ts). */
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
  const reference = parseDatabaseReference(address, { baseFolder: config.workingFolder })
  const connector = await connect(reference, { audit: resources.audit, name: opened.name })
  try {
    const { finding, ...judged } = summarizeSafeguards(
      await connector.measuring.checkSafeguards({ signal }),
      readOnlyRoleStatements(reference, opened.catalog),
    )
    return { ...judged, finding: `${opened.catalog.tables.length} tables; ${finding}` }
  } finally {
    await connector.close()
  }
}

const runCheck = async (
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

const mapInSequence = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const done: R[] = []
  for (const item of items) done.push(await work(item))
  return done
}

/**
 * What a look at one part found. `todo` is there when something is to be done. `weak`: it works, but something that should
 * hold as well does not, such as a database's user who could write.
 */
export interface Check {
  readonly part: string
  readonly status: 'ok' | 'not-set' | 'weak' | 'broken'
  readonly finding: string
  readonly todo?: string
}

/** Problems that are shown; the rest is counted. */
const mostProblems = 3

/** What the team knows of a database, and whether all of it fits. */
export const checkKnowledge = (
  { knowledge = noKnowledge }: Pick<Database, 'knowledge'>,
  { knowledgeProblems: problems }: Pick<IndexReport, 'knowledgeProblems'>,
): Omit<Check, 'part'> => {
  const { terms, rules, descriptions, joins } = knowledge
  const entries = terms.length + rules.length + descriptions.length + joins.length
  if (problems.length > 0) {
    const shown = problems
      .slice(0, mostProblems)
      .map(({ at, message }) => `${at.file}:${at.line}: ${message}`)
    const more = problems.length - shown.length
    return {
      status: 'broken',
      finding: [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
      todo: 'Correct the lines (docs/knowledge.md); until then they are left out. index lists all of them.',
    }
  }
  return entries === 0
    ? { status: 'not-set', finding: 'Nobody has written anything down (docs/knowledge.md).' }
    : {
        status: 'ok',
        finding: `${terms.length} terms, ${rules.length} rules, ${descriptions.length} descriptions`,
      }
}

/** Looks for jobs that failed for good, at the URL of our own store. */
const checkJobs = async (url: string): Promise<Omit<Check, 'part'>> => {
  const { jobs, total } = await readDeadJobs(url, 1)
  const [latest] = jobs
  if (!latest) return { status: 'ok', finding: 'No job has failed for good.' }
  return {
    status: 'weak',
    finding: `${total} ${total === 1 ? 'job has' : 'jobs have'} failed for good; the latest in the queue ${latest.queue}: ${latest.reason}`,
    todo: 'Mend what the reason names, then press Retry or Drop in App Home, under "For admins".',
  }
}
