import type { ChannelConfig, Config } from './config.ts'
import type { ConfigFile } from './schema.ts'

type ChannelFile = ConfigFile['channels'][string]

/** Where the bot answers. Channels without settings are answered as long as no channel has any, unless it is said. */
export const assembleChannels = ({
  channels,
  otherChannels,
  directMessages,
}: Pick<ConfigFile, 'channels' | 'otherChannels' | 'directMessages'>): Pick<
  Config,
  'channels' | 'otherChannels' | 'directMessages'
> => {
  // Without a prototype, so that looking up a name such as `constructor` finds nothing.
  const named: Record<string, ChannelConfig> = Object.create(null)
  for (const [name, place] of Object.entries(channels)) named[name.replace(/^#/, '')] = assembleChannel(place)
  const othersToo = otherChannels.enabled ?? Object.keys(named).length === 0
  return {
    channels: named,
    otherChannels: othersToo ? assembleChannel(otherChannels) : null,
    directMessages: directMessages.enabled ? assembleChannel(directMessages) : null,
  }
}

const assembleChannel = ({ database, glossary, mayAsk, guests, outsiders }: ChannelFile): ChannelConfig => ({
  database: database ?? null,
  glossary: glossary ?? null,
  mayAsk: mayAsk ?? null,
  guests,
  outsiders,
})
