import { createHash } from 'node:crypto'
import type { Config } from '../../config/config.ts'

/**
 * Settings that change who may ask, where things lie, when something is done and how long it is kept, and no answer. Which
 * database a place asks and who may see what are parts of the key by themselves; knowledge is part of the schema's version.
 */
const ignoredSettings: ReadonlySet<string> = new Set<keyof Config>([
  ...(['file', 'home', 'knowledgeFolder', 'workingFolder', 'logLevel', 'store', 'slack'] as const),
  ...(['defaultDatabase', 'channels', 'otherChannels', 'directMessages', 'rateLimits', 'heavyRows'] as const),
  ...([
    'export',
    'index',
    'budget',
    'selection',
    'verified',
    'telemetry',
    'operations',
    'retention',
  ] as const),
])

/**
 * Within the others: when an answer comes, what it costs, and with which key. By the whole way to it, `*` for any name or
 * number: a database may be called `prices`.
 */
const ignoredNestedSettings: ReadonlySet<string> = new Set([
  ...(['answer.cacheMinutes', 'limits.timeoutMs', 'embedder.timeoutMs', 'openai.apiKey'] as const),
  ...(['models.prices', 'models.breaker', 'models.endpoints.*.apiKey'] as const),
  ...(['models.roles.*.timeoutMs', 'models.roles.*.budgetShare'] as const),
  ...(['models.drafters.*.timeoutMs', 'models.drafters.*.budgetShare'] as const),
])

/**
 * One word for all settings that an answer depends on: which model does which job and how it is called, where models
 * are, thresholds, drafting, linking, caps on rows, databases and their scopes. A setting that is not named above counts,
 * so that a new one is not forgotten. Processes with the same settings have the same word, in whichever order a file has
 * them.
 */
export const fingerprintSettings = (config: Config): string => {
  const counted = Object.entries(config).filter(([name]) => !ignoredSettings.has(name))
  const databases = Object.entries(config.databases).map(([name, { url, ...settings }]) => [
    name,
    { ...settings, url: withoutPassword(url.reveal()) },
  ])
  const told = { ...Object.fromEntries(counted), databases: Object.fromEntries(databases) }
  return createHash('sha256')
    .update(JSON.stringify(withoutIgnored(told, [])))
    .digest('base64url')
}

/** A password that is exchanged opens the same database; another user may see other rows. */
const withoutPassword = (url: string): string => url.replace(/(:\/\/[^:@/]*):[^@/]*@/, '$1@')

/** What counts of a value, by the names of its parts. Lists stay in their order, which is that of turns and fallbacks. */
const withoutIgnored = (value: unknown, way: readonly string[]): unknown => {
  if (isIgnored(way)) return undefined
  if (Array.isArray(value)) return value.map((part, at) => withoutIgnored(part, [...way, String(at)]))
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(parts.map(([name, part]) => [name, withoutIgnored(part, [...way, name])]))
}

const isIgnored = (way: readonly string[]): boolean =>
  ignoredNestedSettings.has(way.join('.')) ||
  ignoredNestedSettings.has(way.map((name, at) => (at === 2 ? '*' : name)).join('.'))
