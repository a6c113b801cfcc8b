import type { AccessControl, NotAllowed } from '../../core/access.ts'
import type { AdminFacts, DescribeHome, HomeDatabase, HomeFacts, RecentQuestion } from '../../core/home.ts'

/** Databases described; a team with more of them asks in channels. */
const MAX_DATABASES = 5

/** Makes the use case. Each section is one look-up; they are made at once. */
export const makeDescribeHome =
  (deps: {
    readonly access: Pick<AccessControl, 'mayAsk' | 'reachable'>
    readonly isAdmin: (person: string) => boolean
    readonly describeDatabase: (
      view: string,
      patient: boolean,
    ) => Promise<Pick<HomeDatabase, 'name' | 'description' | 'known'>>
    /** Null where they are not there in time. */
    readonly findExamples: (view: string, patient: boolean) => Promise<readonly string[] | null>
    readonly listRecent: (asker: {
      readonly person: string
      readonly team: string
    }) => Promise<readonly RecentQuestion[]>
    readonly describeAdmin: (team: string) => Promise<AdminFacts>
  }): DescribeHome =>
  async ({ person, team }, { patient } = { patient: false }) => {
    const forPerson = async (): Promise<
      Pick<HomeFacts, 'databases' | 'examples' | 'notAllowed' | 'isPartial'>
    > => {
      // Where nothing could be learned of the person, this says so in the same words as everywhere.
      const found = await deps.access.reachable({ person, team }).catch(() => [])
      if (found.length === 0) {
        const none = { databases: [], examples: [], isPartial: false }
        return { ...none, notAllowed: await findRefusal(deps.access, { person, team }) }
      }
      const direct = found.find(one => one.direct)
      const [databases, examples] = await Promise.all([
        Promise.all(
          found.slice(0, MAX_DATABASES).map(async ({ database, ...where }) => ({
            ...(await deps.describeDatabase(database, patient)),
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
      deps.isAdmin(person) ? deps.describeAdmin(team) : null,
    ])
    return { ...own, recent, admin }
  }

/** The channel stands for direct messages: nobody is told of a channel that they are not in. */
const findRefusal = async (
  { mayAsk }: Pick<AccessControl, 'mayAsk'>,
  { person, team }: { readonly person: string; readonly team: string },
): Promise<NotAllowed> => {
  const access = await mayAsk({ person, place: { team, channel: 'D' } })
  return access.status === 'allowed'
    ? {
        status: 'not-allowed',
        reason: 'Slack did not tell me where you may ask.',
        nextStep: 'Open this tab again in a minute.',
      }
    : { status: 'not-allowed', reason: access.reason, nextStep: access.nextStep }
}
