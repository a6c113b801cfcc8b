import type { Resources } from '../../compose.ts'
import type { NoticeBoard } from '../../core/notice.ts'

/** What one process has measured anew, the others take over soon. Returns how to stop that. */
export const tellOfIndexes = (
  { heedDatabase, onDatabaseMeasured }: Pick<Resources, 'heedDatabase' | 'onDatabaseMeasured'>,
  notices: Pick<NoticeBoard, 'publish' | 'subscribe'>,
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
