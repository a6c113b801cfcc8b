import { secretsIn } from '../lib/redact.ts'
import { assembleConfig, isFileAddress } from './assemble-config.ts'
import { checkConsistency } from './check-consistency.ts'
import type { Config, Secret } from './config.ts'
import { type Environment, type EnvironmentSource, readEnvironment } from './env.ts'
import { badConfiguration, describeIssue, type Problem } from './problems.ts'
import { type ConfigFile, configSchema } from './schema/schema.ts'
import { settingAt } from './settings.ts'
import { interpolate, pathKey, readSettingsFile, type SettingsFile } from './settings-file.ts'

/**
 * Reads environment, `.env` and querent.yml into one frozen `Config`. Throws `QuerentError('bad-configuration')`
 * whose message lists every problem with its place, and contains no secret.
 */
export const loadConfig = (source: EnvironmentSource = {}): Config => {
  const environment = readEnvironment(source)
  const file = readSettingsFile(environment)
  const checked = checkSettings(file, environment)
  const problems = [...environment.problems, ...inOrderOfLines([...file.problems, ...checked.problems])]
  if (problems.length > 0 || checked.settings === null) throw badConfiguration(problems)
  return deepFreeze(assembleConfig(environment, file.path, checked.settings))
}

const inOrderOfLines = (problems: readonly Problem[]): Problem[] =>
  problems.toSorted((a, b) => a.where.localeCompare(b.where, 'en', { numeric: true }))

const checkSettings = (
  file: SettingsFile,
  environment: Environment,
): { settings: ConfigFile | null; problems: Problem[] } => {
  const { data, filled, unfilled } = interpolate(withoutEmptyGroups(file.data), environment.lookUp)
  const parsed = configSchema.safeParse(data)
  const unfilledPaths = new Set(unfilled.map(({ path }) => pathKey(path)))
  const isSecret = (path: readonly PropertyKey[]) => filled.has(pathKey(path))
  const issues = (parsed.error?.issues ?? []).filter(issue => !unfilledPaths.has(pathKey(issue.path)))
  return {
    settings: parsed.data ?? null,
    problems: [
      ...unfilled.map(({ path, message }) => ({ where: file.whereIs(path, 'value'), message })),
      ...issues.flatMap(issue => describeIssue(issue, { data, whereIs: file.whereIs, isSecret })),
      ...checkConsistency(data, environment, file.whereIs),
    ],
  }
}

/** A group whose settings are all commented out is null in YAML, and counts as left out. */
const withoutEmptyGroups = (data: unknown, path: readonly PropertyKey[] = []): unknown => {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return data
  const entries = Object.entries(data)
    .filter(([name, value]) => value !== null || settingAt(path)?.properties?.[name]?.type !== 'object')
    .map(([name, value]) => [name, withoutEmptyGroups(value, [...path, name])])
  return Object.fromEntries(entries)
}

/** Freezes plain objects and arrays all the way down, and returns the same value. */
const deepFreeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const part of Object.values(value)) deepFreeze(part)
  return value
}

/** Every secret of a configuration, for the log to mask: whole values, and the passwords of URLs. */
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
    config.slack.encryptionKeys,
    ...Object.values(config.models?.endpoints ?? {}).map(endpoint => endpoint.apiKey),
    ...Object.values(config.databases).flatMap(({ url, credentials }) => [
      url,
      ...Object.values(credentials),
    ]),
    ...Object.values(config.mcp.tokens).map(({ token }) => token),
  ]
  return held.flatMap(secret => {
    const value = secret?.reveal() ?? ''
    return isFileAddress(value) ? [] : secretsIn(value)
  })
}
