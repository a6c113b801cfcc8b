import { createHash } from 'node:crypto'
import type {
  Access,
  AccessControl,
  AccessFactSource,
  AccessSettings,
  Asker,
  ChannelFacts,
  CheckAccess,
  LocationSettings,
  LookupPatience,
} from '../domain/access.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import {
  decideAccess,
  findLocationSettings,
  isDirect,
  refusal,
  settingsWithoutName,
  unknownFacts,
} from './access-rules.ts'

/** User group ids start with S. */
const isGroup = (id: string): boolean => id.startsWith('S')

/** Settings for a review channel that querent.yml does not list. */
const reviewChannelDefaults = { database: '', mayAsk: null, guests: false, outsiders: false } as const

/** Looks up the facts and applies the rules. If a fact cannot be looked up, the result is `unknown`. */
export const makeAccess = ({
  settings,
  facts,
  log,
}: {
  readonly settings: AccessSettings
  readonly facts: AccessFactSource
  readonly log: Log
}): AccessControl => {
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
    { person: id, location: { team, channel: channelId }, database }: Parameters<CheckAccess>[0],
    { patience, asMember = false }: { readonly patience: LookupPatience; readonly asMember?: boolean },
    settingsOf: (channel: ChannelFacts) => LocationSettings | null,
  ): Promise<Access> => {
    let certain = settingsWithoutName(settings, channelId)?.database ?? null
    try {
      const learningPerson = facts.person(id, patience)
      // The first failure is reported; the other must not become an unhandled rejection.
      learningPerson.catch(() => {})
      const channel = await learnChannel(channelId, patience)
      const location = settingsOf(channel)
      certain = location?.database ?? null
      const person = await learningPerson
      const groups = await groupsOf(id, location, patience)
      const access = decideAccess({
        ...{ person, team, channel, location, groups, settings },
        ...(database !== undefined && { database }),
      })
      if (!asMember || access.status !== 'allowed') return access
      return (await isThere(id, channel, patience)) ? access : refusal.notInChannel(channel)
    } catch (error) {
      log.warn({ error, person: id, channel: channelId }, 'Slack did not tell who is asking, or where')
      return { status: 'unknown', database: certain, ...unknownFacts }
    }
  }

  /** A direct conversation has no other members to check. */
  const isThere = async (person: string, channel: ChannelFacts, patience: LookupPatience): Promise<boolean> =>
    channel.kind === 'channel' && (await facts.isIn(person, channel.id, patience))

  const mayAsk: CheckAccess = (asker, { patience = 'quick', asMember = false } = {}) =>
    decide(asker, { patience, asMember }, channel => findLocationSettings(settings, channel))

  const mayDecide: CheckAccess = ({ person, location }, { patience = 'quick' } = {}) =>
    decide({ person, location }, { patience }, channel => {
      const own = findLocationSettings(settings, channel) ?? reviewChannelDefaults
      return { ...own, mayAsk: null }
    })

  return {
    mayAsk,
    canReview: mayDecide,
    rightsFingerprint: async (asker: Asker) => {
      const access = await mayAsk(asker)
      if (access.status !== 'allowed') return null
      // Everyone who can ask a database sees the same rows; if that changes, it must be part of the fingerprint.
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
        const access = decideAccess({ person: known, team, channel, location, groups, settings })
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
