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
import { makeBoltLogger } from '../receivers.ts'
import { slackClientOptions } from './authorize.ts'

/** What makes the app installable. */
interface InstallSettings {
  readonly clientId: string
  readonly clientSecret: string
  /** Signs the state of an installation. Equal in all replicas: it may end at another one than it began at. */
  readonly stateSecret: string
  readonly scopes: readonly string[]
  readonly apiUrl: string | null
  readonly checkInstallation: CheckInstallation
  readonly storeInstallation: (given: NewInstallation) => Promise<void>
  readonly log: Log
}

/** A page that a receiver of Bolt serves beside its requests; both kinds take the same. */
export interface InstallRoute {
  readonly path: string
  readonly method: 'GET'
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void
}

/**
 * Makes `/slack/install` and `/slack/oauth_redirect`. The state is signed, good for ten minutes, and for the browser that
 * has its cookie. Receivers could make them too, but would authorize requests with them: without a lock on tokens.
 */
export const makeInstallRoutes = (settings: InstallSettings): InstallRoute[] => {
  const { checkInstallation: judge, log } = settings
  const clientOptions = slackClientOptions(settings.apiUrl)

  /** A token that is not kept is given back. */
  const giveBack = async (token: string | undefined): Promise<void> => {
    if (token === undefined) return
    const client = new WebClient(token, clientOptions)
    await client.auth.revoke().catch((error: unknown) => {
      log.warn({ error }, 'a token that is not kept could not be given back')
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
      renderInstallPage({
        title: 'Install Querent',
        said: ['Querent answers data questions in Slack. You choose the workspace on the next page.'],
        link: { text: 'Install in Slack', url },
      }),
  })
  const callbacks: CallbackOptions = {
    afterInstallation: async (installation, _options, _request, response) => {
      const asked = parseInstallation(installation)
      const judged = judge(asked)
      if (judged.status === 'allowed') return true
      log.warn({ team: asked.team, teamName: asked.teamName }, 'an installation was refused')
      await giveBack(installation.bot?.token)
      sendPage(response, { status: 403, title: 'Not installed', said: [judged.reason, judged.nextStep] })
      return false
    },
    success: (installation, _options, _request, response) => {
      const { teamName } = parseInstallation(installation)
      const said = [
        `Querent is installed in ${teamName}.`,
        'Go back to Slack and write to it directly, or invite it to a channel.',
      ]
      sendPage(response, { status: 200, title: 'Installed', said })
    },
    failure: (error, _options, _request, response) => sendPage(response, installFailurePage(error.code)),
  }
  const scopes = [...settings.scopes]
  const orFail = (work: Promise<void>, response: ServerResponse): void => {
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
        orFail(provider.handleInstallPath(request, response, {}, { scopes }), response),
    },
    {
      path: '/slack/oauth_redirect',
      method: 'GET',
      handler: (request, response) => orFail(provider.handleCallback(request, response, callbacks), response),
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

/** What Slack's library tells of an installation, as our noun. */
const parseInstallation = (given: Installation): NewInstallation => {
  const { team, enterprise, bot } = given
  const isForAll = given.isEnterpriseInstall === true || team === undefined
  return {
    team: isForAll ? null : team.id,
    teamName: (isForAll ? enterprise?.name : team.name) ?? team?.id ?? 'that has no name',
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

/** A page for whoever installs the app: a title, and what there is to say in sentences. */
interface InstallPage {
  readonly status: number
  readonly title: string
  readonly said: readonly string[]
  /** Where it goes on. */
  readonly link?: { readonly text: string; readonly url: string }
}

/** Writes it as HTML. All of it is text: the name of a workspace is chosen by somebody else. */
const renderInstallPage = ({ title, said, link }: Omit<InstallPage, 'status'>): string =>
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
${said.map(sentence => `<p>${escapeHtml(sentence)}</p>`).join('\n')}
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
  const again = { text: 'Begin again', url: 'install' }
  switch (code) {
    case 'slack_oauth_installer_authorization_error':
      return { status: 400, title: 'Not installed', said: ['You did not agree, so nothing was installed.'] }
    case 'slack_oauth_invalid_state':
    case 'slack_oauth_missing_state':
      return {
        status: 400,
        title: 'Not installed',
        said: ['The installation was begun in another browser, or more than ten minutes ago.'],
        link: again,
      }
    case 'slack_oauth_missing_code':
      return {
        status: 400,
        title: 'Not installed',
        said: ['This page is where Slack comes back to. It shows nothing by itself.'],
        link: again,
      }
    default:
      return {
        status: 500,
        title: 'Not installed',
        said: ['Something broke on the side of Querent. Its log says more.', 'Nothing was changed.'],
        link: again,
      }
  }
}
