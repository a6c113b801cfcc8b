import { createHash } from 'node:crypto'
import type { Config } from '../../config/config.ts'

/**
 * Settings that change who may ask, where things lie, when something is done and how long it is kept, and no answer. Which
 * database a place asks and who may see what are parts of the key by themselves; knowledge is part of the schema's version.
 */
const ofNoAccount: ReadonlySet<string> = new Set<keyof Config>([
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

/** Within the others: when an answer comes, what it costs, and with which key. */
const ofNoAccountWithin: ReadonlySet<string> = new Set([
  ...['timeoutMs', 'budgetShare', 'prices', 'breaker', 'cacheMinutes', 'apiKey'],
])

/**
 * One word for all settings that an answer depends on: which model does which job and how it is called, where models
 * are, thresholds, drafting, linking, caps on rows, databases and their scopes. A setting that is not named above counts,
 * so that a new one is not forgotten. Processes with the same settings have the same word, in whichever order a file has
 * them.
 */
export const fingerprintSettings = (config: Config): string => {
  const counted = Object.entries(config).filter(([name]) => !ofNoAccount.has(name))
  const databases = Object.entries(config.databases).map(([name, { url, ...settings }]) => [
    name,
    { ...settings, url: withoutPassword(url.reveal()) },
  ])
  const told = { ...Object.fromEntries(counted), databases: Object.fromEntries(databases) }
  return createHash('sha256').update(JSON.stringify(told, inOrder)).digest('base64url')
}

/** A password that is exchanged opens the same database; another user may see other rows. */
const withoutPassword = (url: string): string => url.replace(/(:\/\/[^:@/]*):[^@/]*@/, '$1@')

/** What counts of a value, by the names of its parts. Lists stay in their order, which is that of turns and fallbacks. */
const inOrder = (name: string, value: unknown): unknown => {
  if (ofNoAccountWithin.has(name)) return undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
