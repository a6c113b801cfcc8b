import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { QuerentError } from '../domain/errors.ts'
import type { Sealer, SealingKey } from '../domain/operations/workspace.ts'

const VERSION = 'v1'

/** In bytes, as NIST SP 800-38D (8.2) requires for GCM; random for each secret. */
const NONCE_BYTES = 12

const TAG_BYTES = 16

/**
 * Encrypts with AES-256-GCM: `v1:KEY:NONCE+TAG+SECRET`, the last part in base64url. The first key encrypts and all keys
 * decrypt, so a new key goes before the old one and stored secrets are re-encrypted later.
 */
export const makeSealer = (keys: readonly SealingKey[]): Sealer => {
  const [current] = keys
  if (!current) throw new QuerentError('bad-configuration', 'no encryption key: set QUERENT_ENCRYPTION_KEYS')
  return {
    seal: (plain, boundTo) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce)
      cipher.setAAD(contextOf(current.id, boundTo))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      const packed = Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
      return `${VERSION}:${current.id}:${packed}`
    },
    open: (sealed, boundTo) => {
      const [version, id, packed] = sealed.split(':')
      const known = keys.find(key => key.id === id)
      if (version !== VERSION || !known || packed === undefined)
        throw new QuerentError(
          'bad-configuration',
          `a token is encrypted with the key ${id}, which QUERENT_ENCRYPTION_KEYS does not have; add it back after the others`,
        )
      const bytes = Buffer.from(packed, 'base64url')
      try {
        const decipher = createDecipheriv('aes-256-gcm', known.key, bytes.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        })
        decipher.setAAD(contextOf(known.id, boundTo))
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
        return Buffer.concat([
          decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
          decipher.final(),
        ]).toString('utf8')
      } catch (cause) {
        throw new QuerentError(
          'bad-configuration',
          `a token of ${boundTo} cannot be opened: the key ${id} has changed, or the row was altered; reinstall the app there`,
          { cause },
        )
      }
    },
    isCurrent: sealed => sealed.startsWith(`${VERSION}:${current.id}:`),
  }
}

/** Data that is authenticated with the secret. */
const contextOf = (keyId: string, boundTo: string): Buffer =>
  Buffer.from(JSON.stringify([VERSION, keyId, boundTo]))
