import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { answeringFolders } from '../lib/project.ts'
import type { Config } from './config.ts'

/**
 * Settings that change no answer. The database of a channel and the rights of the person are part of the cache's key, and
 * knowledge is part of the schema's version.
 */
const ignoredSettings: ReadonlySet<string> = new Set<keyof Config>([
  ...([
    'file',
    'home',
    'knowledgeFolder',
    'semanticFolder',
    'workingFolder',
    'logLevel',
    'store',
    'slack',
  ] as const),
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
    'mcp',
  ] as const),
])

/**
 * The same within other settings: time limits, prices and keys. Full paths, with `*` for any name or number: a database
 * may be called `prices`.
 */
const ignoredNestedSettings: ReadonlySet<string> = new Set([
  ...(['answer.cacheMinutes', 'limits.timeoutMs', 'embedder.timeoutMs', 'openai.apiKey'] as const),
  ...(['models.prices', 'models.breaker', 'models.endpoints.*.apiKey'] as const),
  ...(['models.capabilities.*.parallel', 'models.capabilities.*.cacheControl'] as const),
  ...(['models.roles.*.timeoutMs', 'models.roles.*.budgetShare'] as const),
  ...(['models.drafters.*.timeoutMs', 'models.drafters.*.budgetShare'] as const),
])

/**
 * A hash of all settings that an answer depends on. A setting that is not listed above counts, so that a new one is not
 * forgotten. The order of settings in the file does not matter.
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

/** A new password opens the same database; another user may see other rows. */
const withoutPassword = (url: string): string => url.replace(/(:\/\/[^:@/]*):[^@/]*@/, '$1@')

/** The parts of a value that count, with sorted keys. Lists keep their order, which matters for turns and fallbacks. */
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

/**
 * A hash of the version that runs, over every file. A version number could be forgotten, and prompts change without one.
 * Rejects if a file cannot be read.
 */
export const fingerprintCode = async (folders: readonly string[] = answeringFolders): Promise<string> => {
  const hash = createHash('sha256')
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
    for (const path of paths.sort()) {
      const text = await readFile(path)
      // With its name and length, so that text that moves from one file to the next changes the hash.
      hash.update(JSON.stringify([path.slice(folder.length), text.length])).update(text)
    }
  }
  return hash.digest('base64url')
}
