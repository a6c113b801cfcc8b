/** What stands where a secret was. */
export const MASK = '[redacted]'

/** Takes secrets out of a text: known values, and whatever has the shape of one. */
export type Redact = (text: string) => string

/**
 * Values that this process knows to be secret, by the forms they take in texts. Secrets of the process, not of a
 * conversation: they come from its environment and from its installations.
 */
const known = new Set<string>()

/** The longest first: one may be part of another. */
let inOrder: readonly string[] = []

/** Shorter values would mask ordinary words. */
const SHORTEST = 6

/** A value that everyone's texts are cleared of must not be a word: at least so long, or mixed. */
const SHORTEST_WORD = 16

const SHORTEST_MIXED = 8

/**
 * Makes a secret known: from now on `redact` takes it out of every text. Of a URL that is its password; of several
 * assignments (`name=value,name=value`) or named keys (`name:key`) also each value. A value that could be a word is
 * not made known, because it would be taken out of ordinary sentences; it is masked only where it stands as a secret.
 */
export const rememberSecret = (value: string): void => {
  const before = known.size
  for (const part of secretsIn(value))
    if (isDistinctive(part)) for (const form of formsOf(part)) known.add(form)
  if (known.size > before) inOrder = longestFirst(known)
}

const isDistinctive = (value: string): boolean =>
  value.length >= SHORTEST_WORD ||
  (value.length >= SHORTEST_MIXED && !/^(\p{Lu}?\p{Ll}+|\p{Lu}+|\d+)$/u.test(value))

/** The values that must not be shown of a secret as it is configured. */
export const secretsIn = (value: string): readonly string[] => {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return passwordsOf(value)
  const parts = value.split(',').flatMap(part => {
    const [, rest] = /^[\w.-]+\s*[=:]\s*(.+)$/s.exec(part.trim()) ?? []
    return rest === undefined ? [] : [rest, decoded(rest), ...credentialsOf(decoded(rest))]
  })
  return [value, ...parts].filter(part => part !== '')
}

/** What follows the scheme of an `Authorization` header. */
const credentialsOf = (header: string): readonly string[] => {
  const [, credentials] = /^(?:bearer|basic)\s+(\S+)$/i.exec(header) ?? []
  return credentials === undefined ? [] : [credentials]
}

/** The password of a URL as it is written and as it is meant; one that is also its user or its database is no secret. */
const passwordsOf = (url: string): readonly string[] => {
  const [, user = '', password = '', rest = ''] = /^[^:]+:\/\/([^:/@]*):(.*)@([^@]*)$/s.exec(url) ?? []
  if (password === '' || password === user || rest.split(/[/?]/)[1] === password) return []
  return [...new Set([password, decoded(password)])]
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The forms a secret takes in texts: plain, escaped in JSON once and twice, and percent-encoded as in a URL. */
const formsOf = (secret: string): readonly string[] => {
  const escaped = JSON.stringify(secret).slice(1, -1)
  return [secret, escaped, JSON.stringify(escaped).slice(1, -1), encodeURIComponent(secret)]
}

const longestFirst = (values: Iterable<string>): readonly string[] =>
  [...new Set(values)].toSorted((a, b) => b.length - a.length)

/** Makes a function that takes out the given values too, if they are not too short, besides all that `redact` does. */
export const makeRedact = (secrets: readonly string[]): Redact => {
  const own = longestFirst(secrets.filter(({ length }) => length >= SHORTEST).flatMap(formsOf))
  return text => redact(without(text, own))
}

/**
 * Takes out every secret that the process knows, and what has the shape of one. The one way for a text to a log, a
 * person, a trace or the store.
 */
export const redact: Redact = text =>
  shapes.reduce((rest, [shape, mask]) => rest.replace(shape, mask), without(text, inOrder))

const without = (text: string, values: readonly string[]): string =>
  values.reduce((rest, value) => rest.replaceAll(value, MASK), text)

/**
 * An error with the same name, code, message and stack, redacted, and nothing else: clients of other services hang
 * requests with their headers on errors.
 */
export const redactError = (error: unknown): Error => {
  const { name, message, stack, code } = (error ?? {}) as Partial<Error & { code: unknown }>
  const safe = new Error(redact(typeof message === 'string' ? message : String(error)))
  if (typeof name === 'string') safe.name = name
  safe.stack = redact(typeof stack === 'string' ? stack : '')
  return typeof code === 'string' ? Object.assign(safe, { code: redact(code) }) : safe
}

const SECRET_NAMES = '[\\w.-]*(?:password|passwd|secret|api[_-]?key|authorization|cookie|token)'

/** What secrets look like that nobody told us of, with what stands in their place. */
const shapes: readonly (readonly [RegExp, string])[] = [
  // `user:password@` in a URL; `PASSWORD` stands in our own examples. A password may have any character but its end.
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@"\\]*:)(?!PASSWORD@)[^\s/"\\]*@/gi, `$1${MASK}@`],
  // In a query string, or in a connection string of key=value.
  [/\b(password|passwd|pwd|sslpassword|api[_-]?key|client_secret|access_token)=[^\s&"'\\]+/gi, `$1=${MASK}`],
  // Tokens of Slack, OpenAI and those who follow it (also with stars, as endpoints quote them), Google, Groq. Words have
  // no digits: “basic questions” and “sk-columns” are none.
  [/\b(xox[a-z](?:\.xox[a-z])?-|xapp-|(?:sk|rk|pk)-(?=[\w*.-]*[\d*]))[\w*.-]{6,}/gi, `$1${MASK}`],
  // Anyone who has the address of a webhook can post with it.
  [/(\bhooks\.slack\.com\/[a-z]+\/)[\w/-]+/gi, `$1${MASK}`],
  [/\b(AIza|gsk_|hf_)[\w-]{20,}/g, `$1${MASK}`],
  [/\b(Bearer|Basic)(\s+)(?=[\w.~+/*=-]*[\d*=])(?!realm=)[\w.~+/*-]{6,}=*/gi, `$1$2${MASK}`],
  // Fields whose name marks a secret: in JSON, in JSON within a string, and as a header.
  [new RegExp(`("${SECRET_NAMES}"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, 'gi'), `$1"${MASK}"`],
  [new RegExp(`(\\\\+"${SECRET_NAMES}\\\\+"\\s*:\\s*)(\\\\+)".*?(?<!\\\\)\\2"`, 'gi'), `$1$2"${MASK}$2"`],
  [/^((?:set-)?cookie|authorization|x-api-key)(:\s*)\S.*$/gim, `$1$2${MASK}`],
]
