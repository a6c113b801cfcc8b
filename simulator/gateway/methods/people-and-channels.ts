import type { ApiAnswer } from '../../emulator/call-emulator.ts'
import { seed } from '../../emulator/seed.ts'
import type { Channel } from '../../shapes/people.ts'
import type { Workspace } from '../../workspace.ts'
import { type ApiMethod, refuse } from '../api-method.ts'

/** The emulator's `users.info` and `conversations.info`, with guests, people of other companies and shared channels. */
export const makeDescribePeopleAndChannels = (
  workspace: Pick<Workspace, 'people' | 'channels' | 'callEmulator' | 'bot' | 'team'>,
): {
  readonly user: ApiMethod
  readonly channel: ApiMethod
  readonly group: ApiMethod
  readonly members: ApiMethod
} => {
  const { people, channels, callEmulator, bot, team } = workspace
  return {
    user: async params => {
      const answer = await callEmulator('users.info', params, bot.token)
      const kind = people.find(({ id }) => id === params.user)?.kind
      return withFacts(answer, 'user', {
        team_id: kind === 'outsider' ? seed.otherTeam : team.id,
        is_restricted: kind === 'guest',
        is_ultra_restricted: false,
        is_stranger: kind === 'outsider',
      })
    },
    channel: async params => {
      const answer = await callEmulator('conversations.info', params, bot.token)
      const channel = channels.find(({ id }) => id === params.channel)
      return withFacts(answer, 'channel', sharingOf(channel))
    },
    members: async params => {
      const channel = channels.find(({ id }) => id === params.channel)
      if (!channel) return refuse('channel_not_found')
      return {
        ok: true,
        members: [...membersOf(channel, people), bot.id],
        response_metadata: { next_cursor: '' },
      }
    },
    group: async ({ usergroup }) => {
      const group = seed.groups.find(({ id }) => id === usergroup)
      if (!group) return refuse('no_such_subteam')
      const handles: readonly string[] = group.members
      return { ok: true, users: people.filter(({ handle }) => handles.includes(handle)).map(({ id }) => id) }
    },
  }
}

/** Guests were invited to #general alone, and people of another company are where a channel is shared. */
export const membersOf = (channel: Channel, people: Workspace['people']): readonly string[] =>
  channel.members ??
  people
    .filter(({ id, kind }) => {
      if (channel.kind === 'direct') return id === channel.person
      return kind === 'guest' ? channel.name === 'general' : kind === 'member' || channel.isShared === true
    })
    .map(({ id }) => id)

/** Slack's fields about who shares a channel. */
export const sharingOf = (channel: Pick<Channel, 'isShared'> | undefined) => ({
  is_ext_shared: channel?.isShared ?? false,
  is_org_shared: false,
  is_shared: channel?.isShared ?? false,
})

const withFacts = (answer: ApiAnswer, field: string, facts: Readonly<Record<string, unknown>>): ApiAnswer => {
  const told = answer[field]
  return answer.ok && typeof told === 'object' ? { ...answer, [field]: { ...told, ...facts } } : answer
}
