import type { Channel } from '../../shapes/people.ts'
import type { Workspace } from '../../workspace.ts'
import { type ApiMethod, refuse } from '../api-method.ts'
import { sharingOf } from './people-and-channels.ts'

/**
 * `users.conversations`: the channels that a person is in, or the bot where none is named; it is in all of them. Direct
 * messages only when `types` asks for them, and of a person only their own.
 */
export const makeListConversations =
  ({ channels, people, bot }: Pick<Workspace, 'channels' | 'people' | 'bot'>): ApiMethod =>
  async params => {
    const types = String(params.types ?? 'public_channel').split(',')
    const user = typeof params.user === 'string' && params.user !== bot.id ? params.user : null
    if (user !== null && !people.some(({ id }) => id === user)) return refuse('user_not_found')
    const isIn = ({ kind, person, members }: Channel): boolean =>
      user === null || (kind === 'direct' ? person === user : (members?.includes(user) ?? true))
    const listed = channels.filter(
      channel => types.includes(channel.kind === 'direct' ? 'im' : 'public_channel') && isIn(channel),
    )
    return {
      ok: true,
      channels: listed.map(({ id, name, kind, person, isShared }) =>
        kind === 'direct'
          ? { id, is_im: true, is_channel: false, user: person }
          : {
              id,
              name,
              is_im: false,
              is_channel: true,
              is_private: false,
              is_member: true,
              ...sharingOf({ isShared: isShared ?? false }),
            },
      ),
      response_metadata: { next_cursor: '' },
    }
  }
