import type { Resources } from '../../compose.ts'
import type { NotificationBus } from '../../core/notice.ts'

/** What one process has measured anew, the others take over soon. Returns how to stop that. */
export const shareIndexChanges = (
  {
    invalidateDatabase: heedDatabase,
    onDatabaseMeasured,
  }: Pick<Resources, 'invalidateDatabase' | 'onDatabaseMeasured'>,
  notices: Pick<NotificationBus, 'publish' | 'subscribe'>,
): (() => void) => {
  const untell = onDatabaseMeasured(
    (database, fingerprint) => void notices.publish('index-changed', { database, fingerprint }),
  )
  const unhear = notices.subscribe('index-changed', ({ database }) => heedDatabase(database))
  return () => {
    untell()
    unhear()
  }
}
