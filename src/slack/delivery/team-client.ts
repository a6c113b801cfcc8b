import { type WebAPICallResult, WebClient, type WebClientOptions } from '@slack/web-api'
import { slackErrorCode } from './slack-error-code.ts'

/** Finds the token of a workspace: another one than `refused`, where Slack takes that no more and there is another. */
export type FindToken = (refused?: string) => Promise<string>

/** What Slack says of a token that was exchanged since, by another process for instance. Nothing was done then. */
const staleTokenCodes: ReadonlySet<string> = new Set(['invalid_auth', 'token_expired', 'token_revoked'])

/** A client whose token is exchanged now and then: each call is made with the one of that moment. */
export class RotatingTokenClient extends WebClient {
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
