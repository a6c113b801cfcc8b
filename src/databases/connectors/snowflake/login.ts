import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { wrongAddress } from '../http/read-address.ts'
import type { SnowflakeAddress } from './address.ts'

/** The headers that say who asks. A token that is signed with a key is renewed before it ends. */
export type LoginHeaders = () => Readonly<Record<string, string>>

/** Snowflake accepts signed tokens for an hour at most, whatever they say. */
const tokenSeconds = 3_540

/** How long before its end a token is no longer used, so that it does not end on its way. */
const renewSeconds = 300

const headers = (type: string, token: string): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${token}`,
  'x-snowflake-authorization-token-type': type,
})

/** Makes the headers of each request. Throws `QuerentError('unknown-database')` for a key that cannot be read. */
export const makeLogin = (
  { account, user, login }: Pick<SnowflakeAddress, 'account' | 'user' | 'login'>,
  now: () => number = Date.now,
): LoginHeaders => {
  if (login.kind !== 'key') {
    const type = login.kind === 'oauth' ? 'OAUTH' : 'PROGRAMMATIC_ACCESS_TOKEN'
    return () => headers(type, login.token)
  }
  const key = openKey(login.pem, login.passphrase)
  const subject = `${account}.${user.toUpperCase()}`
  const issuer = `${subject}.${fingerprint(key)}`
  let token = ''
  let endsAt = 0
  return () => {
    const seconds = Math.floor(now() / 1000)
    if (seconds > endsAt - renewSeconds) {
      endsAt = seconds + tokenSeconds
      token = signToken(key, { iss: issuer, sub: subject, iat: seconds, exp: endsAt })
    }
    return headers('KEYPAIR_JWT', token)
  }
}

const openKey = (pem: string, passphrase: string | null): KeyObject => {
  let key: KeyObject
  try {
    key = createPrivateKey({ key: pem, ...(passphrase !== null && { passphrase }) })
  } catch {
    // The library's words may quote the key.
    throw wrongAddress(
      passphrase === null
        ? 'privateKeyFile is no private key in PEM format, or it has a passphrase: put that in place of a password.'
        : 'The private key cannot be opened: the passphrase is wrong, or the file is no private key in PEM format.',
    )
  }
  if (key.asymmetricKeyType !== 'rsa') throw wrongAddress('Snowflake takes RSA keys only.')
  return key
}

/** `SHA256:` and the digest of the public key, as DESCRIBE USER shows it in RSA_PUBLIC_KEY_FP. */
const fingerprint = (key: KeyObject): string => {
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' })
  return `SHA256:${createHash('sha256').update(spki).digest('base64')}`
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

const signToken = (key: KeyObject, claims: object): string => {
  const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
}
