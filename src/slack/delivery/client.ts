import { type WebAPICallResult, WebClient, type WebClientOptions } from '@slack/web-api'
import { slackErrorCode } from './slack-errors.ts'

/** Credentials for one workspace: a fixed token, or one that is looked up before each call. */
export interface SlackCredentials {
  readonly token: string | FindToken
  /** Another address of the Web API; null for Slack's own. */
  readonly apiUrl: string | null
}

/**
 * The client that posts. A rate-limited call waits as long as Slack says and is retried. A call that hangs is given up
 * after ten seconds, so that its job does not hang with it: the job is retried. With `retries: 0` nothing is retried, for
 * calls that must not be repeated blindly or are not worth it.
 */
export const makeSlackClient = (
  options: SlackCredentials & {
    readonly retries?: number
    /** Fails at once if Slack says to wait, instead of holding up every later call of this client. */
    readonly failWhenLimited?: boolean
    readonly timeoutMs?: number
  },
): WebClient => {
  const settings = {
    timeout: options.timeoutMs ?? 10_000,
    retryConfig: { retries: options.retries ?? 4, factor: 2, minTimeout: 300, maxTimeout: 5_000 },
    rejectRateLimitedCalls: options.failWhenLimited ?? false,
    ...(options.apiUrl ? { slackApiUrl: options.apiUrl } : {}),
  }
  return typeof options.token === 'string'
    ? new WebClient(options.token, settings)
    : new RotatingTokenClient(options.token, settings)
}

/** Finds the token of a workspace: another one than `refused` if Slack no longer takes that and there is another. */
type FindToken = (refused?: string) => Promise<string>

/** Slack's codes for a token that was exchanged since, for example by another process. The call did nothing. */
const staleTokenCodes: ReadonlySet<string> = new Set(['invalid_auth', 'token_expired', 'token_revoked'])

/** A client whose token rotates: each call uses the current one. */
class RotatingTokenClient extends WebClient {
  readonly #findToken: FindToken

  constructor(findToken: FindToken, options: WebClientOptions) {
    super(undefined, options)
    this.#findToken = findToken
  }

  override async apiCall(method: string, options: Record<string, unknown> = {}): Promise<WebAPICallResult> {
    const token = await this.#findToken()
    try {
      return await super.apiCall(method, { ...options, token })
    } catch (error) {
      if (!staleTokenCodes.has(slackErrorCode(error) ?? '')) throw error
      const next = await this.#findToken(token)
      if (next === token) throw error
      return super.apiCall(method, { ...options, token: next })
    }
  }
}
