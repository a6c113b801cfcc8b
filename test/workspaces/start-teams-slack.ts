import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One workspace of the fake: its channel, its people, and the token that it would give. */
export interface FakeTeam {
  readonly id: string
  readonly name: string
  readonly channel: string
  readonly people: readonly string[]
}

/** A call that a workspace took. */
export interface TakenCall {
  readonly team: string
  readonly method: string
  readonly params: Readonly<Record<string, string>>
}

/** Slack's Web API for several workspaces. */
export interface TeamsSlack extends AsyncDisposable {
  readonly apiUrl: string
  readonly calls: readonly TakenCall[]
  /** What was called that no app of one workspace may call in another, or that this does not know. */
  readonly problems: readonly string[]
  /** Tokens that were given back. */
  readonly revoked: readonly string[]
}

/** Of every installation here. */
export const APP = { clientId: '111.222', clientSecret: 'client-secret-of-tests' } as const

/**
 * Starts it. Each token is good for one workspace, each channel and person is in one, and whatever does not fit is
 * written down and refused: a message that goes out with another workspace's token cannot go unseen.
 */
export const startTeamsSlack = async (teams: readonly FakeTeam[]): Promise<TeamsSlack> => {
  const calls: TakenCall[] = []
  const problems: string[] = []
  const revoked: string[] = []
  let second = 1_000

  const answer = (method: string, token: string, params: Record<string, string>): object => {
    const refuse = (error: string, why: string): object => {
      problems.push(`${method}: ${why}`)
      return { ok: false, error }
    }
    if (method === 'oauth.v2.access') {
      const team = teams.find(({ id }) => params.code === `code-${id}`)
      const isOurs = params.client_id === APP.clientId && params.client_secret === APP.clientSecret
      if (!team || !isOurs) return refuse('invalid_code', `an unknown code ${params.code}`)
      return {
        ...{ ok: true, app_id: 'A1', scope: 'chat:write', token_type: 'bot' },
        ...{ access_token: tokenOf(team.id), bot_user_id: `U${team.id}BOT` },
        ...{ team: { id: team.id, name: team.name }, enterprise: null, is_enterprise_install: false },
        authed_user: { id: team.people[0] },
      }
    }
    const team = teams.find(({ id }) => token === tokenOf(id))
    if (!team) return refuse('invalid_auth', `an unknown token`)
    calls.push({ team: team.id, method, params })
    const channel = params.channel ?? params.channel_id
    if (channel !== undefined && channel !== team.channel)
      return refuse('channel_not_found', `the channel ${channel} with the token of ${team.id}`)
    const person = params.user ?? params.user_id
    if (person !== undefined && !team.people.includes(person))
      return refuse('user_not_found', `the person ${person} with the token of ${team.id}`)
    switch (method) {
      case 'auth.test':
        return {
          ...{ ok: true, url: `https://${team.name}.slack.test/`, team: team.name, team_id: team.id },
          ...{ user_id: `U${team.id}BOT`, bot_id: `B${team.id}` },
        }
      case 'auth.revoke':
        revoked.push(token)
        return { ok: true, revoked: true }
      case 'users.info':
        return { ok: true, user: { id: person, team_id: team.id } }
      case 'conversations.info':
        return { ok: true, channel: { id: channel, name: 'sales' } }
      case 'users.conversations':
        return { ok: true, channels: [{ id: team.channel, name: 'sales' }] }
      case 'conversations.replies':
      case 'conversations.history':
        return { ok: true, messages: [], has_more: false }
      case 'chat.startStream':
        // A bot that may not stream posts.
        return { ok: false, error: 'channel_type_not_supported' }
      case 'chat.postMessage':
        return { ok: true, channel, ts: `${second++}.000100` }
      case 'chat.update':
        return { ok: true, channel, ts: params.ts }
      case 'assistant.threads.setStatus':
      case 'chat.postEphemeral':
      case 'views.open':
      case 'views.publish':
        return { ok: true }
      default:
        return refuse('unknown_method', 'a call that this fake does not know')
    }
  }

  const server = createServer(async (request, response) => {
    const method = (request.url ?? '').replace(/^\/api\//, '').replace(/\?.*/, '')
    const params = Object.fromEntries(new URLSearchParams(await bodyOf(request)))
    const token = (request.headers.authorization ?? '').replace(/^Bearer /, '')
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer(method, token, params)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    apiUrl: `http://127.0.0.1:${port}/api/`,
    calls,
    problems,
    revoked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** The bot's token in a workspace. */
export const tokenOf = (team: string): string => `xoxb-of-${team}`

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = ''
  for await (const part of request) body += String(part)
  return body
}
