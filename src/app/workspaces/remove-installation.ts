import type { DigestPause } from '../../core/digest.ts'
import type { RemoveInstallation } from '../../core/installation.ts'
import type { Log } from '../../core/log.ts'
import type { InTransaction, Tx } from '../../core/tx.ts'

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
    deps.log.warn({ team, digestsPaused: paused }, 'a workspace has removed the bot; its tokens are deleted')
    return true
  }
