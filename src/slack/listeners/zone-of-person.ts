import { setTimeout as sleep } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'

/** A form must be opened within three seconds of the click. */
const TIME_ZONE_TIMEOUT_MS = 1_000

const UserProfile = z.object({ user: z.object({ tz: z.string().min(1) }) })

/** The time zone of a person's profile; null where Slack does not tell in time. */
export const findTimeZone = async (client: WebClient, person: string): Promise<string | null> => {
  const asked = client.users
    .info({ user: person })
    .then(given => UserProfile.safeParse(given).data?.user.tz ?? null)
    .catch(() => null)
  return Promise.race([asked, sleep(TIME_ZONE_TIMEOUT_MS, null, { ref: false })])
}
