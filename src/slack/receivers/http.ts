import { HTTPReceiver, type Logger } from '@slack/bolt'
import type { InstallRoute } from '../installs/install-routes.ts'

/**
 * Requests over HTTP. The response waits for the listeners (`processBeforeResponse`), so Slack hears 200 only once
 * the question is stored; a listener that throws becomes a 500, and Slack delivers again.
 */
export const makeHttpReceiver = (options: {
  readonly signingSecret: string
  readonly port: number
  readonly logger: Logger
  /** For an app that workspaces install themselves. */
  readonly installs?: readonly InstallRoute[]
}): HTTPReceiver =>
  new HTTPReceiver({
    signingSecret: options.signingSecret,
    port: options.port,
    logger: options.logger,
    processBeforeResponse: true,
    endpoints: ['/slack/events'],
    customRoutes: [...(options.installs ?? [])],
  })
