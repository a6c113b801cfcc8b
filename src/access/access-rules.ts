import type {
  Access,
  AccessRefusal,
  AccessRefusalCode,
  AccessSettings,
  ChannelFacts,
  LocationSettings,
  PersonFacts,
} from '../domain/access.ts'
import { parseDatabaseRef } from '../domain/database.ts'

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
  /** The database the location must ask, if that matters. */
  readonly database?: string
}

/**
 * Applies the rules in order: the location is answered, the account is open, the channel is not shared, the person
 * belongs to the workspace and is no guest, the person is listed, and the database matches. An unknown workspace counts
 * as another one.
 */
export const decideAccess = ({
  person,
  team,
  channel,
  location,
  groups,
  settings,
  database,
}: AccessCase): Access => {
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
  if (database !== undefined && database !== location.database) {
    const now = parseDatabaseRef(location.database).database
    return refusal.otherDatabase(here, parseDatabaseRef(database).database, now)
  }
  return { status: 'allowed', database: location.database }
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
export const findLocationSettings = (
  settings: AccessSettings,
  { id, name, kind }: Pick<ChannelFacts, 'id' | 'name' | 'kind'>,
): LocationSettings | null => {
  if (kind === 'direct') return settings.directMessages
  const named = (key: string): LocationSettings | undefined =>
    Object.hasOwn(settings.channels, key) ? settings.channels[key] : undefined
  return named(id) ?? (name === null ? undefined : named(name)) ?? settings.otherChannels
}

/** As `findLocationSettings`, without looking up the channel's name; undefined if the name is needed. */
export const settingsWithoutName = (
  settings: AccessSettings,
  channel: string,
): LocationSettings | null | undefined => {
  if (isDirect(channel)) return settings.directMessages
  if (Object.hasOwn(settings.channels, channel)) return settings.channels[channel]
  const hasNames = Object.keys(settings.channels).some(key => !isChannelId(key))
  return hasNames ? undefined : settings.otherChannels
}

/** Slack's ids of direct messages start with D, those of channels with C or, for some private ones, G. */
export const isDirect = (channel: string): boolean => channel.startsWith('D')

const isChannelId = (key: string): boolean => /^[CG][A-Z0-9]{6,}$/.test(key)

const refused = (why: AccessRefusalCode, reason: string, nextStep: string): AccessRefusal => ({
  status: 'refused',
  code: why,
  reason,
  nextStep,
})

/** The text of every refusal. `here` is the location, `group` its path in querent.yml. */
export const refusal = {
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
} as const

/** Shown if the platform did not say who a person is or what a channel is. */
export const unknownFacts = {
  reason:
    "Slack did not tell me who you are or which channel this is, so I can't check whether you have access.",
  nextStep:
    'Try again in a minute. If it keeps happening, an admin can run `querent doctor` to check that the app has every scope in manifest.yml.',
} as const
