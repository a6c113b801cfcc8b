import type { AccessSettings } from '../../core/access.ts'
import type { Log } from '../../core/log.ts'
import type { OpenDatabaseByName } from './make-databases.ts'

/**
 * Opens the databases of all places, one after the other: the first question of a channel should not wait for its
 * database to be read. One that cannot be opened is logged, and opened when somebody asks.
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
  const views = new Set(places.flatMap(place => (place === null ? [] : [place.database])))
  for (const view of views) {
    if (signal.aborted) return
    await openDatabase(view, { signal }).catch((error: unknown) => {
      if (!signal.aborted)
        log.warn({ error, database: view }, 'the database of a channel could not be opened')
    })
  }
}
