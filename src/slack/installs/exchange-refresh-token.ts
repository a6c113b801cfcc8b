import { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { BotCredentials } from '../../core/installation.ts'
import { slackClientOptions } from './slack-client-options.ts'

const TokenResponse = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  /** Seconds. */
  expires_in: z.number().positive(),
})

/** Makes the exchange of a refresh token for the next token: one call, which is never made again by itself. */
export const makeExchangeRefreshToken = (settings: {
  readonly clientId: string
  readonly clientSecret: string
  readonly apiUrl: string | null
  readonly now: () => Date
}) => {
  const client = new WebClient(undefined, slackClientOptions(settings.apiUrl))
  return async (
    refreshToken: string,
  ): Promise<{ readonly credentials: BotCredentials; readonly expiresAt: Date }> => {
    const asked = settings.now().getTime()
    const reply = TokenResponse.parse(
      await client.oauth.v2.access({
        client_id: settings.clientId,
        client_secret: settings.clientSecret,
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      }),
    )
    return {
      credentials: { token: reply.access_token, refreshToken: reply.refresh_token },
      expiresAt: new Date(asked + reply.expires_in * 1000),
    }
  }
}
