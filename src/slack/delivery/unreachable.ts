import { slackErrorCode } from './slack-error-code.ts'

/** Trying again would not help: somebody must invite us, or name another channel. */
const channels: ReadonlySet<string> = new Set(['channel_not_found', 'not_in_channel', 'is_archived'])

/** Neither can be reached whoever left, or is a bot, nor anybody by an app that was installed without `im:write`. */
const people: ReadonlySet<string> = new Set([
  'user_not_found',
  'users_not_found',
  'user_disabled',
  'user_not_visible',
  'cannot_dm_bot',
  'messages_tab_disabled',
  'missing_scope',
])

/** The code with which Slack says that a channel will take nothing of us; null for any other failure. */
export const channelUnreachable = (error: unknown): string | null => codeIn(channels, error)

/** The same of a person's direct messages. */
export const personUnreachable = (error: unknown): string | null => codeIn(people, error)

const codeIn = (codes: ReadonlySet<string>, error: unknown): string | null => {
  const code = slackErrorCode(error)
  return code !== null && codes.has(code) ? code : null
}
