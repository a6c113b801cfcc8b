import type { Workspace } from '../../workspace.ts'
import type { ApiMethod } from '../api-method.ts'
import { sharingOf } from './tell-facts.ts'

/** `users.conversations`: where the bot is a member, and everybody else too; direct messages only when `types` asks for them. */
export const makeListConversations =
  ({ channels }: Workspace): ApiMethod =>
  async params => {
    const types = String(params.types ?? 'public_channel').split(',')
    const listed = channels.filter(channel =>
      types.includes(channel.kind === 'direct' ? 'im' : 'public_channel'),
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
