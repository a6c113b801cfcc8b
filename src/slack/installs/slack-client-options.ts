import type { WebClientOptions } from '@slack/web-api'

/** For calls around installations: made once, as a code and a refresh token are good for one call. */
export const slackClientOptions = (apiUrl: string | null): WebClientOptions => ({
  timeout: 10_000,
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
  ...(apiUrl ? { slackApiUrl: apiUrl } : {}),
})
