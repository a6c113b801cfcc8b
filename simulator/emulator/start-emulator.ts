import { createEmulator } from 'emulate'
import type { Channel, Person } from '../shapes/people.ts'
import { type CallEmulator, makeCallEmulator } from './call-emulator.ts'
import { fileToken, seed, tokenOf } from './seed.ts'
import { tokenAliases } from './token-aliases.ts'

/** The emulator with its seed. It stores what people and the bot post. */
export interface RunningEmulator {
  readonly url: string
  readonly call: CallEmulator
  readonly team: { readonly id: string; readonly name: string; readonly domain: string }
  readonly people: readonly Person[]
  readonly channels: readonly Channel[]
  close(): Promise<void>
}

/**
 * Starts emulate's Slack on a free loopback port and lets everybody join everything. `publicUrl` is where files are
 * uploaded to and fetched from as far as the bot knows.
 */
export const startEmulator = async (
  publicUrl: string,
  botScopes: readonly string[],
  moreChannels: readonly string[] = [],
): Promise<RunningEmulator> => {
  const seeded = [...seed.channels, ...moreChannels.map(name => ({ name, isShared: false }))]
  const slack = slackSeed(botScopes, seeded)
  const emulator = await createEmulator({ service: 'slack', port: 0, seed: { slack } })
  const { url } = emulator
  const call = makeCallEmulator(url, publicUrl)
  try {
    const people = await findPeople(call)
    const channels = await findChannels(call, seeded)
    for (const channel of channels) {
      for (const { handle } of people) {
        await call('conversations.join', { channel: channel.id }, tokenOf(handle))
      }
      await call('conversations.invite', { channel: channel.id, users: seed.bot.userId }, somebody)
    }
    const direct: Channel[] = []
    for (const person of people) {
      const opened = await call('conversations.open', { users: seed.bot.userId }, tokenOf(person.handle))
      const id = (opened.channel as { readonly id: string }).id
      direct.push({ id, name: seed.bot.name, kind: 'direct', person: person.id })
    }
    const test = await call('auth.test', {}, seed.bot.token)
    return {
      url,
      call,
      team: { id: String(test.team_id), ...seed.team },
      people,
      channels: [...channels, ...direct],
      close: () => emulator.close(),
    }
  } catch (error) {
    await emulator.close()
    throw new Error('the Slack emulator took its seed differently than expected', { cause: error })
  }
}

/** Reads what the bot's own token cannot read. */
const somebody = tokenOf(seed.people[0].handle)

type SeededChannel = Pick<Channel, 'name'> & { readonly isShared: boolean }

const slackSeed = (botScopes: readonly string[], channels: readonly SeededChannel[]) => ({
  strict_scopes: true,
  team: seed.team,
  users: seed.people.map(person => ({
    name: person.handle,
    real_name: person.name,
    email: `${person.handle}@example.com`,
  })),
  channels: channels.map(({ name }) => ({ name })),
  oauth_apps: [
    {
      app_id: seed.bot.appId,
      client_id: 'simulator',
      client_secret: 'simulator',
      name: seed.bot.name,
      redirect_uris: [],
      bot_id: seed.bot.botId,
      bot_user_id: seed.bot.userId,
      bot_name: seed.bot.name,
    },
  ],
  tokens: [
    ...tokenAliases(seed.bot.token).map(token => ({
      token,
      type: 'bot',
      user_id: seed.bot.userId,
      app_id: seed.bot.appId,
      bot_id: seed.bot.botId,
      bot_user_id: seed.bot.userId,
      scopes: botScopes,
    })),
    { token: fileToken, type: 'bot', user_id: seed.bot.userId, scopes: ['files:read'] },
    ...seed.people.flatMap(({ handle }) =>
      tokenAliases(tokenOf(handle)).map(token => ({ token, type: 'user', user: handle })),
    ),
  ],
})

const findPeople = async (call: CallEmulator): Promise<Person[]> => {
  const listed = await call('users.list', {}, somebody)
  const members = listed.members as readonly { readonly id: string; readonly name: string }[]
  return seed.people.map(({ handle, name, kind }) => {
    const member = members.find(member => member.name === handle)
    if (!member) throw new Error(`the emulator does not know ${handle}`)
    return { id: member.id, handle, name, kind }
  })
}

const findChannels = async (call: CallEmulator, seeded: readonly SeededChannel[]): Promise<Channel[]> => {
  const listed = await call('conversations.list', { limit: 100 }, somebody)
  const channels = listed.channels as readonly { readonly id: string; readonly name: string }[]
  return seeded.map(({ name, isShared }) => {
    const channel = channels.find(channel => channel.name === name)
    if (!channel) throw new Error(`the emulator does not know #${name}`)
    return { id: channel.id, name, kind: 'channel', person: null, isShared }
  })
}
