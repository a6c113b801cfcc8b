import type { WebClient } from '@slack/web-api'
import { z } from 'zod'

const ChannelList = z.looseObject({
  channels: z.array(z.looseObject({ id: z.string(), name: z.string().optional() })),
  response_metadata: z.looseObject({ next_cursor: z.string().optional() }).optional(),
})

/** Pages of channels that are looked through: who waits for a command does not wait for more. */
const MOST_SEARCHED_PAGES = 3
const PER_PAGE = 200

/**
 * The id of a channel that both a person and we are in, by its name; null where there is none, or Slack does not tell.
 * Never rejects.
 */
export const findChannelByName = async (
  client: WebClient,
  person: string,
  name: string,
): Promise<string | null> => {
  let cursor = ''
  try {
    for (let page = 0; page < MOST_SEARCHED_PAGES; page++) {
      const listed = ChannelList.parse(
        await client.users.conversations({
          user: person,
          types: 'public_channel,private_channel',
          exclude_archived: true,
          limit: PER_PAGE,
          ...(cursor === '' ? {} : { cursor }),
        }),
      )
      const found = listed.channels.find(channel => channel.name?.toLowerCase() === name.toLowerCase())
      if (found) return found.id
      cursor = listed.response_metadata?.next_cursor ?? ''
      if (cursor === '') return null
    }
  } catch {
    return null
  }
  return null
}
