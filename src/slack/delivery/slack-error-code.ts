import { WebAPIPlatformError } from '@slack/web-api'

/** The code with which Slack refused a call, such as `invalid_blocks`; null for any other kind of failure. */
export const slackErrorCode = (error: unknown): string | null =>
  error instanceof WebAPIPlatformError ? error.data.error : null
