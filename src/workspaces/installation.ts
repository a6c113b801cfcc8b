import type { DigestPause } from '../domain/digests/digest.ts'
import { QuerentError } from '../domain/errors.ts'
import type { InTransaction, Tx } from '../domain/operations/jobs.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type {
  CheckInstallation,
  Installation,
  NewInstallation,
  RemoveInstallation,
  Sealer,
} from '../domain/operations/workspace.ts'
import { sealCredentials } from './bot-account.ts'

/** Stores an installation, replacing an earlier one of the same workspace. */
type StoreInstallation = (given: NewInstallation) => Promise<void>

/** Rejects with `bad-arguments` for a workspace that may not have the bot. */
export const makeStoreInstallation =
  (deps: {
    readonly check: CheckInstallation
    readonly sealer: Sealer
    readonly upsert: (installation: Omit<Installation, 'failure'>) => Promise<void>
    /** Drops the cached account of the workspace. */
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
 * Only listed workspaces may install the app. Otherwise anyone who finds the installation page could add the bot to
 * their own workspace and query the databases from there.
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
 * Deletes the tokens, so that nothing can be posted, and pauses digests. A newer installation stays: Slack reports a
 * removal late if it could not reach the bot.
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
    /** Drops the cached account of a workspace. */
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
