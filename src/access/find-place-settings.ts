import type { AccessSettings, ChannelFacts, LocationSettings } from '../core/access.ts'

/** What a place may do; null where nothing is answered. A channel is found by its id first, which does not change. */
export const findLocationSettings = (
  settings: AccessSettings,
  { id, name, kind }: Pick<ChannelFacts, 'id' | 'name' | 'kind'>,
): LocationSettings | null => {
  if (kind === 'direct') return settings.directMessages
  const named = (key: string): LocationSettings | undefined =>
    Object.hasOwn(settings.channels, key) ? settings.channels[key] : undefined
  return named(id) ?? (name === null ? undefined : named(name)) ?? settings.otherChannels
}

/** The same without asking the platform for the channel's name; undefined where that would have to be known. */
export const settingsWithoutName = (
  settings: AccessSettings,
  channel: string,
): LocationSettings | null | undefined => {
  if (isDirect(channel)) return settings.directMessages
  if (Object.hasOwn(settings.channels, channel)) return settings.channels[channel]
  const hasNames = Object.keys(settings.channels).some(key => !isChannelId(key))
  return hasNames ? undefined : settings.otherChannels
}

/** Slack's ids of direct messages begin with D, those of channels with C or, of some private ones, with G. */
export const isDirect = (channel: string): boolean => channel.startsWith('D')
const isChannelId = (key: string): boolean => /^[CG][A-Z0-9]{6,}$/.test(key)
