const maxMessageLength = 300

/**
 * Makes a text safe for logs and people: without the given secrets or anything that looks like a key, cut to 300
 * characters.
 */
export const redactMessage = (text: string, secrets: readonly string[]): string => {
  const without = redactSecrets(text, secrets).replace(/\s+/g, ' ').trim()
  return without.length > maxMessageLength ? `${without.slice(0, maxMessageLength)}…` : without
}

/** Words that look like a key, even if we do not know it: endpoints quote the key they were sent, or a part of it. */
const looksLikeKey = /\b(?:sk|rk|pk)-[\w*.-]{6,}|\bbearer\s+[\w*.-]{6,}/gi

/** Removes the given secrets and anything that looks like a key from a text; the rest is unchanged. */
export const redactSecrets = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter(secret => secret.length > 0)
    // Longer ones first: one secret may be part of another.
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text)
    .replace(looksLikeKey, '[key]')

/** Removes secrets from every text in a value. */
export const redactDeep = (value: unknown, secrets: readonly string[]): unknown => {
  if (typeof value === 'string') return redactSecrets(value, secrets)
  if (Array.isArray(value)) return value.map(item => redactDeep(item, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, redactDeep(part, secrets)]))
}
