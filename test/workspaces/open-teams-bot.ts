import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { signRequest } from '../../simulator/delivery/sign-request.ts'
import { freePort } from '../../simulator/free-port.ts'
import { makeBot } from '../../src/bootstrap/bot.ts'
import { makeResources } from '../../src/bootstrap/resources.ts'
import { makeInstalledWorkspaces } from '../../src/bootstrap/slack/workspaces.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { readWorkspacesSettings } from '../../src/config/workspaces.ts'
import { makeBoltLogger, makeHttpReceiver } from '../../src/slack/receivers.ts'
import type { Store } from '../../src/store/store.ts'
import { makeLog } from '../../src/telemetry/log.ts'
import { cyclesSchema } from '../e2e/cycles-schema.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'
import { openTestStore } from '../store/setup/open-test-store.ts'
import { APP, type TeamsSlack } from './start-teams-slack.ts'

const signingSecret = 'signing-secret-of-tests'

const STATE_SECRET = 'a-state-secret-of-more-than-32-characters'

const encryptionKey = randomBytes(32).toString('base64')

/** Opens the first page of an installation, and keeps what the browser would. */
export const beginInstallation = async (url: string) => {
  const page = await fetch(`${url}/slack/install`)
  const cookie = (page.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  return { cookie, state: /state=([^&"]+)/.exec(await page.text())?.[1] ?? '' }
}

/** The bot in one process, over a real store, as `serve` wires it for several workspaces; `beside` has the same store. */
export const openTeamsBot = async (
  slack: TeamsSlack,
  allowed: readonly string[],
  beside?: { readonly store: Store; readonly storeUrl: string },
) => {
  const undo = new AsyncDisposableStack()
  const opened = beside ? { store: beside.store, url: beside.storeUrl } : undo.use(await openTestStore())
  const folder = undo.adopt(mkdtempSync(join(tmpdir(), 'querent-teams-')), name =>
    rmSync(name, { recursive: true }),
  )
  const cycles = undo.adopt(makeSqliteFile(cyclesSchema), file => file.remove())
  const port = await freePort()
  const settings = {
    defaultDatabase: 'cycles',
    databases: { cycles: { path: cycles.file } },
    timeZone: 'UTC',
    answer: { minimumConfidence: 0.1, costOfAsking: 1, cacheMinutes: 15 },
    slack: { workspaces: [...allowed], port },
  }
  writeFileSync(join(folder, 'querent.yml'), stringify(settings))
  const config = loadConfig({
    cwd: folder,
    env: {
      ...{ QUERENT_HOME: folder, DATABASE_URL: opened.url, SLACK_SIGNING_SECRET: signingSecret },
      ...{
        SLACK_CLIENT_ID: APP.clientId,
        SLACK_CLIENT_SECRET: APP.clientSecret,
        SLACK_API_URL: slack.apiUrl,
      },
      SLACK_STATE_SECRET: STATE_SECRET,
      QUERENT_ENCRYPTION_KEYS: `tests:${encryptionKey}`,
    },
  })
  const lines: string[] = []
  const log = makeLog({ level: 'info', destination: { write: line => void lines.push(line) } })
  const resources = makeResources(config, { log, asOf: '2026-11-22' })
  undo.defer(() => resources.release())
  const workspacesSettings = readWorkspacesSettings(config)
  if (!workspacesSettings) throw new Error('the settings are not of several workspaces')
  const { workspaces, installs } = makeInstalledWorkspaces(workspacesSettings, {
    ownStore: () => resources.ownStore(),
    ...{ scopes: ['chat:write'], apiUrl: slack.apiUrl, now: () => new Date(), log },
  })
  const receiver = makeHttpReceiver({
    signingSecret,
    port,
    host: '127.0.0.1',
    logger: makeBoltLogger(log),
    installs,
  })
  await resources.openDatabase('cycles')
  const bot = await makeBot(resources, { receiver, workspaces, database: 'cycles', workers: 2 })
  undo.defer(() => bot.stop(5_000))
  await bot.start()
  const url = `http://127.0.0.1:${port}`

  const send = async (contentType: string, body: string): Promise<number> => {
    const headers = { 'content-type': contentType, ...signRequest(signingSecret, body, new Date()) }
    const response = await fetch(`${url}/slack/events`, { method: 'POST', headers, body })
    await response.text()
    return response.status
  }
  return {
    url,
    store: opened.store,
    storeUrl: opened.url,
    /** What it must not let out. */
    secrets: [signingSecret, APP.clientSecret, STATE_SECRET, encryptionKey],
    lines,
    /** Delivers an event as Slack does, for the installation in `authorized`; resolves with the status of the answer. */
    event: (team: string, event: Readonly<Record<string, unknown>>, authorized = team): Promise<number> =>
      send(
        'application/json',
        JSON.stringify({
          ...{ type: 'event_callback', team_id: team, api_app_id: 'A1', event_id: randomUUID(), event },
          event_time: Math.floor(Date.now() / 1000),
          authorizations: [{ team_id: authorized, enterprise_id: null, is_enterprise_install: false }],
        }),
      ),
    /** Delivers a click or a form. */
    interaction: (body: Readonly<Record<string, unknown>>): Promise<number> =>
      send(
        'application/x-www-form-urlencoded',
        new URLSearchParams({ payload: JSON.stringify(body) }).toString(),
      ),
    /** Goes through the pages as a browser does; resolves with the last of them. */
    install: async (code: string): Promise<{ readonly status: number; readonly page: string }> => {
      const { cookie, state } = await beginInstallation(url)
      const back = await fetch(`${url}/slack/oauth_redirect?code=${code}&state=${state}`, {
        headers: { cookie },
      })
      return { status: back.status, page: await back.text() }
    },
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  }
}
