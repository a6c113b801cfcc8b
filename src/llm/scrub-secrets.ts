import { blankSecrets } from './blank-secrets.ts'

const LONGEST = 300

/** A text fit for logs and people: without the given secrets or anything that looks like a key, cut to 300 characters. */
export const scrubSecrets = (text: string, secrets: readonly string[]): string => {
  const without = blankSecrets(text, secrets).replace(/\s+/g, ' ').trim()
  return without.length > LONGEST ? `${without.slice(0, LONGEST)}…` : without
}
