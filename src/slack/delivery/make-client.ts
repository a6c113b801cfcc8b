import { WebClient } from '@slack/web-api'

/**
 * The client that posts. A call that Slack limits waits as long as Slack says and is made again; one that hangs is
 * given up after ten seconds, so that a job does not hang with it: the job is tried again and goes on.
 */
export const makeSlackClient = (options: {
  readonly token: string
  readonly apiUrl: string | null
}): WebClient =>
  new WebClient(options.token, {
    timeout: 10_000,
    retryConfig: { retries: 4, factor: 2, minTimeout: 300, maxTimeout: 5_000 },
    ...(options.apiUrl ? { slackApiUrl: options.apiUrl } : {}),
  })
