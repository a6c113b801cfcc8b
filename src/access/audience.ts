import type {
  AccessFactSource,
  AccessSettings,
  Audience,
  ChannelFacts,
  CheckAudience,
  FindDatabaseAccess,
  LocationSettings,
  LookupPatience,
} from '../domain/access/access.ts'
import { coversRef, formatDatabaseRef, parseDatabaseRef } from '../domain/database.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import { mapInParallel } from '../lib/concurrency.ts'
import { classRightsKey, hasGroupsFor } from './rights/resolve-rights.ts'

/** Members of a channel that are looked up. A larger one needs a stated class (`audience`). */
const mostMembers = 1_000

const PARALLEL_MEMBERS = 5

const everyone: Audience = { kind: 'everyone' }

/**
 * Whether everyone in a channel may see what was read from a database under some rights. Everyone may if no group
 * names the database, in direct messages, if the class that querent.yml states for the channel has these rights, or if
 * each member has them or sees everything. What cannot be looked up counts as no.
 */
export const makeCheckAudience = (deps: {
  readonly settings: AccessSettings
  readonly facts: AccessFactSource
  /** The same without a cache, for a person who waits for a decision that counts now. */
  readonly freshFacts: Pick<AccessFactSource, 'channelMembers'>
  readonly databaseAccess: FindDatabaseAccess
  readonly learnChannel: (id: string, patience: LookupPatience) => Promise<ChannelFacts>
  readonly findSettings: (channel: ChannelFacts) => LocationSettings | null
  readonly log: Log
}): CheckAudience => {
  const { settings, facts, databaseAccess, log } = deps

  const canSee = async (
    person: string,
    {
      team,
      ref,
      location,
    }: { readonly team: string; readonly ref: string; readonly location: LocationSettings | null },
    patience: LookupPatience,
  ): Promise<boolean> => {
    const { isBot, isGuest, teams, hasLeft } = await facts.person(person, patience)
    if (isBot || hasLeft) return true
    if ((isGuest && !location?.guests) || (!teams.includes(team) && !location?.outsiders)) return false
    const { database, glossary } = parseDatabaseRef(ref)
    const access = await databaseAccess({ person, team, database }, { patience })
    switch (access.kind) {
      case 'closed':
        return false
      case 'open':
        return true
      case 'restricted':
        return coversRef(formatDatabaseRef({ database, glossary, rights: access.rights.key }), ref)
      default: {
        const never: never = access
        return never
      }
    }
  }

  return async (
    { team, channel: id, database: ref },
    { patience = 'patient', isFresh = false, mustKnow = false } = {},
  ) => {
    const { database, rights } = parseDatabaseRef(ref)
    if (id.startsWith('D') || !hasGroupsFor(settings.rights, database)) return everyone
    try {
      const channel = await deps.learnChannel(id, patience)
      const location = deps.findSettings(channel)
      if (location?.audience !== undefined) {
        const key = classRightsKey(settings.rights, location.audience, database)
        return key === 'open' || (key !== null && key === rights) ? everyone : { kind: 'some', without: null }
      }
      const members = await (isFresh ? deps.freshFacts : facts).channelMembers(id, patience)
      if (members.length > mostMembers) return { kind: 'some', without: null }
      const seen = await mapInParallel(members, PARALLEL_MEMBERS, person =>
        canSee(person, { team, ref, location }, patience),
      )
      const without = seen.filter(one => !one).length
      return without === 0 ? everyone : { kind: 'some', without }
    } catch (error) {
      if (mustKnow) throw error
      log.warn(
        { error, channel: id },
        'Slack did not tell who is in a channel; the answer goes to the asker alone',
      )
      return { kind: 'some', without: null }
    }
  }
}
