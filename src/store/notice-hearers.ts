import type { NotificationBus, NotificationName } from '../core/notice.ts'
import { readNotice } from './stored/notice.ts'

/** Who hears which notice in this process. */
export interface NoticeSubscribers {
  readonly subscribe: NotificationBus['subscribe']
  /** Tells everybody who hears notices of this name. What cannot be read is passed over. */
  hear(text: string): void
}

/** Makes an empty list of them. */
export const makeNoticeSubscribers = (): NoticeSubscribers => {
  const hearers = new Map<NotificationName, Set<(notice: never) => void>>()
  return {
    subscribe: (name, hear) => {
      // Its own function each time: the same one may hear twice, and then stops hearing once.
      const own = (notice: never): void => hear(notice)
      const all = hearers.get(name) ?? new Set()
      hearers.set(name, all.add(own))
      return () => void all.delete(own)
    },
    hear: text => {
      const heard = readNotice(text)
      if (!heard) return
      for (const hear of hearers.get(heard.name) ?? []) hear(heard.notice as never)
    },
  }
}
