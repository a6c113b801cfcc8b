import type { Config } from './config.ts'
import { makeSecret, type Secret } from './secret.ts'

/** Every secret of a configuration, for the log to blank: whole values, and the passwords inside URLs. */
export const listSecrets = (config: Config): string[] => {
  const held: (Secret | null)[] = [
    config.store.databaseUrl,
    config.store.redisUrl,
    config.openai.apiKey,
    config.telemetry.collector?.headers ?? null,
    config.slack.botToken,
    config.slack.signingSecret,
    config.slack.appToken,
    config.slack.clientSecret,
    config.slack.stateSecret,
    ...keysIn(config.slack.encryptionKeys),
    ...Object.values(config.models?.endpoints ?? {}).map(endpoint => endpoint.apiKey),
    ...Object.values(config.databases).map(database => database.url),
  ]
  return held.flatMap(secret => {
    const value = secret?.reveal() ?? ''
    if (!/^[a-z]+:\/\//i.test(value)) return value === '' || /^(sqlite|duckdb):/.test(value) ? [] : [value]
    const password = passwordIn(value)
    return password === '' ? [] : [password]
  })
}

/** Each key without its name, and the whole. */
const keysIn = (keys: Secret | null): Secret[] =>
  keys === null
    ? []
    : [
        keys,
        ...keys
          .reveal()
          .split(',')
          .map(one => makeSecret(one.slice(one.indexOf(':') + 1))),
      ]

const passwordIn = (url: string): string => {
  try {
    return decodeURIComponent(new URL(url).password)
  } catch {
    return /:\/\/[^:/@]*:(.*)@/s.exec(url)?.[1] ?? ''
  }
}
