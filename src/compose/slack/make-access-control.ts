import { makeAccess } from '../../access/make-access.ts'
import { cacheFacts } from '../../access/remember-facts.ts'
import type { ChannelConfig, Config } from '../../config/config.ts'
import type { AccessControl, AccessSettings, LocationSettings } from '../../core/access.ts'
import { formatDatabaseRef } from '../../core/database-view.ts'
import type { Log } from '../../core/log.ts'
import { makeSlackClient } from '../../slack/delivery/make-client.ts'
import { makeSlackDirectory } from '../../slack/facts/learn-facts.ts'
import { routeAccess } from './route-by-team.ts'
import { type CredentialsOf, perTeam } from './slack-doors.ts'

/** Slack waits three seconds for us: two tries of this length leave some of them for the store. */
const SLACK_TIMEOUT_MS = 1_000

/** Wires who may ask where: the settings, and the facts that Slack tells in each workspace, kept for minutes. */
export const makeAccessControl = (
  config: Pick<Config, 'channels' | 'otherChannels' | 'directMessages'>,
  deps: {
    readonly doorOf: CredentialsOf
    /** For places that name none. */
    readonly database: string
    readonly log: Log
  },
): AccessControl => {
  const settings = accessSettings(config, deps.database)
  const of = perTeam(deps.doorOf, door => {
    const facts = makeSlackDirectory({
      quick: makeSlackClient({ ...door, retries: 1, failWhenLimited: true, timeoutMs: SLACK_TIMEOUT_MS }),
      patient: makeSlackClient(door),
    })
    return makeAccess({ settings, facts: cacheFacts(facts, Date.now), log: deps.log })
  })
  return routeAccess(of)
}

/** The settings of querent.yml with the database filled in where a place names none. */
export const accessSettings = (
  { channels, otherChannels, directMessages }: Parameters<typeof makeAccessControl>[0],
  byDefault: string,
): AccessSettings => {
  const settingsOf = ({ database, glossary, ...place }: ChannelConfig): LocationSettings => ({
    ...place,
    database: formatDatabaseRef({ database: database ?? byDefault, glossary }),
  })
  return {
    channels: Object.fromEntries(Object.entries(channels).map(([key, place]) => [key, settingsOf(place)])),
    otherChannels: otherChannels && settingsOf(otherChannels),
    directMessages: directMessages && settingsOf(directMessages),
    exampleDatabase: byDefault,
  }
}
