import type { Receiver, ReceiverEvent } from '@slack/bolt'
import { type WebAPICallResult, WebAPIPlatformError, WebClient, type WebClientOptions } from '@slack/web-api'
import { withoutInvisible, withoutInvisibleIn } from '../../lib/inert-text.ts'

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
    fetch: visibleFetch,
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

/** The code with which Slack refused a call, such as `invalid_blocks`; null for any other kind of failure. */
export const slackErrorCode = (error: unknown): string | null =>
  error instanceof WebAPIPlatformError ? error.data.error : null

/** Slack's codes for a channel or person that is gone, and for an app that was removed: retrying changes nothing. */
const permanentCodes: ReadonlySet<string> = new Set([
  'account_inactive',
  'channel_not_found',
  'invalid_auth',
  'is_archived',
  'missing_scope',
  'not_authed',
  'not_in_channel',
  'team_access_not_granted',
  'token_revoked',
  'user_not_found',
])

/** Whether Slack refused a call for good, and not because it is limiting, unreachable or slow. */
export const isPermanentSlackError = (error: unknown): boolean =>
  permanentCodes.has(slackErrorCode(error) ?? '')

/** Codes of a channel where we cannot post until a person invites us or names another one. */
const channelCodes: ReadonlySet<string> = new Set(['channel_not_found', 'not_in_channel', 'is_archived'])

/** Codes of a person who left, who is a bot, or whom we cannot message because `im:write` is missing. */
const personCodes: ReadonlySet<string> = new Set([
  'user_not_found',
  'users_not_found',
  'user_disabled',
  'user_not_visible',
  'cannot_dm_bot',
  'messages_tab_disabled',
  'missing_scope',
])

/** The code with which Slack refuses our messages in a channel; null for any other failure. */
export const unreachableChannelCode = (error: unknown): string | null => matchingCode(channelCodes, error)

/** The same for a person's direct messages. */
export const unreachablePersonCode = (error: unknown): string | null => matchingCode(personCodes, error)

const matchingCode = (codes: ReadonlySet<string>, error: unknown): string | null => {
  const code = slackErrorCode(error)
  return code !== null && codes.has(code) ? code : null
}

/** What comes back to us in the next request, and is compared then: it stays as it is. */
const returned: ReadonlySet<string> = new Set(['value', 'initial_value', 'private_metadata', 'metadata'])

/** Arguments of the Web API that are sent as JSON. */
const asJson: ReadonlySet<string> = new Set(['blocks', 'view', 'chunks', 'attachments', 'prompts'])

/**
 * Sends every request to Slack, without the invisible characters of any text in it, whoever wrote it. Contents of files
 * have an address of their own, and are sent as they are.
 */
export const visibleFetch: typeof fetch = (address, options = {}) => {
  const { body } = options
  if (typeof body !== 'string') return fetch(address, options)
  const type = new Headers(options.headers).get('content-type') ?? ''
  if (type.startsWith('application/json')) return fetch(address, { ...options, body: visibleJson(body) })
  if (!type.startsWith('application/x-www-form-urlencoded')) return fetch(address, options)
  const fields = new URLSearchParams(body)
  for (const [name, value] of [...fields]) fields.set(name, visibleField(name, value))
  return fetch(address, { ...options, body: fields.toString() })
}

const visibleField = (name: string, value: string): string => {
  if (returned.has(name)) return value
  return asJson.has(name) ? visibleJson(value) : withoutInvisible(value)
}

const visibleJson = (text: string): string => JSON.stringify(withoutInvisibleIn(JSON.parse(text), returned))

/** A receiver whose answers to requests, such as the next view of a form, are without invisible characters too. */
export const answerVisibly = (receiver: Receiver): Receiver => ({
  init: app =>
    receiver.init(
      Object.create(app, {
        processEvent: {
          value: (event: ReceiverEvent) =>
            app.processEvent({
              ...event,
              ack: response => event.ack(withoutInvisibleIn(response, returned)),
            }),
        },
      }),
    ),
  start: (...args) => receiver.start(...args),
  stop: (...args) => receiver.stop(...args),
})
