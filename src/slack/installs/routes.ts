import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type CallbackOptions,
  ClearStateStore,
  type Installation,
  type InstallationStore,
  InstallProvider,
  InvalidStateError,
  type StateStore,
} from '@slack/oauth'
import { WebClient } from '@slack/web-api'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { CheckInstallation, NewInstallation } from '../../domain/operations/workspace.ts'
import { installLinks, installPages, unnamedWorkspace } from '../copy/help.ts'
import { makeBoltLogger } from '../receivers.ts'
import { slackClientOptions } from './authorize.ts'

/** What makes the app installable. */
interface InstallSettings {
  readonly clientId: string
  readonly clientSecret: string
  /** Signs the state of an installation. Equal in all replicas: an installation may end at another one than it started. */
  readonly stateSecret: string
  readonly scopes: readonly string[]
  readonly apiUrl: string | null
  /** Claims a state for good. False if it was claimed before, by whichever process. */
  readonly claimState: (key: string) => Promise<boolean>
  readonly checkInstallation: CheckInstallation
  readonly storeInstallation: (given: NewInstallation) => Promise<void>
  readonly log: Log
}

/** A page that both kinds of Bolt receivers serve beside Slack's requests. */
export interface InstallRoute {
  readonly path: string
  readonly method: 'GET'
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void
}

/**
 * Makes `/slack/install` and `/slack/oauth_redirect`. The state is signed, and valid once, for ten minutes, in the browser
 * that has its cookie. Bolt's receivers could make these routes too, but would then authorize requests without a lock on
 * tokens.
 */
export const makeInstallRoutes = (settings: InstallSettings): InstallRoute[] => {
  const { checkInstallation, log } = settings
  const clientOptions = slackClientOptions(settings.apiUrl)

  /** A token that is not stored is revoked. */
  const revokeToken = async (token: string | undefined): Promise<void> => {
    if (token === undefined) return
    const client = new WebClient(token, clientOptions)
    await client.auth.revoke().catch((error: unknown) => {
      log.warn({ error }, 'a token that is not stored could not be revoked')
    })
  }

  const installationStore: InstallationStore = {
    storeInstallation: async installation => settings.storeInstallation(parseInstallation(installation)),
    fetchInstallation: async () => {
      throw new Error('installations are found by their workspace, not through this store')
    },
  }

  const provider = new InstallProvider({
    ...{ clientId: settings.clientId, clientSecret: settings.clientSecret },
    ...{ stateStore: makeStateStore(settings), installationStore, clientOptions },
    ...{ stateCookieName: STATE_COOKIE, stateCookieExpirationSeconds: STATE_SECONDS },
    logger: makeBoltLogger(log),
    renderHtmlForInstallPath: url =>
      renderInstallPage({ ...installPages.start, link: { text: installLinks.install, url } }),
  })
  const callbacks: CallbackOptions = {
    afterInstallation: async (installation, _options, _request, response) => {
      const requested = parseInstallation(installation)
      const checked = checkInstallation(requested)
      if (checked.status === 'allowed') return true
      log.warn({ team: requested.team, teamName: requested.teamName }, 'an installation was refused')
      await revokeToken(installation.bot?.token)
      sendPage(response, { status: 403, ...installPages.refused(checked.reason, checked.nextStep) })
      return false
    },
    success: (installation, _options, _request, response) => {
      const { teamName } = parseInstallation(installation)
      sendPage(response, { status: 200, ...installPages.done(teamName) })
    },
    failure: (error, _options, _request, response) => sendPage(response, installFailurePage(error.code)),
  }
  const scopes = [...settings.scopes]
  const serve = (response: ServerResponse, work: (response: ServerResponse) => Promise<void>): void => {
    work(hardenResponse(response)).catch((error: unknown) => {
      log.error({ error }, 'a page of the installation failed')
      if (!response.headersSent) sendPage(response, installFailurePage(undefined))
    })
  }
  return [
    {
      path: '/slack/install',
      method: 'GET',
      handler: (request, response) =>
        serve(response, hardened => provider.handleInstallPath(request, hardened, {}, { scopes })),
    },
    {
      path: '/slack/oauth_redirect',
      method: 'GET',
      handler: (request, response) =>
        serve(response, hardened => provider.handleCallback(request, hardened, callbacks)),
    },
  ]
}

/** With this prefix browsers take it only over TLS, for this host alone: no other host of the domain can set it. */
const STATE_COOKIE = '__Host-querent-install'

const STATE_SECONDS = 600

/** Signed states, as in Slack's library, each of which is accepted once. */
const makeStateStore = ({
  stateSecret,
  claimState,
}: Pick<InstallSettings, 'stateSecret' | 'claimState'>): StateStore => {
  const signed = new ClearStateStore(stateSecret, STATE_SECONDS)
  return {
    generateStateParam: (options, now) => signed.generateStateParam(options, now),
    verifyStateParam: async (now, state) => {
      const options = await signed.verifyStateParam(now, state)
      const isFirst = await claimState(`installation ${createHash('sha256').update(state).digest('hex')}`)
      if (!isFirst) throw new InvalidStateError('The state was used before.')
      return options
    },
  }
}

const sendPage = (response: ServerResponse, page: InstallPage): void => {
  response.writeHead(page.status, { 'content-type': 'text/html; charset=utf-8' })
  response.end(renderInstallPage(page))
}

const STYLE_ELEMENT =
  '<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1rem }</style>'

/** Browsers hash what is between the tags. */
const styleHash = createHash('sha256')
  .update(STYLE_ELEMENT.replaceAll(/<[^>]*>/g, ''))
  .digest('base64')

/** The pages run nothing, load nothing, stand in no frame, and tell no other page the code or the state of their address. */
const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** Gives a response the headers of our pages. Slack's library sets cookies itself, without `SameSite`. */
const hardenResponse = (response: ServerResponse): ServerResponse => {
  for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value)
  const setHeader = response.setHeader.bind(response)
  response.setHeader = (name, value) =>
    setHeader(name, name.toLowerCase() === 'set-cookie' ? `${value}; SameSite=Lax` : value)
  return response
}

/** An installation of Slack's library as our type. */
const parseInstallation = (given: Installation): NewInstallation => {
  const { team, enterprise, bot } = given
  const isForAll = given.isEnterpriseInstall === true || team === undefined
  return {
    team: isForAll ? null : team.id,
    teamName: (isForAll ? enterprise?.name : team.name) ?? team?.id ?? unnamedWorkspace,
    bot: bot
      ? {
          userId: bot.userId,
          id: bot.id,
          scopes: bot.scopes,
          credentials: { token: bot.token, refreshToken: bot.refreshToken ?? null },
          // Seconds, as Slack counts them.
          expiresAt: bot.expiresAt === undefined ? null : new Date(bot.expiresAt * 1000),
        }
      : null,
  }
}

/** A page for the person who installs the app: a title and sentences. */
interface InstallPage {
  readonly status: number
  readonly title: string
  readonly sentences: readonly string[]
  /** The next step. */
  readonly link?: { readonly text: string; readonly url: string }
}

/** Writes a page as HTML. Everything is escaped, because people choose the names of workspaces. */
const renderInstallPage = ({ title, sentences, link }: Omit<InstallPage, 'status'>): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${STYLE_ELEMENT}
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${sentences.map(sentence => `<p>${escapeHtml(sentence)}</p>`).join('\n')}
${link ? `<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.text)}</a></p>` : ''}
</body>
</html>
`

const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, sign => htmlEntities[sign] ?? sign)

/** What went wrong with an installation, by the code of Slack's library. */
const installFailurePage = (code: string | undefined): InstallPage => {
  const link = { text: installLinks.startAgain, url: 'install' }
  switch (code) {
    case 'slack_oauth_installer_authorization_error':
      return { status: 400, ...installPages.declined }
    case 'slack_oauth_invalid_state':
    case 'slack_oauth_missing_state':
      return { status: 400, ...installPages.expired, link }
    case 'slack_oauth_missing_code':
      return { status: 400, ...installPages.opened, link }
    default:
      return { status: 500, ...installPages.broken, link }
  }
}
