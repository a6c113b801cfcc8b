import { z } from 'zod'
import type { InTransaction, Tx } from '../domain/operations/transaction.ts'
import type { BotCredentials, Installation, Sealer } from '../domain/operations/workspace.ts'

const Credentials = z.object({ token: z.string(), refreshToken: z.string().nullable() })

/** Seals the tokens of a workspace for that workspace alone. */
export const sealCredentials = (
  sealer: Sealer,
  team: string,
  { token, refreshToken }: BotCredentials,
): string => sealer.seal(JSON.stringify({ token, refreshToken }), boundTo(team))

/** Opens them again. Throws `bad-configuration` where no key fits. */
export const openCredentials = (sealer: Sealer, team: string, sealed: string): BotCredentials =>
  Credentials.parse(JSON.parse(sealer.open(sealed, boundTo(team))))

const boundTo = (team: string): string => `the installation in ${team}`

/** Seals anew, with the first key, what others have sealed; how many workspaces that were, and how many there are. */
type RotateKeys = () => Promise<{ readonly resealed: number; readonly workspaces: number }>

/** Makes it. One workspace after the other: what was done stays done where one cannot be opened. */
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
