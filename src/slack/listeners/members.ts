import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt'
import type { SlackUseCases } from '../use-cases.ts'

/** Somebody joined a channel: what was posted there is looked at again. */
export const makeMemberJoined =
  ({ recheckChannel }: Pick<SlackUseCases, 'recheckChannel'>) =>
  async ({
    body,
    context,
    event,
  }: SlackEventMiddlewareArgs<'member_joined_channel'> & AllMiddlewareArgs): Promise<void> => {
    if (event.user === context.botUserId) return
    await recheckChannel({ team: body.team_id, channel: event.channel, joinedAt: event.event_ts })
  }
