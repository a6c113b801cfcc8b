import type { IncomingMessage, ServerResponse } from 'node:http'
import { type CallbackOptions, type InstallationStore, InstallProvider } from '@slack/oauth'
import { WebClient } from '@slack/web-api'
import type { CheckInstallation, NewInstallation } from '../../core/installation.ts'
import type { Log } from '../../core/log.ts'
import { makeBoltLogger } from '../bolt-logger.ts'
import { type InstallPage, renderInstallPage } from './install-page.ts'
import { parseInstallation } from './read-installation.ts'
import { installFailurePage } from './say-install-failure.ts'
import { slackClientOptions } from './slack-client-options.ts'

/** What makes the app installable. */
export interface InstallSettings {
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
