import { setTimeout as sleep } from 'node:timers/promises'
import { makeDescribeHome } from '../../app/home/describe-home.ts'
import { makeDescribeSchema } from '../../app/home/describe-schema.ts'
import { makeDescribeVerified } from '../../app/home/describe-verified.ts'
import { type FindExampleQuestions, makeFindExampleQuestions } from '../../app/home/find-examples.ts'
import type { Resources } from '../../compose.ts'
import type { AccessControl } from '../../core/access.ts'
import { parseDatabaseRef } from '../../core/database-view.ts'
import type {
  AdminFacts,
  DescribeHome,
  DescribeSchema,
  DescribeVerified,
  HomeDatabase,
  RebuildIndex,
} from '../../core/home.ts'
import type { Jobs } from '../../jobs/make-jobs.ts'
import { makeParseQuestion } from '../../semantic-parser/parse-question.ts'
import { trainedModel } from '../../semantic-parser/rank/trained-model.ts'
import { understandQuestion } from '../../semantic-parser/understand/understand-question.ts'
import type { Repositories } from '../../store/repositories/make-repositories.ts'
import { maintenanceRunContext } from '../audit/context-of-upkeep.ts'
import { makeDescribeAdmin } from './describe-admin.ts'

/** Whoever opens the tab does not wait longer for one database; it is read on, and there the next time. */
const MAX_WAIT_MS = 1_500
const MAX_RECENT = 10

/** What App Home and the command show, wired. */
export interface HomeUseCases {
  readonly describeHome: DescribeHome
  readonly describeAdmin: (team: string) => Promise<AdminFacts>
  readonly describeSchema: DescribeSchema
  readonly describeVerified: DescribeVerified
  readonly rebuildIndex: RebuildIndex
  readonly findExamples: FindExampleQuestions
}

/** Wires it. `fallback` is the database of places that name none. */
export const makeHomeUseCases = (
  resources: Pick<Resources, 'config' | 'openDatabase' | 'reportOnDatabase' | 'inRunContext' | 'log'>,
  repositories: Repositories,
  deps: {
    readonly access: AccessControl
    readonly isAdmin: (person: string) => boolean
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
      log.warn({ error }, 'a part of App Home could not be read')
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
      const { measuredAt } = await resources.reportOnDatabase(name)
      return { measuredAt, tables: catalog.tables.map(table => ({ name: table.name, rows: table.rowCount })) }
    }
    return {
      name,
      description: config.databases[name]?.description ?? null,
      known: await inTime(read(), patient),
    }
  }

  const describeAdmin = makeDescribeAdmin(repositories, databases, deps.jobs.dead)
  return {
    findExamples,
    describeHome: makeDescribeHome({
      access,
      isAdmin,
      describeDatabase,
      findExamples: (view, patient) => inTime(openDatabase(view).then(findExamples), patient),
      listRecent: asker => repositories.homeQuestions.listOf(asker, MAX_RECENT),
      describeAdmin,
    }),
    describeAdmin,
    describeSchema: makeDescribeSchema({ mayAsk: access.mayAsk, openDatabase }),
    describeVerified: makeDescribeVerified({
      mayAsk: access.mayAsk,
      listAccepted: database => repositories.verifiedQueries.list({ database, status: 'accepted' }),
    }),
    rebuildIndex: async ({ database, by }) => {
      if (!isAdmin(by.person)) return { status: 'not-admin' }
      if (!databases.includes(database)) return { status: 'unknown' }
      log.info({ database, by }, 'an admin has the index of a database rebuilt')
      await deps.jobs.send('index', { database, by })
      return { status: 'begun' }
    },
  }
}
