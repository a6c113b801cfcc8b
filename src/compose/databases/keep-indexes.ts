import type { Resources } from '../../compose.ts'
import type { Jobs } from '../../jobs/make-jobs.ts'
import { makeSlackClient } from '../../slack/delivery/make-client.ts'
import { makeShowHome } from '../../slack/listeners/show-home.ts'
import type { SlackUseCases } from '../../slack/use-cases.ts'
import { maintenanceRunContext } from '../audit/context-of-upkeep.ts'
import { type CredentialsOf, perTeam } from '../slack/slack-doors.ts'

/**
 * Takes the jobs that measure and index a database anew: one database in one process at a time, as its queue carries one
 * job each, and again where that process died. The others hear of it by a notice. Whoever asked is shown the end.
 */
export const startIndexJobs = async (
  { indexDatabase, inRunContext, log }: Pick<Resources, 'indexDatabase' | 'inRunContext' | 'log'>,
  deps: {
    readonly jobs: Jobs
    readonly doorOf: CredentialsOf
    readonly home: Pick<SlackUseCases, 'describeHome' | 'digests' | 'isAdmin'>
  },
): Promise<void> => {
  const clientOf = perTeam(deps.doorOf, door => makeSlackClient({ ...door, retries: 2 }))
  const showHome = makeShowHome(deps.home)
  await deps.jobs.work(
    'index',
    async ({ database, by }, { signal, lastAttempt }) => {
      const tell = async (note: string): Promise<void> => {
        if (by === null) return
        // The index is there: that it could not be shown is no reason to build it again.
        await showHome(clientOf(by.team), by, note).catch((error: unknown) =>
          log.warn({ error, database }, 'App Home could not be shown after an index was rebuilt'),
        )
      }
      try {
        const { tables, values } = await inRunContext(
          maintenanceRunContext('index', by?.person ?? null),
          () => indexDatabase(database, { signal }),
        )
        await tell(
          `The index of ${database} is rebuilt: ${tables} tables, ${values.toLocaleString('en-US')} values.`,
        )
      } catch (error) {
        if (lastAttempt) await tell(`The index of ${database} could not be rebuilt. The log says more.`)
        throw error
      }
    },
    { concurrency: 1 },
  )
}
