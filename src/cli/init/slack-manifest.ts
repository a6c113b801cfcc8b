import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDocument } from 'yaml'

/** How Slack reaches the bot: over a socket that the bot opens, or at a public address of the bot's. */
export type SlackConnectionMode = { readonly way: 'socket' } | { readonly way: 'http'; readonly url: string }

/** Where Slack calls, on the address that the bot is reached at. */
export const eventsPath = '/slack/events'

/** manifest.yml, as it is to be pasted for one of the two ways in. */
export const slackManifest = async (way: SlackConnectionMode): Promise<string> => {
  const text = await readFile(join(import.meta.dirname, '../../../manifest.yml'), 'utf8')
  if (way.way === 'socket') return text
  const document = parseDocument(text)
  const address = new URL(eventsPath, way.url).href
  document.setIn(['settings', 'socket_mode_enabled'], false)
  document.setIn(['settings', 'event_subscriptions', 'request_url'], address)
  document.setIn(['settings', 'interactivity', 'request_url'], address)
  const commands = document.toJS().features.slash_commands as readonly unknown[]
  for (const i of commands.keys()) document.setIn(['features', 'slash_commands', i, 'url'], address)
  return document.toString({ lineWidth: 0 })
}
