import { redactSecrets } from './blank-secrets.ts'

const maxMessageLength = 300

/** A text fit for logs and people: without the given secrets or anything that looks like a key, cut to 300 characters. */
export const redactMessage = (text: string, secrets: readonly string[]): string => {
  const without = redactSecrets(text, secrets).replace(/\s+/g, ' ').trim()
  return without.length > maxMessageLength ? `${without.slice(0, maxMessageLength)}…` : without
}
