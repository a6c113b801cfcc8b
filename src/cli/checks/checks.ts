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
import {
  databaseFindings,
  doctorCopy,
  knowledgeFindings,
  nodeFindings,
  storeFindings,
} from '../copy/operations.ts'
import { readLayer } from '../semantic/semantic.ts'
import { checkBudget } from './check-budget.ts'
import { checkModel } from './check-model.ts'
import { checkRights } from './check-rights.ts'
import { readOnlyRoleStatements, summarizeSafeguards } from './check-safeguards.ts'
import { checkSemanticLayer } from './check-semantic-layer.ts'
import { checkSlack } from './check-slack.ts'

/** Checks every part in turn. If one is broken, the others are still checked. */
export const checkParts = async (
  given: { readonly config: Config; readonly resources: Resources; readonly signal: AbortSignal },
  database: string | null,
): Promise<readonly Check[]> => {
  const { config, resources, signal } = given
  const { ifBroken } = doctorCopy
  const names = database ? [database] : [sampleCompany, ...Object.keys(config.databases)]
  return [
    checkNode(process.versions.node),
    await runCheck('store', () => checkStore(config, resources), ifBroken.store),
    await runCheck('jobs', async () => checkJobs(await ownStoreUrl(config, resources.server)), ifBroken.jobs),
    await runCheck('redis', () => checkRedis(config), ifBroken.redis),
    await runCheck('model', () => checkModel(config, signal), ifBroken.model),
    await runCheck(
      'budget',
      async () => {
        const { models, peaks } = await spentToday(config, resources)
        return checkBudget(models, config, peaks)
      },
      ifBroken.budget,
    ),
    await runCheck(
      'slack',
      () => checkSlack(config, signal, () => installationsIn(config, resources)),
      ifBroken.slack,
    ),
    ...(await mapInSequence(names, name =>
      runCheck(
        doctorCopy.databasePart(name),
        () => checkDatabase(name, config, resources, signal),
        ifBroken.database,
      ),
    )),
    ...(await mapInSequence(names, name =>
      runCheck(doctorCopy.accessPart(name), () => checkRights(name, given), ifBroken.access),
    )),
    ...(await mapInSequence(names, name =>
      runCheck(
        doctorCopy.knowledgePart(name),
        async () => {
          const database = await resources.openDatabase(name, { signal })
          return checkKnowledge(database, await resources.reportOnDatabase(name, { signal }))
        },
        ifBroken.knowledge,
      ),
    )),
    ...(await mapInSequence(names, name =>
      runCheck(
        doctorCopy.semanticLayerPart(name),
        async () => {
          const { catalog } = await resources.openDatabase(name, { signal })
          return checkSemanticLayer(await readLayer({ database: name }, given), catalog)
        },
        ifBroken.semanticLayer,
      ),
    )),
  ]
}

const checkNode = (version: string): Check =>
  Number(version.split('.')[0]) >= 24
    ? { part: 'node', status: 'ok', finding: nodeFindings.ok(version) }
    : {
        part: 'node',
        status: 'broken',
        finding: nodeFindings.tooOld(version),
        todo: nodeFindings.install,
      }

const checkStore = async (config: Config, resources: Resources): Promise<Omit<Check, 'part'>> => {
  // Opening the store would migrate it, and a check must not change anything.
  const store = makeStore({ url: await ownStoreUrl(config, resources.server), resultKey })
  const server = config.store.databaseUrl ? storeFindings.external : storeFindings.embedded
  try {
    const newer = await store.newerMigrations()
    if (newer.length > 0)
      return { status: 'broken', finding: storeFindings.newer(server, newer), todo: storeFindings.startNewer }
    const pending = await store.pendingMigrations()
    const finding =
      pending.length === 0 ? storeFindings.upToDate(server) : storeFindings.behind(server, pending.length)
    return { status: 'ok', finding }
  } finally {
    await store.close()
  }
}

/** What was spent today; nothing if the schema needs a migration first, since a check must not run it. */
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

/** The installations; none if the schema needs a migration first. */
const installationsIn = async (config: Config, resources: Resources): Promise<readonly Installation[]> => {
  const store = makeStore({ url: await ownStoreUrl(config, resources.server), resultKey })
  try {
    return (await store.pendingMigrations()).length > 0 ? [] : await store.repositories.installations.list()
  } finally {
    await store.close()
  }
}

const checkRedis = async (config: Config): Promise<Omit<Check, 'part'>> => {
  if (!config.store.redisUrl) return { status: 'not-set', finding: storeFindings.redisNotNeeded }
  const redis = await connectRedis(config.store.redisUrl.reveal())
  try {
    await redis.ping()
    return { status: 'ok', finding: storeFindings.redisOk }
  } finally {
    await redis.close()
  }
}

/** A database is ok if it opens, and if its safeguards hold with the guard bypassed. */
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
    return { ...judged, finding: databaseFindings.tables(opened.catalog.tables.length, finding) }
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
 * The result of checking one part. `todo` says what to do, if anything. `weak`: it works, but one of its safeguards is
 * missing, such as a database user that cannot write.
 */
export interface Check {
  readonly part: string
  readonly status: 'ok' | 'not-set' | 'weak' | 'broken'
  readonly finding: string
  readonly todo?: string
}

/** Problems that are shown; the rest is only counted. */
const MAX_PROBLEMS = 3

/** Counts what the team wrote about a database, or lists what does not match it. */
export const checkKnowledge = (
  { knowledge = noKnowledge }: Pick<Database, 'knowledge'>,
  { knowledgeProblems: problems }: Pick<IndexReport, 'knowledgeProblems'>,
): Omit<Check, 'part'> => {
  const { terms, rules, descriptions, joins } = knowledge
  const entries = terms.length + rules.length + descriptions.length + joins.length
  if (problems.length > 0) {
    const shown = problems
      .slice(0, MAX_PROBLEMS)
      .map(({ at, message }) => knowledgeFindings.problem(at.file, at.line, message))
    const more = problems.length - shown.length
    return {
      status: 'broken',
      finding: [...shown, ...(more > 0 ? [knowledgeFindings.more(more)] : [])].join('\n'),
      todo: knowledgeFindings.correct,
    }
  }
  return entries === 0
    ? { status: 'not-set', finding: knowledgeFindings.none }
    : {
        status: 'ok',
        finding: knowledgeFindings.counts(terms.length, rules.length, descriptions.length),
      }
}

/** Looks for jobs that failed permanently. `url`: of Querent's own store. */
const checkJobs = async (url: string): Promise<Omit<Check, 'part'>> => {
  const { jobs, total } = await readDeadJobs(url, 1)
  const [latest] = jobs
  if (!latest) return { status: 'ok', finding: storeFindings.noFailedJobs }
  return {
    status: 'weak',
    finding: storeFindings.failedJobs(total, latest.queue, latest.reason),
    todo: storeFindings.retryJobs,
  }
}
