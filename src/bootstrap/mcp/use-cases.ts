import { setTimeout as sleep } from 'node:timers/promises'
import { makeAdmitCaller, makeListCallerDatabases } from '../../access/caller-access.ts'
import { findCallerAccess } from '../../access/rights/find-database-access.ts'
import { makeCallerQuestions } from '../../answering/caller-questions.ts'
import { makeCallerCatalog, makeCallerStatements } from '../../answering/caller-reading.ts'
import type { AccessControl } from '../../domain/access/access.ts'
import type { RunContext } from '../../domain/operations/audit.ts'
import { once } from '../../lib/once.ts'
import type { McpUseCases } from '../../mcp/use-cases.ts'
import { understandQuestion } from '../../parser/understand/understand-question.ts'
import { compileNamedQuery, listLayer } from '../../semantic-layer/ask/named-queries.ts'
import { makeAnswering } from '../answering/answering.ts'
import { makeDescribeResult } from '../answering/describe-results.ts'
import { makeConfiguredEmbedder, makeSchemaLinker } from '../answering/drafting-and-linking.ts'
import { sampleCompany } from '../databases/databases.ts'
import type { Resources } from '../resources.ts'
import { makeRateLimits, openSharedBackends, shareIndexChanges } from '../shared-services.ts'

/** How long calls that were stopped may take to end. */
const SETTLE_MS = 3_000

/**
 * What MCP tools call. The store and everything else are opened with the first call, so that a client is greeted at once;
 * what cannot be opened is tried again with the next. `settle` waits for calls that were stopped, so that the store is
 * not closed before they have written how they ended.
 */
export const makeMcpUseCases = (
  resources: Resources,
  options: { readonly shellDatabases: readonly string[]; readonly askSlack: boolean },
): {
  readonly useCases: McpUseCases
  readonly open: () => Promise<void>
  readonly settle: () => Promise<void>
} => {
  const open = once(() => openUseCases(resources, options))
  const running = new Set<Promise<unknown>>()
  const call = async <T>(work: (opened: McpUseCases) => Promise<T>): Promise<T> => {
    const working = open().then(work)
    running.add(working)
    try {
      return await working
    } finally {
      running.delete(working)
    }
  }
  return {
    open: () => call(async () => {}),
    settle: async () => {
      await Promise.race([Promise.allSettled(running), sleep(SETTLE_MS, undefined, { ref: false })])
    },
    useCases: {
      ask: (...given) => call(opened => opened.ask(...given)),
      reply: (...given) => call(opened => opened.reply(...given)),
      searchSchema: (...given) => call(opened => opened.searchSchema(...given)),
      listMetrics: (...given) => call(opened => opened.listMetrics(...given)),
      queryMetric: (...given) => call(opened => opened.queryMetric(...given)),
      runSql: (...given) => call(opened => opened.runSql(...given)),
      listVerified: (...given) => call(opened => opened.listVerified(...given)),
    },
  }
}

const openUseCases = async (
  resources: Resources,
  options: { readonly shellDatabases: readonly string[]; readonly askSlack: boolean },
): Promise<McpUseCases> => {
  const { config, log, openDatabase, releasers, inRunContext, checkQuota, metrics } = resources
  const { timeZone } = config
  const now = (): Date => new Date()
  const own = await resources.ownStore()
  const { repositories, questionLog } = own.store
  const { consumeRateLimit: consume, notices } = openSharedBackends({ config, url: own.url, releasers, log })
  const unsubscribe = shareIndexChanges(resources, notices)
  releasers.push(async () => unsubscribe())
  const isAdmin = (person: string): boolean => config.slack.admins.includes(person)
  const { limitQuestions: limit } = makeRateLimits(config, { consume, isAdmin, metrics })
  const databasesOf = makeListCallerDatabases({
    shell: options.shellDatabases,
    byDefault: config.defaultDatabase ?? sampleCompany,
    rightsOf: ({ person, claims = {}, database }) =>
      findCallerAccess(config.rights, { person, claims, database }, resources.rightsRegistry),
    reachableDatabases: options.askSlack ? await openSlackAccess(resources) : null,
    log,
  })
  const admit = makeAdmitCaller(databasesOf)
  const accounts = new Map<string, RunContext>()
  const answering = await makeAnswering(resources, {
    model: null,
    kept: 'in-store',
    contextOf: questionId => accounts.get(questionId) ?? null,
  })
  const questions = makeCallerQuestions({
    ...{ admit, limit, now, timeZone },
    keepQuestion: answering.keepQuestion,
    findQuestion: id => repositories.questions.find(id),
    insertReply: (...given) => repositories.replies.insert(...given),
    findClarification: id => repositories.clarifications.find(id),
    findReply: async id => (await repositories.replies.find(id))?.reply ?? null,
    ...{ answer: answering.answer, resume: answering.resume, loadResult: answering.loadResult },
    stop: async (questionId, by) => {
      await repositories.questions.stop(questionId, by)
      await questionLog.endStop(questionId)
    },
    withAccount: async (questionId, account, work) => {
      accounts.set(questionId, account)
      try {
        return await work()
      } finally {
        accounts.delete(questionId)
      }
    },
  })
  const statements = makeCallerStatements({
    ...{ admit, limit, openDatabase, checkQuota, inRunContext, compileNamedQuery, now, timeZone },
    describeResult: makeDescribeResult({ openDatabase, now }),
  })
  const catalog = makeCallerCatalog({
    ...{ admit, databasesOf, openDatabase, inRunContext, listLayer, now, timeZone },
    linkSchema: makeSchemaLinker(config, { embedder: await makeConfiguredEmbedder(config, null), log }),
    understand: understandQuestion,
    listVerified: database => repositories.verifiedQueries.list({ database, status: 'accepted' }),
  })
  return { ...questions, ...statements, ...catalog }
}

/** What Slack lets people ask. Loaded only if someone's rights depend on it. */
const openSlackAccess = async ({
  config,
  ownStore,
  rightsRegistry,
  log,
}: Resources): Promise<AccessControl['reachableDatabases']> => {
  const [{ openWorkspaces }, { makeAccessControl }] = await Promise.all([
    import('../slack/workspaces.ts'),
    import('../slack/access.ts'),
  ])
  const { workspaces } = await openWorkspaces(config, { ownStore, log })
  const { credentialsOf } = workspaces
  const database = config.defaultDatabase ?? sampleCompany
  return makeAccessControl(config, { credentialsOf, database, rightsRegistry, log }).reachableDatabases
}
