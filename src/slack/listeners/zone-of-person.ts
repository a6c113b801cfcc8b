import { setTimeout as sleep } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'

/** A form must be opened within three seconds of the click. */
const PATIENCE_MS = 1_000

const answer = z.object({ user: z.object({ tz: z.string().min(1) }) })

/** The time zone of a person's profile; null where Slack does not tell in time. */
export const zoneOfPerson = async (client: WebClient, person: string): Promise<string | null> => {
  const asked = client.users
    .info({ user: person })
    .then(given => answer.safeParse(given).data?.user.tz ?? null)
    .catch(() => null)
  return Promise.race([asked, sleep(PATIENCE_MS, null, { ref: false })])
}
