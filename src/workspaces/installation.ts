import type { DigestPause } from '../domain/digest.ts'
import { QuerentError } from '../domain/errors.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { InTransaction, Tx } from '../domain/operations/transaction.ts'
import type {
  CheckInstallation,
  Installation,
  NewInstallation,
  RemoveInstallation,
  Sealer,
} from '../domain/operations/workspace.ts'
import { sealCredentials } from './credentials.ts'

/** Keeps a workspace that has installed the app, in the place of what was kept of it before. */
type StoreInstallation = (given: NewInstallation) => Promise<void>

/** Makes it. Rejects with `bad-arguments` for a workspace that may not have the bot. */
export const makeStoreInstallation =
  (deps: {
    readonly check: CheckInstallation
    readonly sealer: Sealer
    readonly upsert: (installation: Omit<Installation, 'failure'>) => Promise<void>
    /** Forgets what is remembered of the workspace. */
    readonly forget: (team: string) => void
    readonly now: () => Date
    readonly log: Log
  }): StoreInstallation =>
  async given => {
    const judged = deps.check(given)
    if (judged.status === 'refused')
      throw new QuerentError('bad-arguments', `${judged.reason} ${judged.nextStep}`)
    const { team, teamName, bot } = given
    if (team === null || bot === null)
      throw new Error('an installation without a workspace or bot passed the check')
    await deps.upsert({
      team,
      teamName,
      botUserId: bot.userId,
      botId: bot.id,
      scopes: bot.scopes,
      sealed: sealCredentials(deps.sealer, team, bot.credentials),
      expiresAt: bot.expiresAt,
      installedAt: deps.now(),
    })
    deps.forget(team)
    deps.log.info({ team, teamName }, 'installed in a workspace')
  }

/**
 * Makes it: the app goes to the workspaces that are named, and to no others. Whoever finds the address of an installation
 * page could otherwise put the bot into a workspace of their own, and ask it about our databases there.
 */
export const makeCheckInstallation =
  (allowed: readonly string[]): CheckInstallation =>
  ({ team, teamName, bot }) => {
    if (team === null)
      return {
        status: 'refused',
        reason: "Querent can't be installed for a whole organization.",
        nextStep: 'Install it in each workspace separately.',
      }
    if (!allowed.includes(team))
      return {
        status: 'refused',
        reason: `This Querent does not serve the workspace ${teamName}.`,
        nextStep: `Its operator can allow the workspace: add ${team} to slack.workspaces in querent.yml and restart.`,
      }
    if (bot === null)
      return {
        status: 'refused',
        reason: 'Slack sent no bot token.',
        nextStep: 'Create the app from manifest.yml, which asks for bot scopes, and install it again.',
      }
    return { status: 'allowed' }
  }

/**
 * Makes it: the tokens are deleted, so that nothing can be posted, and digests are paused. An installation made since
 * stays: Slack tells of a removal late where it could not reach us.
 */
export const makeRemoveInstallation =
  (deps: {
    readonly inTransaction: InTransaction
    readonly remove: (team: string, installedBy: Date, tx: Tx) => Promise<boolean>
    readonly pauseDigests: (
      team: string,
      pause: DigestPause & { readonly at: Date },
      tx: Tx,
    ) => Promise<number>
    /** What is remembered of the workspace counts no more. */
    readonly forget: (team: string) => void
    readonly now: () => Date
    readonly log: Log
  }): RemoveInstallation =>
  async (team, removedAt) => {
    const reason = 'Querent was removed from this workspace.'
    const paused = await deps.inTransaction(async tx =>
      (await deps.remove(team, removedAt, tx))
        ? deps.pauseDigests(team, { why: 'not-allowed', reason, at: deps.now() }, tx)
        : null,
    )
    deps.forget(team)
    if (paused === null) return false
    deps.log.warn({ team, digestsPaused: paused }, 'a workspace removed the bot; its tokens were deleted')
    return true
  }
