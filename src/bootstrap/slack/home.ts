import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { explainAccess } from '../../access/rights/explain-rights.ts'
import { hasGroupsFor } from '../../access/rights/resolve-rights.ts'
import { makeDescribeHome, makeDescribeSchema, makeDescribeVerified } from '../../answering/describe-home.ts'
import { type FindExampleQuestions, makeFindExampleQuestions } from '../../answering/example-questions.ts'
import { readableAdminFacts, readableProposal } from '../../answering/readable.ts'
import { maintenanceRunContext } from '../../audit/run-contexts.ts'
import type { AccessControl } from '../../domain/access/access.ts'
import type { FindReader } from '../../domain/access/sees-value.ts'
import { formatDatabaseRef, parseDatabaseRef } from '../../domain/database.ts'
import type {
  AdminFacts,
  DescribeHome,
  DescribeSchema,
  DescribeVerified,
  HomeDatabase,
  RebuildIndex,
} from '../../domain/home.ts'
import type { DecideProposal } from '../../domain/metrics/layer-decision.ts'
import type { DeadJobs } from '../../domain/operations/jobs.ts'
import { shippedVersion } from '../../domain/selection/ranking.ts'
import type { Dialect } from '../../domain/sql.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { makeParseQuestion } from '../../parser/interpret-question.ts'
import { trainedModel } from '../../parser/rank/model.ts'
import { understandQuestion } from '../../parser/understand/understand-question.ts'
import { proposeLayer } from '../../semantic-layer/propose/propose-layer.ts'
import {
  makeDecideProposal,
  makeFindProposal,
  proposalsOf,
} from '../../semantic-layer/review/decide-proposal.ts'
import type { SlackUseCases } from '../../slack/use-cases.ts'
import type { Repositories } from '../../store/repositories/repositories.ts'
import type { Resources } from '../resources.ts'

/** How long opening the tab waits for one database; it is read in the background and is there the next time. */
const MAX_WAIT_MS = 1_500

const MAX_RECENT = 10

/** Databases whose proposals are listed; `semantic review` goes through those of any. */
const MAX_REVIEWED = 5

/** The use cases of App Home and of the command. */
interface HomeUseCases {
  readonly describeHome: DescribeHome
  readonly describeAdmin: (team: string, patient?: boolean) => Promise<AdminFacts>
  readonly describeSchema: DescribeSchema
  readonly describeVerified: DescribeVerified
  readonly findProposal: SlackUseCases['findProposal']
  readonly decideProposal: DecideProposal
  readonly rebuildIndex: RebuildIndex
  readonly findExamples: FindExampleQuestions
}

/** `fallback` is the database of locations that name none. */
export const makeHomeUseCases = (
  resources: Pick<
    Resources,
    | 'config'
    | 'openDatabase'
    | 'readSemanticLayer'
    | 'invalidateSemanticLayer'
    | 'reportOnDatabase'
    | 'inRunContext'
    | 'log'
  >,
  repositories: Repositories,
  deps: {
    readonly access: AccessControl
    readonly isAdmin: (person: string) => boolean
    readonly findReader: FindReader
    readonly dialectOf: (database: string) => Dialect | null
    readonly fallback: string
    readonly jobs: Pick<Jobs, 'send' | 'dead'>
    readonly now: () => Date
  },
): HomeUseCases => {
  const { config, openDatabase, log } = resources
  const { access, isAdmin } = deps
  const lookForExamples = makeFindExampleQuestions({
    understand: understandQuestion,
    parse: makeParseQuestion(trainedModel),
    clock: { now: deps.now, timeZone: config.timeZone },
    log,
  })
  const findExamples: FindExampleQuestions = database =>
    resources.inRunContext(maintenanceRunContext('index', null), () => lookForExamples(database))
  const databases = [...new Set([deps.fallback, ...Object.keys(config.databases)])]

  const inTime = async <T>(work: Promise<T>, patient: boolean): Promise<T | null> => {
    const done = work.catch((error: unknown) => {
      log.warn({ error }, 'could not read a part of App Home')
      return null
    })
    return patient ? done : Promise.race([done, sleep(MAX_WAIT_MS, null, { ref: false })])
  }

  const describeDatabase = async (
    view: string,
    patient: boolean,
  ): Promise<Pick<HomeDatabase, 'name' | 'description' | 'known'>> => {
    const { database: name } = parseDatabaseRef(view)
    const read = async (): Promise<HomeDatabase['known']> => {
      const { catalog } = await openDatabase(view)
      const { measuredAt } = await resources.reportOnDatabase(
        formatDatabaseRef({ ...parseDatabaseRef(view), glossary: null }),
      )
      return { measuredAt, tables: catalog.tables.map(table => ({ name: table.name, rows: table.rowCount })) }
    }
    return {
      name,
      description: config.databases[name]?.description ?? null,
      known: await inTime(read(), patient),
    }
  }

  const readLayer = async (name: string) => {
    const { catalog, dialect } = await openDatabase(name)
    const built = await resources.readSemanticLayer(name)
    return { layer: built?.layer ?? proposeLayer(catalog), dialect }
  }
  /** Null if a database was not ready in time. */
  const listProposals = async (patient: boolean): Promise<AdminFacts['proposals']> => {
    const found = await Promise.all(
      databases.slice(0, MAX_REVIEWED).map(name =>
        inTime(
          readLayer(name).then(({ layer }) => proposalsOf(layer, name)),
          patient,
        ),
      ),
    )
    return patient || found.every(one => one !== null) ? found.flatMap(one => one ?? []) : null
  }

  const decideProposal = makeDecideProposal({
    readLayer,
    insert: decision => repositories.layerDecisions.insert(decision),
    invalidate: resources.invalidateSemanticLayer,
    newId: randomUUID,
    now: deps.now,
  })
  const findProposal = makeFindProposal({ readLayer })
  const describeAdmin = makeDescribeAdmin(repositories, { databases, dead: deps.jobs.dead, listProposals })
  return {
    findExamples,
    describeHome: makeDescribeHome({
      access,
      isAdmin,
      describeDatabase,
      explainRights: async asker => {
        const { database } = asker
        if (!hasGroupsFor(config.rights, database)) return []
        return explainAccess(await access.databaseAccess(asker), { database, settings: config.rights })
      },
      findExamples: (view, patient) => inTime(openDatabase(view).then(findExamples), patient),
      listRecent: asker => repositories.homeQuestions.listOf(asker, MAX_RECENT),
      describeAdmin: async (admin, patient) =>
        readableAdminFacts(await describeAdmin(admin.team, patient), admin, deps),
    }),
    describeAdmin,
    describeSchema: makeDescribeSchema({ mayAsk: access.mayAsk, openDatabase }),
    describeVerified: makeDescribeVerified({
      mayAsk: access.mayAsk,
      openDatabase,
      listAccepted: database => repositories.verifiedQueries.list({ database, status: 'accepted' }),
    }),
    findProposal: async (key, reader) => {
      const found = await findProposal(key)
      return found && readableProposal(found, await deps.findReader({ ...reader, writtenFor: key.database }))
    },
    decideProposal: async given => {
      const { database, kind, name, decision, by } = given
      if (!databases.includes(database)) return { status: 'gone' }
      const decided = await decideProposal(given)
      if (decided.status === 'decided')
        log.info({ database, kind, name, decision: decision.status, by }, 'an admin decided about a proposal')
      return decided
    },
    rebuildIndex: async ({ database, by }) => {
      if (!isAdmin(by.person)) return { status: 'not-admin' }
      if (!databases.includes(database)) return { status: 'unknown' }
      log.info({ database, by }, 'an admin started rebuilding the index of a database')
      await deps.jobs.send('index', { database, by })
      return { status: 'begun' }
    },
  }
}

/** The most failures listed. */
const MAX_FAILED = 5

const MAX_DEAD_JOBS = 3

const MAX_SPENDERS = 5

/** What admins see, from the store: one query per section, all at once. */
const makeDescribeAdmin =
  (
    repositories: Pick<
      Repositories,
      | 'questions'
      | 'votes'
      | 'selectorVersions'
      | 'verifiedQueries'
      | 'proposedRules'
      | 'homeQuestions'
      | 'installations'
    >,
    {
      databases,
      dead,
      listProposals,
    }: {
      readonly databases: readonly string[]
      readonly dead: Pick<DeadJobs, 'list'>
      readonly listProposals: (patient: boolean) => Promise<AdminFacts['proposals']>
    },
  ): ((team: string, patient?: boolean) => Promise<AdminFacts>) =>
  async (team, patient = false) => {
    const { questions, votes, selectorVersions, verifiedQueries, proposedRules, homeQuestions } = repositories
    const [ended, voted, champion, verified, rules, proposals, failed, deadJobs, failedTokens] =
      await Promise.all([
        questions.countEnded(),
        votes.countAll(),
        selectorVersions.findChampion(),
        verifiedQueries.list(),
        proposedRules.list({ status: 'proposed' }),
        listProposals(patient),
        homeQuestions.listFailed(team, MAX_FAILED),
        dead.list(MAX_DEAD_JOBS),
        repositories.installations.listFailed(MAX_SPENDERS),
      ])
    return {
      questions: ended,
      votes: voted,
      selector: { version: champion?.version ?? shippedVersion, report: champion?.report ?? null },
      verified: {
        accepted: verified.filter(({ status }) => status === 'accepted').length,
        proposed: verified.filter(({ status }) => status === 'proposed'),
        stale: verified.filter(({ status }) => status === 'stale'),
      },
      rules,
      proposals,
      failed,
      dead: deadJobs,
      databases,
      failedTokens: failedTokens.map(({ teamName, failure, expiresAt }) => ({
        ...{ teamName, expiresAt },
        reason: failure?.reason ?? '',
      })),
    }
  }
