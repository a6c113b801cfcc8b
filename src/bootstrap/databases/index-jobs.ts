import { maintenanceRunContext } from '../../audit/run-contexts.ts'
import type { AccessSettings } from '../../domain/access.ts'
import type { OpenDatabaseByName } from '../../domain/database.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { type CredentialsOf, perTeam } from '../../slack/by-team.ts'
import { makeSlackClient } from '../../slack/delivery/client.ts'
import { makeShowHome } from '../../slack/listeners/home.ts'
import type { SlackUseCases } from '../../slack/use-cases.ts'
import type { Resources } from '../resources.ts'

/**
 * Runs the jobs that profile and index a database: one process per database at a time, because its queue has one job
 * per key, and again if that process died. Other processes get a notice. The admin who asked sees the result.
 */
export const startIndexJobs = async (
  { indexDatabase, inRunContext, log }: Pick<Resources, 'indexDatabase' | 'inRunContext' | 'log'>,
  deps: {
    readonly jobs: Jobs
    readonly credentialsOf: CredentialsOf
    readonly home: Pick<SlackUseCases, 'describeHome' | 'digests' | 'isAdmin'>
  },
): Promise<void> => {
  const clientOf = perTeam(deps.credentialsOf, credentials => makeSlackClient({ ...credentials, retries: 2 }))
  const showHome = makeShowHome(deps.home)
  await deps.jobs.work(
    'index',
    async ({ database, by }, { signal, lastAttempt }) => {
      const tell = async (note: string): Promise<void> => {
        if (by === null) return
        // The index is built; a failure to show it is no reason to build it again.
        await showHome(clientOf(by.team), by, note).catch((error: unknown) =>
          log.warn({ error, database }, 'could not refresh App Home after an index was rebuilt'),
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
        if (lastAttempt) await tell(`The index of ${database} could not be rebuilt. The log says why.`)
        throw error
      }
    },
    { concurrency: 1 },
  )
}

/**
 * Opens the databases of all locations one after the other, so that a channel's first question does not wait for its
 * database to be read. A database that cannot be opened is logged, and opened when a question needs it.
 */
export const openConfiguredDatabases = async (
  settings: AccessSettings,
  {
    openDatabase,
    log,
    signal,
  }: { readonly openDatabase: OpenDatabaseByName; readonly log: Log; readonly signal: AbortSignal },
): Promise<void> => {
  const places = [...Object.values(settings.channels), settings.otherChannels, settings.directMessages]
  const views = new Set(places.flatMap(location => (location === null ? [] : [location.database])))
  for (const view of views) {
    if (signal.aborted) return
    await openDatabase(view, { signal }).catch((error: unknown) => {
      if (!signal.aborted) log.warn({ error, database: view }, 'could not open the database of a channel')
    })
  }
}
