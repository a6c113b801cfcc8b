const MASK = '[redacted]'

/** Fields whose name says that their value is a secret, at any depth. */
const SECRET_FIELD =
  /("[\w.-]*(?:password|passwd|secret|api[_-]?key|authorization|cookie|token)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi

/** The same in JSON that stands in a string: quotes are escaped there, and those inside the value once more. */
const NESTED_SECRET_FIELD =
  /(\\+"[\w.-]*(?:password|passwd|secret|api[_-]?key|authorization|cookie|token)\\+"\s*:\s*)(\\+)".*?(?<!\\)\2"/gi

/** `user:password@` of a URL. A password may hold any character but those that end it. */
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@"\\]*:)[^\s/"\\]*@/gi

/** Passwords in a query string or in a key=value connection string. */
const ASSIGNED_PASSWORD = /\b(password|pwd|sslpassword)=[^\s&"'\\]+/gi

/** Secrets that are known by their look: Slack's, OpenAI's, and whatever follows `Bearer`. */
const TOKEN = /\b(xox[a-z]-|xapp-|sk-)[\w-]{6,}|\b(Bearer\s+)[\w.~+/-]{6,}=*/gi

/** Shorter ones would blank out ordinary words. */
const SHORTEST_SECRET = 6

/** Makes a function that blanks secrets in one line of JSON: those given, and those known by name or by look. */
export const makeRedactSecrets = (secrets: readonly string[] = []): ((line: string) => string) => {
  const written = [...new Set(secrets.filter(secret => secret.length >= SHORTEST_SECRET).flatMap(asWritten))]
  written.sort((a, b) => b.length - a.length)
  return line => {
    for (const secret of written) line = line.replaceAll(secret, MASK)
    return line
      .replace(URL_PASSWORD, `$1${MASK}@`)
      .replace(ASSIGNED_PASSWORD, `$1=${MASK}`)
      .replace(TOKEN, (_, prefix?: string, bearer?: string) => `${prefix ?? bearer ?? ''}${MASK}`)
      .replace(SECRET_FIELD, `$1"${MASK}"`)
      .replace(NESTED_SECRET_FIELD, `$1$2"${MASK}$2"`)
  }
}

/** A secret as it may stand in JSON: plain, escaped, and percent-encoded as in a URL. */
const asWritten = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
]
