import { WebAPIPlatformError } from '@slack/web-api'

/** The code with which Slack refused a call, such as `invalid_blocks`; null for any other kind of failure. */
export const slackErrorCode = (error: unknown): string | null =>
  error instanceof WebAPIPlatformError ? error.data.error : null

/** What Slack says of a place or a person that is gone, and of an app that was removed: asking again changes nothing. */
const permanentCodes: ReadonlySet<string> = new Set([
  'account_inactive',
  'channel_not_found',
  'invalid_auth',
  'is_archived',
  'missing_scope',
  'not_authed',
  'not_in_channel',
  'team_access_not_granted',
  'token_revoked',
  'user_not_found',
])

/** Whether Slack refused a call for good. Being limited, away or slow is no such thing. */
export const isPermanentSlackError = (error: unknown): boolean =>
  permanentCodes.has(slackErrorCode(error) ?? '')

/** Trying again would not help: somebody must invite us, or name another channel. */
const channelCodes: ReadonlySet<string> = new Set(['channel_not_found', 'not_in_channel', 'is_archived'])

/** Neither can be reached whoever left, or is a bot, nor anybody by an app that was installed without `im:write`. */
const personCodes: ReadonlySet<string> = new Set([
  'user_not_found',
  'users_not_found',
  'user_disabled',
  'user_not_visible',
  'cannot_dm_bot',
  'messages_tab_disabled',
  'missing_scope',
])

/** The code with which Slack says that a channel will take nothing of us; null for any other failure. */
export const unreachableChannelCode = (error: unknown): string | null => matchingCode(channelCodes, error)

/** The same of a person's direct messages. */
export const unreachablePersonCode = (error: unknown): string | null => matchingCode(personCodes, error)

const matchingCode = (codes: ReadonlySet<string>, error: unknown): string | null => {
  const code = slackErrorCode(error)
  return code !== null && codes.has(code) ? code : null
}
