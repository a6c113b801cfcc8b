import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Within } from '../transactions.ts'

const SECRETS = 'querent.secrets'

const SecretRow = z.object({ value: z.instanceof(Buffer) })

/** Queries on the secrets that the store makes once and keeps. */
export const makeSecrets = (within: Within) => ({
  /** The secret of a name, 32 bytes; made by whichever process asks first. */
  findOrMake: async (name: string): Promise<Uint8Array> => {
    await within()(SECRETS)
      .insert({ name, value: randomBytes(32) })
      .onConflict('name')
      .ignore()
    return SecretRow.parse(await within()(SECRETS).where({ name }).first('value')).value
  },
})
