import { QuerentError } from '../core/errors.ts'

/** By the code of Postgres: what to do where the server answered. Elsewhere nobody did. */
const adviceByCode: ReadonlyMap<string, string> = new Map([
  ['28P01', 'check user and password in DATABASE_URL'],
  ['28000', 'check the user in DATABASE_URL, and the server’s pg_hba.conf'],
  ['3D000', 'make it with createdb, or name another in DATABASE_URL'],
  ['42501', 'let the user in DATABASE_URL create schemas there: grant create on database ... to ...'],
])

/** What the driver says is about a socket or a role; this says what to do about it, too. */
export const storeUnavailable = (cause: unknown): QuerentError => {
  const { code, message } = (cause as { readonly code?: string; readonly message?: string } | null) ?? {}
  const advice = adviceByCode.get(code ?? '') ?? 'check DATABASE_URL and that its server runs'
  return new QuerentError(
    'store-unavailable',
    `the store cannot be used (${message || code || 'no reason given'}); ${advice}`,
    { cause },
  )
}
