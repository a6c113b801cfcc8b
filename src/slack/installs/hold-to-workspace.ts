import type { AllMiddlewareArgs, AnyMiddlewareArgs } from '@slack/bolt'
import type { Log } from '../../core/log.ts'

/**
 * Makes the middleware that lets through only what comes from the workspace whose token it would be answered with: in
 * channels that workspaces share, Slack may name one and deliver for another. The rest is acknowledged and left.
 */
export const makeRequireOwnWorkspace =
  (log: Log) =>
  async (args: AnyMiddlewareArgs & AllMiddlewareArgs): Promise<void> => {
    const { context, next } = args
    const named = workspaceIdOf(args.body)
    if (named === context.teamId) return await next()
    log.warn(
      { named, authorized: context.teamId },
      'a request of another workspace than it is delivered for was left',
    )
    if ('ack' in args && typeof args.ack === 'function') await (args.ack as () => Promise<void>)()
  }

/** The workspace that listeners read, in any kind of request; null where it names none. */
const workspaceIdOf = (body: object): string | null => {
  const { team_id, team, user } = body as {
    readonly team_id?: string
    readonly team?: { readonly id?: string } | null
    readonly user?: { readonly team_id?: string }
  }
  return team_id ?? team?.id ?? user?.team_id ?? null
}
