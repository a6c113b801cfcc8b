import type { AllMiddlewareArgs, AnyMiddlewareArgs, Authorize } from '@slack/bolt'
import { WebClient, type WebClientOptions } from '@slack/web-api'
import { z } from 'zod'
import { QuerentError } from '../../domain/errors.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { BotCredentials, FindBotAccount } from '../../domain/operations/workspace.ts'

/** Slack waits three seconds in all: the store gets one of them, and Slack delivers again if that was not enough. */
const LOOKUP_TIMEOUT_MS = 1_000

/** Tells Bolt which account a request belongs to: the one in the workspace that it comes from. */
export const makeAuthorize =
  (find: FindBotAccount, budgetMs = LOOKUP_TIMEOUT_MS): Authorize<boolean> =>
  async ({ teamId, isEnterpriseInstall }) => {
    if (isEnterpriseInstall || teamId === undefined)
      throw new QuerentError(
        'not-installed',
        'the app cannot be installed for a whole organization; install it in each workspace',
      )
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => late.reject(new Error(`the installation in ${teamId} was not found within ${budgetMs} ms`)),
      budgetMs,
    )
    try {
      const { token, botId, botUserId, team } = await Promise.race([find(teamId), late.promise])
      return { botToken: token, botId, botUserId, teamId: team }
    } finally {
      clearTimeout(timer)
    }
  }

/**
 * Middleware that accepts only requests from the workspace whose token would answer them: in a shared channel, Slack may
 * name one workspace and deliver for another. The rest is acknowledged and ignored.
 */
export const makeRequireOwnWorkspace =
  (log: Log) =>
  async (args: AnyMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const { context, next } = args
    const named = workspaceIdOf(args.body)
    if (named === context.teamId) return await next()
    log.warn(
      { named, authorized: context.teamId },
      'a request was ignored: it names another workspace than it is delivered for',
    )
    if ('ack' in args && typeof args.ack === 'function') await (args.ack as () => Promise<void>)()
  }

/** The workspace that listeners read, in any kind of request; null if it names none. */
const workspaceIdOf = (body: object): string | null => {
  const { team_id, team, user } = body as {
    readonly team_id?: string
    readonly team?: { readonly id?: string } | null
    readonly user?: { readonly team_id?: string }
  }
  return team_id ?? team?.id ?? user?.team_id ?? null
}

const TokenResponse = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  /** Seconds. */
  expires_in: z.number().positive(),
})

/** Exchanges a refresh token for the next token: one call, which is never retried by itself. */
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

/** For calls around installations, without retries: a code and a refresh token work only once. */
export const slackClientOptions = (apiUrl: string | null): WebClientOptions => ({
  timeout: 10_000,
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
  ...(apiUrl ? { slackApiUrl: apiUrl } : {}),
})
