import type { Config, PlaceConfig } from './config.ts'
import type { ConfigFile } from './schema.ts'

type Place = ConfigFile['channels'][string]

/** Where the bot answers. Channels without settings are answered as long as no channel has any, unless it is said. */
export const placesOf = ({
  channels,
  otherChannels,
  directMessages,
}: Pick<ConfigFile, 'channels' | 'otherChannels' | 'directMessages'>): Pick<
  Config,
  'channels' | 'otherChannels' | 'directMessages'
> => {
  // Without a prototype, so that looking up a name such as `constructor` finds nothing.
  const named: Record<string, PlaceConfig> = Object.create(null)
  for (const [name, place] of Object.entries(channels)) named[name.replace(/^#/, '')] = placeOf(place)
  const othersToo = otherChannels.enabled ?? Object.keys(named).length === 0
  return {
    channels: named,
    otherChannels: othersToo ? placeOf(otherChannels) : null,
    directMessages: directMessages.enabled ? placeOf(directMessages) : null,
  }
}

const placeOf = ({ database, glossary, mayAsk, guests, outsiders }: Place): PlaceConfig => ({
  database: database ?? null,
  glossary: glossary ?? null,
  mayAsk: mayAsk ?? null,
  guests,
  outsiders,
})
