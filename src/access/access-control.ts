import { createHash } from 'node:crypto'
import type {
  Access,
  AccessControl,
  AccessFactSource,
  AccessRefusal,
  AccessRefusalCode,
  AccessSettings,
  Asker,
  ChannelFacts,
  CheckAccess,
  LocationSettings,
  LookupPatience,
  PersonFacts,
} from '../domain/access/access.ts'
import { coversRef, formatDatabaseRef, parseDatabaseRef, withoutRights } from '../domain/database.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import { makeCheckAudience } from './audience.ts'
import { makeFindDatabaseAccess } from './rights/find-database-access.ts'
import { hasGroupsFor } from './rights/resolve-rights.ts'
import type { RightsRegistry } from './rights/rights-registry.ts'

/** User group ids start with S. */
const isGroup = (id: string): boolean => id.startsWith('S')

/** Settings for a review channel that querent.yml does not list. */
const reviewChannelDefaults = { database: '', mayAsk: null, guests: false, outsiders: false } as const

/** Looks up the facts and applies the rules. If a fact cannot be looked up, the result is `unknown`. */
export const makeAccess = ({
  settings,
  facts,
  freshFacts = facts,
  registry,
  log,
}: {
  readonly settings: AccessSettings
  readonly facts: AccessFactSource
  /** The same without a cache. */
  readonly freshFacts?: Pick<AccessFactSource, 'channelMembers'>
  /** Learns the rights behind the keys in references. */
  readonly registry: Pick<RightsRegistry, 'add'>
  readonly log: Log
}): AccessControl => {
  const databaseAccess = makeFindDatabaseAccess({ settings: settings.rights, facts, registry })
  const isSameForAll = (database: string): boolean =>
    !hasGroupsFor(settings.rights, parseDatabaseRef(database).database)

  const learnChannel = async (id: string, patience: LookupPatience): Promise<ChannelFacts> =>
    // A direct message is judged by its author; looking up the channel would need another scope.
    isDirect(id) ? { id, name: null, kind: 'direct', isShared: false } : await facts.channel(id, patience)

  const groupsOf = async (
    person: string,
    location: LocationSettings | null,
    patience: LookupPatience,
  ): Promise<readonly string[]> => {
    const listed = location?.mayAsk ?? []
    if (listed.includes(person)) return []
    const groups = listed.filter(isGroup)
    const members = await Promise.all(groups.map(id => facts.members(id, patience)))
    return groups.filter((_, i) => members[i]?.includes(person))
  }

  const decide = async (
    { person: id, location: { team, channel: channelId }, database, asks }: Parameters<CheckAccess>[0],
    { patience, asMember = false }: { readonly patience: LookupPatience; readonly asMember?: boolean },
    settingsOf: (channel: ChannelFacts) => LocationSettings | null,
  ): Promise<Access> => {
    let certain = certainDatabase(settingsWithoutName(settings, channelId))
    try {
      const learningPerson = facts.person(id, patience)
      // The first failure is reported; the other must not become an unhandled rejection.
      learningPerson.catch(() => {})
      const channel = await learnChannel(channelId, patience)
      const location = settingsOf(channel)
      certain = certainDatabase(location)
      const person = await learningPerson
      const groups = await groupsOf(id, location, patience)
      const admitted = decideAccess({ person, team, channel, location, groups, settings })
      const access = await underRights(admitted, { person: id, team, channel, database, asks }, patience)
      if (!asMember || access.status !== 'allowed') return access
      return (await isThere(id, channel, patience)) ? access : refusal.notInChannel(channel)
    } catch (error) {
      log.warn({ error, person: id, channel: channelId }, 'Slack did not tell who is asking, or where')
      return { status: 'unknown', database: certain, ...unknownFacts }
    }
  }

  /** What a location asks, if that does not depend on who asks there. */
  const certainDatabase = (location: LocationSettings | null | undefined): string | null =>
    location && isSameForAll(location.database) ? location.database : null

  /** Adds the rights of the person to the database that a location asks, and checks that they cover `database`. */
  const underRights = async (
    access: Access,
    {
      channel,
      database,
      asks,
      ...asker
    }: {
      readonly person: string
      readonly team: string
      readonly channel: ChannelFacts
      readonly database?: string | undefined
      readonly asks?: string | undefined
    },
    patience: LookupPatience,
  ): Promise<Access> => {
    if (access.status !== 'allowed') return access
    const here = formatLocation(channel)
    const asked = parseDatabaseRef(access.database)
    // A review channel asks no database of its own: only the rights of the reviewer count there.
    const place = access.database === '' && database !== undefined ? parseDatabaseRef(database) : asked
    const wanted = asks ?? (place === asked && database !== undefined ? withoutRights(database) : undefined)
    if (wanted !== undefined && wanted !== access.database)
      return refusal.otherDatabase(here, parseDatabaseRef(wanted).database, asked.database)
    const seen = await databaseAccess({ ...asker, database: place.database }, { patience })
    if (seen.kind === 'closed') return refusal.noRights(place.database, seen.reason)
    const rights = seen.kind === 'restricted' ? seen.rights.key : null
    const ref = formatDatabaseRef({ ...place, rights })
    if (database !== undefined && !coversRef(ref, database)) return refusal.otherRights()
    return { ...access, database: ref }
  }

  /** A direct conversation has no other members to check. */
  const isThere = async (person: string, channel: ChannelFacts, patience: LookupPatience): Promise<boolean> =>
    channel.kind === 'channel' && (await facts.isIn(person, channel.id, patience))

  const mayAsk: CheckAccess = (asker, { patience = 'quick', asMember = false } = {}) =>
    decide(asker, { patience, asMember }, channel => findLocationSettings(settings, channel))

  const mayDecide: CheckAccess = (asker, { patience = 'quick' } = {}) =>
    decide(asker, { patience, asMember: true }, channel => {
      const own = findLocationSettings(settings, channel) ?? reviewChannelDefaults
      return { ...own, mayAsk: null, database: '' }
    })

  return {
    mayAsk,
    canReview: mayDecide,
    databaseAccess,
    audience: makeCheckAudience({
      ...{ settings, facts, freshFacts, databaseAccess, learnChannel, log },
      findSettings: channel => findLocationSettings(settings, channel),
    }),
    rightsFingerprint: async (asker: Asker) => {
      const access = await mayAsk(asker)
      if (access.status !== 'allowed') return null
      // The reference of the database has the key of the person's rights.
      return createHash('sha256')
        .update(JSON.stringify([asker.location.team, access.database]))
        .digest('hex')
    },
    reachableDatabases: async ({ person, team, patience = 'quick' }) => {
      const known = await facts.person(person, patience)
      const channels = await facts.channelsOf(person, patience)
      const found = new Map<string, { channels: string[]; direct: boolean }>()
      const places: ChannelFacts[] = [
        { id: 'D', name: null, kind: 'direct', isShared: false },
        ...channels.filter(({ kind }) => kind === 'channel'),
      ]
      for (const channel of places) {
        const location = findLocationSettings(settings, channel)
        const groups = await groupsOf(person, location, patience)
        const admitted = decideAccess({ person: known, team, channel, location, groups, settings })
        const access = await underRights(admitted, { person, team, channel }, patience)
        if (access.status !== 'allowed') continue
        const entry = found.get(access.database) ?? { channels: [], direct: false }
        if (channel.kind === 'direct') entry.direct = true
        else entry.channels.push(channel.name ?? channel.id)
        found.set(access.database, entry)
      }
      return [...found].map(([database, entry]) => ({ database, ...entry }))
    },
  }
}

/** Everything a decision depends on. */
interface AccessCase {
  readonly person: PersonFacts
  /** The workspace it happens in. */
  readonly team: string
  readonly channel: ChannelFacts
  /** Null if nothing is answered there. */
  readonly location: LocationSettings | null
  /** The listed user groups the person belongs to. */
  readonly groups: readonly string[]
  readonly settings: Pick<AccessSettings, 'exampleDatabase'>
}

/**
 * Applies the rules in order: the location is answered, the account is open, the channel is not shared, the person
 * belongs to the workspace and is no guest, and the person is listed. An unknown workspace counts as another one.
 */
const decideAccess = ({ person, team, channel, location, groups, settings }: AccessCase): Access => {
  if (location === null) {
    return channel.kind === 'direct'
      ? refusal.noDirectMessages()
      : refusal.unmappedChannel(channel, settings.exampleDatabase)
  }
  if (person.hasLeft) return refusal.left()
  const here = formatLocation(channel)
  const group = settingsPath(channel)
  if (channel.isShared && !location.outsiders) return refusal.sharedChannel(here, group)
  if (!person.teams.includes(team) && !location.outsiders) return refusal.outsider(here, group)
  if (person.isGuest && !location.guests) return refusal.guest(here, group)
  const listed = location.mayAsk
  if (listed !== null && !listed.includes(person.id) && !groups.some(id => listed.includes(id)))
    return refusal.notListed(here, group)
  const { strategy } = location
  return { status: 'allowed', database: location.database, ...(strategy && { strategy }) }
}

const formatLocation = ({ kind, name, id }: ChannelFacts): string =>
  kind === 'direct' ? 'direct messages' : `#${name ?? id}`

/** The path of a channel's settings in querent.yml. */
const settingsPath = ({ kind, name, id }: ChannelFacts): string =>
  kind === 'direct' ? 'directMessages' : `channels.${name ?? id}`

/**
 * The settings of a location; null if nothing is answered there. A channel is found by its id first, because ids do not
 * change.
 */
const findLocationSettings = (
  settings: AccessSettings,
  { id, name, kind }: Pick<ChannelFacts, 'id' | 'name' | 'kind'>,
): LocationSettings | null => {
  if (kind === 'direct') return settings.directMessages
  const named = (key: string): LocationSettings | undefined =>
    Object.hasOwn(settings.channels, key) ? settings.channels[key] : undefined
  return named(id) ?? (name === null ? undefined : named(name)) ?? settings.otherChannels
}

/** As `findLocationSettings`, without looking up the channel's name; undefined if the name is needed. */
const settingsWithoutName = (
  settings: AccessSettings,
  channel: string,
): LocationSettings | null | undefined => {
  if (isDirect(channel)) return settings.directMessages
  if (Object.hasOwn(settings.channels, channel)) return settings.channels[channel]
  const hasNames = Object.keys(settings.channels).some(key => !isChannelId(key))
  return hasNames ? undefined : settings.otherChannels
}

/** Slack's ids of direct messages start with D, those of channels with C or, for some private ones, G. */
const isDirect = (channel: string): boolean => channel.startsWith('D')

const isChannelId = (key: string): boolean => /^[CG][A-Z0-9]{6,}$/.test(key)

const refused = (why: AccessRefusalCode, reason: string, nextStep: string): AccessRefusal => ({
  status: 'refused',
  code: why,
  reason,
  nextStep,
})

/** The text of every refusal. `here` is the location, `group` its path in querent.yml. */
const refusal = {
  unmappedChannel: ({ name, id }: Pick<ChannelFacts, 'name' | 'id'>, database: string): AccessRefusal =>
    refused(
      'unmapped-channel',
      `I don't answer in #${name ?? id} yet: no database is set for it.`,
      `An admin can add this to querent.yml and restart me:\n\`\`\`channels:\n  ${name ?? id}:\n    database: ${database}\`\`\``,
    ),
  noDirectMessages: (): AccessRefusal =>
    refused(
      'no-direct-messages',
      "I don't answer direct messages here.",
      'Ask me in a channel. An admin can allow it with `directMessages.enabled` in querent.yml.',
    ),
  sharedChannel: (here: string, group: string): AccessRefusal =>
    refused(
      'shared-channel',
      `${here} is shared with another company or workspace, and its people would see my answers.`,
      `Ask in a channel that only your workspace is in. An admin can allow it with \`${group}.outsiders: true\` in querent.yml.`,
    ),
  left: (): AccessRefusal =>
    refused(
      'left',
      'This account was closed.',
      'Someone who is still here has to ask. An admin can give a digest a new owner.',
    ),
  outsider: (here: string, group: string): AccessRefusal =>
    refused(
      'outsider',
      'I only answer people in this workspace, and you are from another one.',
      `Have someone here ask for you. An admin can allow it in ${here} with \`${group}.outsiders: true\` in querent.yml.`,
    ),
  guest: (here: string, group: string): AccessRefusal =>
    refused(
      'guest',
      "I don't answer guests of this workspace.",
      `Have a member ask for you. An admin can allow it in ${here} with \`${group}.guests: true\` in querent.yml.`,
    ),
  notListed: (here: string, group: string): AccessRefusal =>
    refused(
      'not-listed',
      `In ${here} only some people can ask, and you are not one of them.`,
      `An admin can add you or one of your user groups to \`${group}.mayAsk\` in querent.yml.`,
    ),
  notInChannel: ({ name, id }: Pick<ChannelFacts, 'name' | 'id'>): AccessRefusal =>
    refused(
      'not-in-channel',
      `Rows go into #${name ?? id} only with the permissions of one of its members, and this person is not a member.`,
      'They can join the channel and try again, or you can choose another channel.',
    ),
  otherDatabase: (here: string, then: string, now: string): AccessRefusal =>
    refused(
      'other-database',
      then === now
        ? `${here} uses a different glossary now than when this was asked.`
        : `This was asked of ${then}, and ${here} asks ${now} now.`,
      'Ask the question again.',
    ),
  otherRights: (): AccessRefusal =>
    refused(
      'other-rights',
      'This answer was made for someone who sees other rows than you do now.',
      'Ask the question yourself. I answer with what you may see.',
    ),
  noRights: (database: string, reason: string): AccessRefusal =>
    refused(
      'no-rights',
      `You don't have access to ${database}: ${reason}.`,
      'An admin can add you to a group under `access.groups` in querent.yml.',
    ),
} as const

/** Shown if the platform did not say who a person is or what a channel is. */
const unknownFacts = {
  reason:
    "Slack did not tell me who you are or which channel this is, so I can't check whether you have access.",
  nextStep:
    'Try again in a minute. If it keeps happening, an admin can run `querent doctor` to check that the app has every scope in manifest.yml.',
} as const
