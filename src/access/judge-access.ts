import type { Access, AccessSettings, ChannelFacts, LocationSettings, PersonFacts } from '../core/access.ts'
import { parseDatabaseRef } from '../core/database-view.ts'
import { refusal } from './refusal.ts'

/** All that a decision rests on. */
export interface AccessCase {
  readonly person: PersonFacts
  /** The workspace that it happens in. */
  readonly team: string
  readonly channel: ChannelFacts
  /** Null where nothing is answered. */
  readonly place: LocationSettings | null
  /** The listed user groups that the person is in. */
  readonly groups: readonly string[]
  readonly settings: Pick<AccessSettings, 'exampleDatabase'>
  /** What the place has to ask, where that matters. */
  readonly database?: string
}

/**
 * The rules, over given facts: is the place answered at all, is the person still there, is it among ourselves, is the person one of us, is the
 * person listed, and is it the right database. What is not told of a person's workspace counts as another one.
 */
export const decideAccess = ({
  person,
  team,
  channel,
  place,
  groups,
  settings,
  database,
}: AccessCase): Access => {
  if (place === null) {
    return channel.kind === 'direct'
      ? refusal.noDirectMessages()
      : refusal.unmappedChannel(channel, settings.exampleDatabase)
  }
  if (person.hasLeft) return refusal.left()
  const here = formatLocation(channel)
  const group = settingsPath(channel)
  if (channel.isShared && !place.outsiders) return refusal.sharedChannel(here, group)
  if (!person.teams.includes(team) && !place.outsiders) return refusal.outsider(here, group)
  if (person.isGuest && !place.guests) return refusal.guest(here, group)
  const listed = place.mayAsk
  if (listed !== null && !listed.includes(person.id) && !groups.some(id => listed.includes(id)))
    return refusal.notListed(here, group)
  if (database !== undefined && database !== place.database) {
    const now = parseDatabaseRef(place.database).database
    return refusal.otherDatabase(here, parseDatabaseRef(database).database, now)
  }
  return { status: 'allowed', database: place.database }
}

const formatLocation = ({ kind, name, id }: ChannelFacts): string =>
  kind === 'direct' ? 'direct messages' : `#${name ?? id}`

/** Where in querent.yml the rules of a channel stand. */
const settingsPath = ({ kind, name, id }: ChannelFacts): string =>
  kind === 'direct' ? 'directMessages' : `channels.${name ?? id}`
