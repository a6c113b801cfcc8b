const LONGEST = 300

/** Words that look like a key although we never held it: endpoints quote the key they were sent, or a part of it. */
const looksLikeKey = /\b(?:sk|rk|pk)-[\w*.-]{6,}|\bbearer\s+[\w*.-]{6,}/gi

/** A text fit for logs and people: without the given secrets or anything that looks like a key, cut to 300 characters. */
export const scrubSecrets = (text: string, secrets: readonly string[]): string => {
  const without = secrets
    .filter(secret => secret.length > 0)
    .reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text)
    .replace(looksLikeKey, '[key]')
    .replace(/\s+/g, ' ')
    .trim()
  return without.length > LONGEST ? `${without.slice(0, LONGEST)}…` : without
}
