import { z } from 'zod'
import type { NotificationName, Notifications } from '../../core/notice.ts'

const StoredNotice = z.discriminatedUnion('name', [
  z.object({ name: z.literal('stop'), notice: z.object({ questionId: z.string() }) }),
  z.object({
    name: z.literal('index-changed'),
    notice: z.object({ database: z.string(), fingerprint: z.string() }),
  }),
])

/** A notice with its name. */
export type NamedNotice = z.output<typeof StoredNotice>

/** A notice as one line of text. */
export const writeNotice = <N extends NotificationName>(name: N, notice: Notifications[N]): string =>
  JSON.stringify({ name, notice })

/** Reads it back; null for what another version of ours may have said. */
export const readNotice = (text: string): NamedNotice | null => {
  try {
    return StoredNotice.parse(JSON.parse(text))
  } catch {
    return null
  }
}
