import { makeAccess } from '../../access/access-control.ts'
import { cacheFacts } from '../../access/cache-facts.ts'
import type { RightsRegistry } from '../../access/rights/rights-registry.ts'
import type { ChannelConfig, Config } from '../../config/config.ts'
import type { AccessControl, AccessSettings, LocationSettings } from '../../domain/access/access.ts'
import { formatDatabaseRef } from '../../domain/database.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import { type CredentialsOf, perTeam, routeAccess } from '../../slack/by-team.ts'
import { makeSlackClient } from '../../slack/delivery/client.ts'
import { makeSlackDirectory } from '../../slack/directory.ts'

/** Slack waits three seconds: two attempts of this length leave time for the store. */
const SLACK_TIMEOUT_MS = 1_000

/** Access control from the settings and from facts that Slack provides in each workspace, cached for minutes. */
export const makeAccessControl = (
  config: Pick<Config, 'channels' | 'otherChannels' | 'directMessages' | 'rights'>,
  deps: {
    readonly credentialsOf: CredentialsOf
    /** For locations without a database setting. */
    readonly database: string
    /** Learns the rights behind the keys in references. */
    readonly rightsRegistry: RightsRegistry
    readonly log: Log
  },
): AccessControl => {
  const settings = accessSettings(config, deps.database)
  const of = perTeam(deps.credentialsOf, credentials => {
    const facts = makeSlackDirectory({
      quick: makeSlackClient({
        ...credentials,
        retries: 1,
        failWhenLimited: true,
        timeoutMs: SLACK_TIMEOUT_MS,
      }),
      patient: makeSlackClient(credentials),
    })
    return makeAccess({
      settings,
      facts: cacheFacts(facts, Date.now),
      freshFacts: facts,
      registry: deps.rightsRegistry,
      log: deps.log,
    })
  })
  return routeAccess(of)
}

/** The settings of querent.yml, with the default database where a location names none. */
export const accessSettings = (
  { channels, otherChannels, directMessages, rights }: Parameters<typeof makeAccessControl>[0],
  byDefault: string,
): AccessSettings => {
  const settingsOf = ({
    database,
    glossary,
    strategy,
    audience,
    ...location
  }: ChannelConfig): LocationSettings => ({
    ...location,
    ...(strategy && { strategy }),
    ...(audience !== null && { audience }),
    database: formatDatabaseRef({ database: database ?? byDefault, glossary, rights: null }),
  })
  return {
    channels: Object.fromEntries(
      Object.entries(channels).map(([key, location]) => [key, settingsOf(location)]),
    ),
    otherChannels: otherChannels && settingsOf(otherChannels),
    directMessages: directMessages && settingsOf(directMessages),
    exampleDatabase: byDefault,
    rights,
  }
}
