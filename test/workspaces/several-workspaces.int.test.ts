import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { planDigests } from '../../simulator/soak/digests/digest-plan.ts'
import type { Digest } from '../../src/domain/digests/digest.ts'
import { actionIds } from '../../src/slack/action-ids.ts'
import { writeDigestKey } from '../../src/slack/views/digests/format.ts'
import { dumpStore } from '../e2e/secrets/dump-store.ts'
import { beginInstallation, openTeamsBot } from './open-teams-bot.ts'
import { startTeamsSlack, type TakenCall, type TeamsSlack, tokenOf } from './start-teams-slack.ts'

const acme = { id: 'T0ACME', name: 'acme', channel: 'C0ACME1', people: ['U0ADA', 'UT0ACMEBOT'] }

const beta = { id: 'T0BETA', name: 'b<b>eta', channel: 'C0BETA1', people: ['U0BOB', 'UT0BETABOT'] }

const stranger = { id: 'T0EVIL', name: 'evil', channel: 'C0EVIL1', people: ['U0EVE'] }

let slack: TeamsSlack

let bot: Awaited<ReturnType<typeof openTeamsBot>>

beforeAll(async () => {
  slack = await startTeamsSlack([acme, beta, stranger])
  bot = await openTeamsBot(slack, [acme.id, beta.id])
}, 60_000)

afterAll(async () => {
  await bot?.[Symbol.asyncDispose]()
  await slack?.[Symbol.asyncDispose]()
})

const until = <T>(look: () => T): Promise<T> => vi.waitFor(look, { timeout: 20_000, interval: 50 })

const callsOf = (team: string, method: string): readonly TakenCall[] =>
  slack.calls.filter(call => call.team === team && call.method === method)

const ask = (team: typeof acme, text: string, ts: string): Promise<number> =>
  bot.event(team.id, {
    ...{ type: 'app_mention', channel: team.channel, user: team.people[0], ts, event_ts: ts },
    text: `<@U${team.id}BOT> ${text}`,
  })

describe('installing', () => {
  it('stores a listed workspace, with encrypted tokens', async () => {
    const first = await bot.install(`code-${acme.id}`)
    expect(first).toMatchObject({ status: 200, page: expect.stringContaining('installed in acme') })
    const second = await bot.install(`code-${beta.id}`)
    expect(second.page).toContain('installed in b&lt;b&gt;eta')
    const kept = await bot.store.repositories.installations.list()
    expect(kept.map(({ team, botUserId }) => [team, botUserId])).toEqual([
      [acme.id, 'UT0ACMEBOT'],
      [beta.id, 'UT0BETABOT'],
    ])
    const raw = await dumpStore(bot.storeUrl)
    expect(raw).toContain('UT0ACMEBOT')
    for (const secret of [tokenOf(acme.id), tokenOf(beta.id), 'xoxb', ...bot.secrets])
      expect(raw).not.toContain(secret)
    expect(slack.problems).toEqual([])
  })

  it('refuses any other with a next step, and revokes its token', async () => {
    const { status, page } = await bot.install(`code-${stranger.id}`)
    expect([status, page]).toEqual([403, expect.stringContaining(`add ${stranger.id} to slack.workspaces`)])
    expect(slack.revoked).toEqual([tokenOf(stranger.id)])
    expect(await bot.store.repositories.installations.find(stranger.id)).toBeNull()
  })

  it('refuses an installation from another browser, or without consent', async () => {
    const first = await fetch(`${bot.url}/slack/install`)
    const state = /state=([^&"]+)/.exec(await first.text())?.[1]
    const forged = await fetch(`${bot.url}/slack/oauth_redirect?code=code-${acme.id}&state=${state}`)
    expect([forged.status, await forged.text()]).toEqual([400, expect.stringContaining('another browser')])
    const denied = await fetch(`${bot.url}/slack/oauth_redirect?error=access_denied`)
    expect([denied.status, await denied.text()]).toEqual([400, expect.stringContaining('You did not agree')])
  })

  it('accepts each state once, whichever process it comes back to', async () => {
    await using other = await openTeamsBot(slack, [acme.id, beta.id], bot)
    const { cookie, state } = await beginInstallation(bot.url)
    const comeBack = async (url: string): Promise<number> => {
      const path = `/slack/oauth_redirect?code=code-${acme.id}&state=${state}`
      return (await fetch(`${url}${path}`, { headers: { cookie } })).status
    }
    // At the same moment, as by a double click, and later.
    const racing = await Promise.all([comeBack(bot.url), comeBack(other.url), comeBack(other.url)])
    expect(racing.toSorted()).toEqual([200, 400, 400])
    expect([await comeBack(bot.url), await comeBack(other.url)]).toEqual([400, 400])
    // A started one may end at another process.
    const next = await beginInstallation(bot.url)
    const path = `/slack/oauth_redirect?code=code-${acme.id}&state=${next.state}`
    expect((await fetch(`${other.url}${path}`, { headers: { cookie: next.cookie } })).status).toBe(200)
    expect(slack.problems).toEqual([])
  })

  it('shows pages that run, load and tell nothing, and a cookie for this host alone', async () => {
    const { cookie, state } = await beginInstallation(bot.url)
    const pages = {
      start: '/slack/install',
      done: `/slack/oauth_redirect?code=code-${acme.id}&state=${state}`,
      expired: `/slack/oauth_redirect?code=code-${acme.id}&state=${state}`,
      opened: '/slack/oauth_redirect',
      declined: '/slack/oauth_redirect?error=access_denied',
    }
    for (const [name, path] of Object.entries(pages)) {
      const page = await fetch(`${bot.url}${path}`, { headers: { cookie } })
      const style = /<style>(.*)<\/style>/s.exec(await page.text())?.[1] ?? ''
      const hash = createHash('sha256').update(style).digest('base64')
      expect([name, Object.fromEntries(page.headers)]).toEqual([
        name,
        expect.objectContaining({
          'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-store',
        }),
      ])
      for (const set of page.headers.getSetCookie())
        expect(set).toMatch(
          /^__Host-querent-install=[^;]+; Secure; HttpOnly; Path=\/; (Max-Age=600|Expires=[^;]+); SameSite=Lax$/,
        )
      expect([name, page.headers.getSetCookie().length]).toEqual([
        name,
        ['start', 'done', 'expired'].includes(name) ? 1 : 0,
      ])
    }
  })
})

describe('two workspaces', () => {
  it('are each answered with their own token', async () => {
    for (const team of [acme, beta])
      expect(await ask(team, 'how many bicycles are there?', '500.000100')).toBe(200)
    for (const team of [acme, beta]) {
      await until(() => expect(JSON.stringify(callsOf(team.id, 'chat.update'))).toContain('48'))
      expect(callsOf(team.id, 'chat.postMessage')).toHaveLength(1)
      expect(callsOf(team.id, 'users.info')).not.toEqual([])
    }
    expect(slack.problems).toEqual([])
  })

  it('see their own Home and questions', async () => {
    await ask(acme, 'how many riders are there?', '501.000100')
    await until(() => expect(JSON.stringify(callsOf(acme.id, 'chat.update'))).toContain('Riders: 40'))
    for (const team of [acme, beta]) {
      await bot.event(team.id, { type: 'app_home_opened', tab: 'home', user: team.people[0], channel: 'D1' })
      await until(() => expect(callsOf(team.id, 'views.publish')).not.toEqual([]))
      const view = callsOf(team.id, 'views.publish').at(-1)?.params.view ?? ''
      expect(view).toContain('how many bicycles')
      expect(view.includes('how many riders')).toBe(team === acme)
      expect(view.includes(`https://${acme.name}.slack.test`)).toBe(team === acme)
    }
    expect(slack.problems).toEqual([])
  })

  it("cannot use each other's buttons", async () => {
    const [theirs] = await bot.store.repositories.homeQuestions.listOf({ person: 'U0ADA', team: acme.id }, 1)
    const questionId = theirs?.id ?? ''
    expect(questionId).not.toBe('')
    const click = (channel: string, actionId: string) => ({
      ...{ type: 'block_actions', api_app_id: 'A1', trigger_id: '1.1', response_url: 'http://127.0.0.1:9/' },
      ...{ team: { id: beta.id, domain: 'beta' }, user: { id: 'U0BOB', team_id: beta.id } },
      channel: { id: channel, name: 'sales' },
      container: { type: 'message', message_ts: '1000.000100', channel_id: channel, thread_ts: '500.000100' },
      message: { ts: '1000.000100', thread_ts: '500.000100' },
      actions: [{ type: 'button', block_id: 'b', action_id: actionId, value: questionId, action_ts: '1.1' }],
    })
    const before = slack.calls.length
    for (const channel of [beta.channel, acme.channel])
      for (const action of [actionIds.showSql, actionIds.editSql, actionIds.exportCsv, actionIds.stop])
        expect(await bot.interaction(click(channel, action))).toBe(200)
    // Their own answer opens.
    const [own] = await bot.store.repositories.homeQuestions.listOf({ person: 'U0BOB', team: beta.id }, 1)
    const ours = click(beta.channel, actionIds.showSql)
    await bot.interaction({ ...ours, actions: [{ ...ours.actions[0], value: own?.id }] })
    await until(() => expect(callsOf(beta.id, 'views.open')).toHaveLength(1))
    expect(callsOf(acme.id, 'views.open')).toEqual([])
    expect(slack.calls.slice(before).filter(({ team }) => team === acme.id)).toEqual([])
  })

  it('are not affected by other workspaces', async () => {
    const before = slack.calls.length
    const said = { type: 'app_mention', channel: stranger.channel, user: 'U0EVE', text: 'how many riders?' }
    // A workspace without the app, and one that is named in what is delivered for another.
    for (const authorized of [stranger.id, beta.id]) {
      const ts = `${authorized.length}99.000100`
      expect(await bot.event(stranger.id, { ...said, ts, event_ts: ts }, authorized)).toBe(200)
    }
    expect(slack.calls.length).toBe(before)
    expect(
      await bot.store.repositories.questions.findByKey(`${stranger.id}:${stranger.channel}:699.000100`),
    ).toBeNull()
    expect(bot.lines.join('')).toContain('a request of a workspace without the app was ignored')
    expect(bot.lines.join('')).toContain(
      'a request was ignored: it names another workspace than it is delivered for',
    )
  })

  it('each get digests with their own token, until one removes the bot', async () => {
    const [first, second] = planDigests(2, new Date())
    if (!first || !second) throw new Error('there are no digests to keep')
    const of = (digest: Digest, team: typeof acme): Digest => ({
      ...{ ...digest, team: team.id, owner: team.people[0] ?? '' },
      target: { kind: 'channel', channel: team.channel },
    })
    const { digests } = bot.store.repositories
    await digests.insert(of(first, acme), 'first')
    await digests.insert(of(second, beta), 'second')
    const run = (team: typeof acme, { id }: Digest) =>
      bot.interaction({
        ...{ type: 'block_actions', api_app_id: 'A1', trigger_id: '1.1' },
        ...{ team: { id: team.id }, user: { id: team.people[0], team_id: team.id } },
        channel: { id: team.channel, name: 'sales' },
        container: { type: 'message', message_ts: '1.1', channel_id: team.channel },
        message: { ts: '1.1' },
        actions: [
          {
            ...{ type: 'button', block_id: 'b', action_id: actionIds.digestRun, action_ts: '1.1' },
            value: writeDigestKey({ digestId: id, offset: null, run: null }),
          },
        ],
      })
    const posted = (team: typeof acme, { title }: Digest) =>
      callsOf(team.id, 'chat.postMessage').filter(({ params }) => params.text?.includes(title))

    // Nobody runs those of another workspace, whatever their button says.
    await run(beta, first)
    await until(() =>
      expect(JSON.stringify(callsOf(beta.id, 'chat.postEphemeral'))).toContain("Only a digest's owner"),
    )
    await run(acme, first)
    await run(beta, second)
    await until(() => expect([posted(acme, first).length, posted(beta, second).length]).toEqual([1, 1]))
    expect([posted(acme, second), posted(beta, first)]).toEqual([[], []])
    expect(slack.problems).toEqual([])

    expect(await bot.event(beta.id, { type: 'app_uninstalled' })).toBe(200)
    expect(await bot.store.repositories.installations.find(beta.id)).toBeNull()
    expect(await digests.find(second.id)).toMatchObject({
      ...{ nextDue: null, pause: { why: 'not-allowed', reason: 'Querent was removed from this workspace.' } },
    })
    expect(await digests.find(first.id)).toMatchObject({ pause: null })
    const before = slack.calls.filter(({ team }) => team === beta.id).length
    expect(await ask(beta, 'how many hires are there?', '502.000100')).toBe(200)
    expect(await ask(acme, 'how many hires are there?', '502.000100')).toBe(200)
    await until(() => expect(JSON.stringify(callsOf(acme.id, 'chat.update'))).toContain('500'))
    expect(slack.calls.filter(({ team }) => team === beta.id)).toHaveLength(before)
  })

  it("are removed when the bot's token is revoked, not a person's", async () => {
    const { installations } = bot.store.repositories
    await bot.event(acme.id, { type: 'tokens_revoked', tokens: { oauth: ['U0ADA'], bot: [] } })
    expect(await installations.find(acme.id)).not.toBeNull()
    await bot.event(acme.id, { type: 'tokens_revoked', tokens: { oauth: [], bot: ['UT0ACMEBOT'] } })
    expect(await installations.find(acme.id)).toBeNull()
  })

  it('have no token in the log', () => {
    expect(bot.lines.length).toBeGreaterThan(0)
    expect(bot.lines.join('')).not.toMatch(/xoxb-of/)
    for (const secret of bot.secrets) expect(bot.lines.join('')).not.toContain(secret)
  })
})
