import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type CallbackOptions,
  type Installation,
  type InstallationStore,
  InstallProvider,
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
 * Makes `/slack/install` and `/slack/oauth_redirect`. The state is signed, and valid for ten minutes in the browser that
 * has its cookie. Bolt's receivers could make these routes too, but would then authorize requests without a lock on
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
    ...{ stateSecret: settings.stateSecret, installationStore, clientOptions },
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
  const reportFailure = (work: Promise<void>, response: ServerResponse): void => {
    work.catch((error: unknown) => {
      log.error({ error }, 'a page of the installation failed')
      if (!response.headersSent) sendPage(response, installFailurePage(undefined))
    })
  }
  return [
    {
      path: '/slack/install',
      method: 'GET',
      handler: (request, response) =>
        reportFailure(provider.handleInstallPath(request, response, {}, { scopes }), response),
    },
    {
      path: '/slack/oauth_redirect',
      method: 'GET',
      handler: (request, response) =>
        reportFailure(provider.handleCallback(request, response, callbacks), response),
    },
  ]
}

const sendPage = (response: ServerResponse, page: InstallPage): void => {
  response.writeHead(page.status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'referrer-policy': 'no-referrer',
  })
  response.end(renderInstallPage(page))
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
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1rem }</style>
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
