import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmulator } from 'emulate'
import type { Channel, Person } from '../shapes/people.ts'
import {
  type CallEmulator,
  makeCallEmulator,
  makeRequestEmulator,
  type RequestEmulator,
} from './call-emulator.ts'
import { drawSecret, drawTokens, type EmulatorTokens, seed } from './seed.ts'
import { tokenAliases } from './token-aliases.ts'

/** The emulator with its seed. It stores what people and the bot post. */
export interface RunningEmulator {
  readonly call: CallEmulator
  readonly request: RequestEmulator
  /** New at every start. */
  readonly tokens: EmulatorTokens
  readonly team: { readonly id: string; readonly name: string; readonly domain: string }
  readonly people: readonly Person[]
  readonly channels: readonly Channel[]
  close(): Promise<void>
}

/**
 * Starts emulate's Slack and lets everybody join everything. It answers every web page and every caller, so it listens on
 * a socket in a folder of this user, and not on a port. `publicUrl` is where files are uploaded to and fetched from as far
 * as the bot knows.
 */
export const startEmulator = async (
  publicUrl: string,
  botScopes: readonly string[],
  moreChannels: readonly string[] = [],
): Promise<RunningEmulator> => {
  const seeded = [...seed.channels, ...moreChannels.map(name => ({ name, isShared: false }))]
  const tokens = drawTokens()
  const slack = slackSeed(botScopes, seeded, tokens)
  const folder = await mkdtemp(join(tmpdir(), 'querent-slack-'))
  const socketPath = join(folder, 'socket')
  const { request, close: closeConnections } = makeRequestEmulator(socketPath)
  const undo = new AsyncDisposableStack()
  undo.defer(() => rm(folder, { recursive: true, force: true }))
  undo.defer(closeConnections)
  const call = makeCallEmulator(request)
  /** Reads what the bot's own token cannot read. */
  const somebody = tokens.of(seed.people[0].handle)
  try {
    const emulator = await createEmulator({
      service: 'slack',
      // Passed to Node, which takes a path as well. Without `tokens` the emulator would know one of its own.
      port: socketPath as unknown as number,
      baseUrl: publicUrl,
      seed: { slack, tokens: {} },
    })
    undo.defer(() => emulator.close())
    const people = await findPeople(call, somebody)
    const channels = await findChannels(call, seeded, somebody)
    for (const channel of channels) {
      for (const { handle } of people) {
        await call('conversations.join', { channel: channel.id }, tokens.of(handle))
      }
      await call('conversations.invite', { channel: channel.id, users: seed.bot.userId }, somebody)
    }
    const direct: Channel[] = []
    for (const person of people) {
      const opened = await call('conversations.open', { users: seed.bot.userId }, tokens.of(person.handle))
      const id = (opened.channel as { readonly id: string }).id
      direct.push({ id, name: seed.bot.name, kind: 'direct', person: person.id })
    }
    const test = await call('auth.test', {}, tokens.bot)
    return {
      call,
      request,
      tokens,
      team: { id: String(test.team_id), ...seed.team },
      people,
      channels: [...channels, ...direct],
      close: () => undo.disposeAsync(),
    }
  } catch (error) {
    await undo.disposeAsync()
    throw new Error('the Slack emulator took its seed differently than expected', { cause: error })
  }
}

type SeededChannel = Pick<Channel, 'name'> & { readonly isShared: boolean }

const slackSeed = (
  botScopes: readonly string[],
  channels: readonly SeededChannel[],
  tokens: EmulatorTokens,
) => ({
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
      client_secret: drawSecret(),
      name: seed.bot.name,
      redirect_uris: [],
      bot_id: seed.bot.botId,
      bot_user_id: seed.bot.userId,
      bot_name: seed.bot.name,
    },
  ],
  tokens: [
    ...tokenAliases(tokens.bot).map(token => ({
      token,
      type: 'bot',
      user_id: seed.bot.userId,
      app_id: seed.bot.appId,
      bot_id: seed.bot.botId,
      bot_user_id: seed.bot.userId,
      scopes: botScopes,
    })),
    { token: tokens.files, type: 'bot', user_id: seed.bot.userId, scopes: ['files:read'] },
    ...seed.people.flatMap(({ handle }) =>
      tokenAliases(tokens.of(handle)).map(token => ({ token, type: 'user', user: handle })),
    ),
  ],
})

const findPeople = async (call: CallEmulator, somebody: string): Promise<Person[]> => {
  const listed = await call('users.list', {}, somebody)
  const members = listed.members as readonly { readonly id: string; readonly name: string }[]
  return seed.people.map(({ handle, name, kind }) => {
    const member = members.find(member => member.name === handle)
    if (!member) throw new Error(`the emulator does not know ${handle}`)
    return { id: member.id, handle, name, kind }
  })
}

const findChannels = async (
  call: CallEmulator,
  seeded: readonly SeededChannel[],
  somebody: string,
): Promise<Channel[]> => {
  const listed = await call('conversations.list', { limit: 100 }, somebody)
  const channels = listed.channels as readonly { readonly id: string; readonly name: string }[]
  return seeded.map(({ name, isShared }) => {
    const channel = channels.find(channel => channel.name === name)
    if (!channel) throw new Error(`the emulator does not know #${name}`)
    return { id: channel.id, name, kind: 'channel', person: null, isShared }
  })
}
