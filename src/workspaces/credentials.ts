import { z } from 'zod'
import type { InTransaction, Tx } from '../domain/operations/transaction.ts'
import type { BotCredentials, Installation, Sealer } from '../domain/operations/workspace.ts'

const Credentials = z.object({ token: z.string(), refreshToken: z.string().nullable() })

/** Encrypts the tokens of a workspace for that workspace only. */
export const sealCredentials = (
  sealer: Sealer,
  team: string,
  { token, refreshToken }: BotCredentials,
): string => sealer.seal(JSON.stringify({ token, refreshToken }), boundTo(team))

/** Decrypts them. Throws `bad-configuration` if no key fits. */
export const openCredentials = (sealer: Sealer, team: string, sealed: string): BotCredentials =>
  Credentials.parse(JSON.parse(sealer.open(sealed, boundTo(team))))

const boundTo = (team: string): string => `the installation in ${team}`

/**
 * Re-encrypts with the first key what other keys encrypted; returns how many workspaces that were, and how many there
 * are.
 */
type RotateKeys = () => Promise<{ readonly resealed: number; readonly workspaces: number }>

/** Handles one workspace at a time: what is done stays done if one cannot be decrypted. */
export const makeRotateKeys =
  (deps: {
    readonly inTransaction: InTransaction
    readonly list: () => Promise<readonly Installation[]>
    readonly lock: (team: string, tx: Tx) => Promise<Installation | null>
    readonly storeSealed: (team: string, sealed: string, tx: Tx) => Promise<void>
    readonly sealer: Sealer
  }): RotateKeys =>
  async () => {
    const { sealer } = deps
    const all = await deps.list()
    let resealed = 0
    for (const { team } of all) {
      const changed = await deps.inTransaction(async tx => {
        const found = await deps.lock(team, tx)
        if (!found || sealer.isCurrent(found.sealed)) return false
        const credentials = openCredentials(sealer, team, found.sealed)
        await deps.storeSealed(team, sealCredentials(sealer, team, credentials), tx)
        return true
      })
      if (changed) resealed += 1
    }
    return { resealed, workspaces: all.length }
  }
