import { assembleConfig } from './assemble-config.ts'
import { checkConsistency } from './check-agreement.ts'
import type { Config } from './config.ts'
import { deepFreeze } from './deep-freeze.ts'
import type { Environment, EnvironmentSource } from './env.ts'
import { readEnvironment } from './env.ts'
import type { SettingsFile } from './file.ts'
import { readSettingsFile } from './file.ts'
import { interpolate, pathKey } from './interpolate.ts'
import type { Problem } from './problem.ts'
import { badConfiguration } from './problem.ts'
import { describeIssue } from './say-issue.ts'
import type { ConfigFile } from './schema.ts'
import { configSchema } from './schema.ts'
import { settingAt } from './settings.ts'

/**
 * Reads environment, `.env` and querent.yml into one frozen `Config`. Throws `QuerentError('bad-configuration')`
 * whose message lists every problem with its place; no secret is in it.
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

/** A group whose settings are all commented out reads as null in YAML, and means that nothing is set there. */
const withoutEmptyGroups = (data: unknown, path: readonly PropertyKey[] = []): unknown => {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return data
  const entries = Object.entries(data)
    .filter(([name, value]) => value !== null || settingAt(path)?.properties?.[name]?.type !== 'object')
    .map(([name, value]) => [name, withoutEmptyGroups(value, [...path, name])])
  return Object.fromEntries(entries)
}
