import type { AccessControl, CheckAccess, NotAllowed } from '../domain/access/access.ts'
import type { Table } from '../domain/catalog.ts'
import { type Database, parseDatabaseRef } from '../domain/database.ts'
import type {
  AdminFacts,
  DescribeHome,
  DescribeSchema,
  DescribeVerified,
  HomeDatabase,
  HomeFacts,
  RecentQuestion,
} from '../domain/home.ts'
import type { VerifiedQuery } from '../domain/verified-query.ts'
import { type ReaderDatabase, readableQueries } from './readable.ts'

/** The most databases shown; a team with more asks in channels. */
const MAX_DATABASES = 5

/** All sections are looked up at once. */
export const makeDescribeHome =
  (deps: {
    readonly access: Pick<AccessControl, 'mayAsk' | 'reachableDatabases'>
    readonly isAdmin: (person: string) => boolean
    readonly describeDatabase: (
      view: string,
      patient: boolean,
    ) => Promise<Pick<HomeDatabase, 'name' | 'description' | 'known'>>
    readonly explainRights: (asker: {
      readonly person: string
      readonly team: string
      readonly database: string
    }) => Promise<readonly string[]>
    /** Null if they are not ready in time. */
    readonly findExamples: (view: string, patient: boolean) => Promise<readonly string[] | null>
    readonly listRecent: (asker: {
      readonly person: string
      readonly team: string
    }) => Promise<readonly RecentQuestion[]>
    /** With values only of rows that this admin may see. */
    readonly describeAdmin: (
      admin: { readonly person: string; readonly team: string },
      patient: boolean,
    ) => Promise<AdminFacts>
  }): DescribeHome =>
  async ({ person, team }, { patient } = { patient: false }) => {
    const forPerson = async (): Promise<
      Pick<HomeFacts, 'databases' | 'examples' | 'notAllowed' | 'isPartial'>
    > => {
      // If nothing is known about the person, this gives the same reason as everywhere else.
      const found = await deps.access.reachableDatabases({ person, team }).catch(() => [])
      if (found.length === 0) {
        const none = { databases: [], examples: [], isPartial: false }
        return { ...none, notAllowed: await findRefusal(deps.access, { person, team }) }
      }
      const direct = found.find(one => one.direct)
      const [databases, examples] = await Promise.all([
        Promise.all(
          found.slice(0, MAX_DATABASES).map(async ({ database, ...where }) => ({
            ...(await deps.describeDatabase(database, patient)),
            rights: await deps.explainRights({ person, team, database: parseDatabaseRef(database).database }),
            ...where,
          })),
        ),
        direct ? deps.findExamples(direct.database, patient) : [],
      ])
      const isPartial = examples === null || databases.some(({ known }) => known === null)
      return { databases, examples: examples ?? [], notAllowed: null, isPartial }
    }
    const [own, recent, admin] = await Promise.all([
      forPerson(),
      deps.listRecent({ person, team }),
      deps.isAdmin(person) ? deps.describeAdmin({ person, team }, patient) : null,
    ])
    return { ...own, recent, admin, isPartial: own.isPartial || admin?.proposals === null }
  }

/** Checks direct messages: a person must not learn about channels they are not in. */
const findRefusal = async (
  { mayAsk }: Pick<AccessControl, 'mayAsk'>,
  { person, team }: { readonly person: string; readonly team: string },
): Promise<NotAllowed> => {
  const access = await mayAsk({ person, location: { team, channel: 'D' } })
  return access.status === 'allowed'
    ? {
        status: 'not-allowed',
        reason: 'Slack did not tell me where you can ask.',
        nextStep: 'Open this tab again in a minute.',
      }
    : { status: 'not-allowed', reason: access.reason, nextStep: access.nextStep }
}

/** Describes the database of a location, for people who can ask there. It shows no values. */
export const makeDescribeSchema =
  (deps: {
    readonly mayAsk: CheckAccess
    readonly openDatabase: (view: string) => Promise<Pick<Database, 'name' | 'catalog'>>
  }): DescribeSchema =>
  async ({ person, location, table: wanted }) => {
    const access = await deps.mayAsk({ person, location })
    if (access.status !== 'allowed')
      return { status: 'not-allowed', reason: access.reason, nextStep: access.nextStep }
    const { name: database, catalog } = await deps.openDatabase(access.database)
    const tables = [...catalog.tables].sort((a, b) => qualifiedName(a).localeCompare(qualifiedName(b)))
    if (wanted === null) {
      return {
        status: 'tables',
        database,
        tables: tables.map(table => ({
          name: qualifiedName(table),
          rows: table.rowCount,
          comment: table.comment,
        })),
      }
    }
    const same = (name: string): boolean => name.toLowerCase() === wanted.toLowerCase()
    const found = tables.find(table => same(qualifiedName(table))) ?? tables.find(table => same(table.name))
    if (!found) return { status: 'no-such-table', database, table: wanted, tables: tables.map(qualifiedName) }
    return {
      status: 'table',
      database,
      name: qualifiedName(found),
      rows: found.rowCount,
      comment: found.comment,
      columns: found.columns.map(({ name, type, comment, masked }) => ({
        name,
        type,
        comment,
        masked: masked === true,
      })),
    }
  }

const qualifiedName = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string =>
  schema === null ? name : `${schema}.${name}`

/** Lists the verified queries of a location's database. */
export const makeDescribeVerified =
  (deps: {
    readonly mayAsk: CheckAccess
    readonly listAccepted: (
      database: string,
    ) => Promise<readonly Pick<VerifiedQuery, 'question' | 'sql' | 'slots'>[]>
    readonly openDatabase: (view: string) => Promise<ReaderDatabase>
  }): DescribeVerified =>
  async ({ person, location }) => {
    const access = await deps.mayAsk({ person, location })
    if (access.status !== 'allowed')
      return { status: 'not-allowed', reason: access.reason, nextStep: access.nextStep }
    const { database } = parseDatabaseRef(access.database)
    const accepted = await deps.listAccepted(database)
    const seen = readableQueries(accepted, await deps.openDatabase(access.database))
    return { status: 'verified', database, questions: seen.map(({ question }) => question) }
  }
