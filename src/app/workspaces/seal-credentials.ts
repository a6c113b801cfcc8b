import { z } from 'zod'
import type { BotCredentials, Sealer } from '../../core/installation.ts'

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
