import { WebAPIPlatformError } from '@slack/web-api'

/** The code with which Slack refused a call, such as `invalid_blocks`; null for any other kind of failure. */
export const slackErrorCode = (error: unknown): string | null =>
  error instanceof WebAPIPlatformError ? error.data.error : null

/** Slack's codes for a channel or person that is gone, and for an app that was removed: retrying changes nothing. */
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

/** Whether Slack refused a call for good, and not because it is limiting, unreachable or slow. */
export const isPermanentSlackError = (error: unknown): boolean =>
  permanentCodes.has(slackErrorCode(error) ?? '')

/** Codes of a channel where we cannot post until a person invites us or names another one. */
const channelCodes: ReadonlySet<string> = new Set(['channel_not_found', 'not_in_channel', 'is_archived'])

/** Codes of a person who left, who is a bot, or whom we cannot message because `im:write` is missing. */
const personCodes: ReadonlySet<string> = new Set([
  'user_not_found',
  'users_not_found',
  'user_disabled',
  'user_not_visible',
  'cannot_dm_bot',
  'messages_tab_disabled',
  'missing_scope',
])

/** The code with which Slack refuses our messages in a channel; null for any other failure. */
export const unreachableChannelCode = (error: unknown): string | null => matchingCode(channelCodes, error)

/** The same for a person's direct messages. */
export const unreachablePersonCode = (error: unknown): string | null => matchingCode(personCodes, error)

const matchingCode = (codes: ReadonlySet<string>, error: unknown): string | null => {
  const code = slackErrorCode(error)
  return code !== null && codes.has(code) ? code : null
}
