import { setTimeout as sleep } from 'node:timers/promises'
import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { AccessFactSource, ChannelFacts, LookupPatience } from '../domain/access/access.ts'

const User = z.object({
  user: z.object({
    id: z.string(),
    team_id: z.string().optional(),
    /** The address needs a scope of its own. */
    profile: z.looseObject({ email: z.string().optional() }).optional(),
    /** The account was closed. */
    deleted: z.boolean().optional(),
    is_bot: z.boolean().optional(),
    is_restricted: z.boolean().optional(),
    is_ultra_restricted: z.boolean().optional(),
    /** Of another company, met in a shared channel. */
    is_stranger: z.boolean().optional(),
    /** Of an organization with several workspaces. */
    enterprise_user: z.object({ teams: z.array(z.string()).optional() }).optional(),
  }),
})

const ChannelFields = z.object({
  id: z.string(),
  name: z.string().optional(),
  is_im: z.boolean().optional(),
  is_ext_shared: z.boolean().optional(),
  is_org_shared: z.boolean().optional(),
  is_pending_ext_shared: z.boolean().optional(),
})

const Channel = z.object({ channel: ChannelFields })

const Channels = z.object({
  channels: z.array(ChannelFields),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
})

const Members = z.object({ users: z.array(z.string()) })

const ChannelMembers = z.object({
  members: z.array(z.string()),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
})

/** More members than this are not read: nobody looks at each of them. */
const MOST_MEMBERS = 1_000

/** Pages of 200 channels that are read for one person. */
const MOST_CHANNEL_PAGES = 5

/** Reads facts about people and channels from Slack's Web API, with a client for each patience. */
export const makeSlackDirectory = (
  clients: Readonly<Record<LookupPatience, WebClient>>,
): AccessFactSource => ({
  person: async (id, patience) => {
    const { user } = User.parse(await clients[patience].users.info({ user: id }))
    const home = user.is_stranger === true || user.team_id === undefined ? [] : [user.team_id]
    return {
      id,
      teams: [...home, ...(user.enterprise_user?.teams ?? [])],
      isGuest: user.is_restricted === true || user.is_ultra_restricted === true,
      ...(user.deleted === true && { hasLeft: true }),
      ...(user.is_bot === true && { isBot: true }),
      ...(user.profile?.email && { email: user.profile.email }),
    }
  },
  channel: async (id, patience) =>
    toChannelFacts(Channel.parse(await clients[patience].conversations.info({ channel: id })).channel),
  members: async (groupId, patience) =>
    Members.parse(await clients[patience].usergroups.users.list({ usergroup: groupId })).users,
  isIn: async (person, channel, patience) => {
    for await (const { channels } of listChannelPages(clients[patience], person))
      if (channels.some(({ id }) => id === channel)) return true
    return false
  },
  channelsOf: async (person, patience) => {
    const found: ChannelFacts[] = []
    let pages = 0
    for await (const { channels } of listChannelPages(clients[patience], person)) {
      found.push(...channels.map(toChannelFacts))
      pages += 1
      if (pages === MOST_CHANNEL_PAGES) break
    }
    return found
  },
  channelMembers: async (channel, patience) => {
    const found: string[] = []
    let cursor = ''
    do {
      const page = ChannelMembers.parse(
        await clients[patience].conversations.members({
          channel,
          limit: 1_000,
          ...(cursor === '' ? {} : { cursor }),
        }),
      )
      found.push(...page.members)
      cursor = page.response_metadata?.next_cursor ?? ''
    } while (cursor !== '' && found.length <= MOST_MEMBERS)
    return found
  },
})

/** The channels that both a person and we are in, page by page. */
async function* listChannelPages(
  client: WebClient,
  person: string,
): AsyncGenerator<z.infer<typeof Channels>> {
  let cursor = ''
  do {
    const listed = Channels.parse(
      await client.users.conversations({
        user: person,
        types: 'public_channel,private_channel',
        exclude_archived: true,
        limit: 200,
        ...(cursor === '' ? {} : { cursor }),
      }),
    )
    yield listed
    cursor = listed.response_metadata?.next_cursor ?? ''
  } while (cursor !== '')
}

const toChannelFacts = (channel: z.infer<typeof ChannelFields>): ChannelFacts => ({
  id: channel.id,
  name: channel.name ?? null,
  kind: channel.is_im === true ? 'direct' : 'channel',
  isShared:
    channel.is_ext_shared === true ||
    channel.is_org_shared === true ||
    channel.is_pending_ext_shared === true,
})

const ChannelList = z.looseObject({
  channels: z.array(z.looseObject({ id: z.string(), name: z.string().optional() })),
  response_metadata: z.looseObject({ next_cursor: z.string().optional() }).optional(),
})

/** Pages of channels that are searched: nobody waits longer for a command. */
const MOST_SEARCHED_PAGES = 3

const PER_PAGE = 200

/**
 * The id of a channel that both a person and we are in, by its name; null if there is none, or if Slack cannot say. Never
 * rejects.
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

/** A form must be opened within three seconds of the click. */
const TIME_ZONE_TIMEOUT_MS = 1_000

const UserProfile = z.object({ user: z.object({ tz: z.string().min(1) }) })

/** The time zone of a person's profile; null if Slack does not say in time. */
export const findTimeZone = async (client: WebClient, person: string): Promise<string | null> => {
  const asked = client.users
    .info({ user: person })
    .then(given => UserProfile.safeParse(given).data?.user.tz ?? null)
    .catch(() => null)
  return Promise.race([asked, sleep(TIME_ZONE_TIMEOUT_MS, null, { ref: false })])
}
