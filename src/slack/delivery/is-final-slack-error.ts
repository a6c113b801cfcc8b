import { slackErrorCode } from './slack-error-code.ts'

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
