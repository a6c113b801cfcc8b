import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeAnswerReuse } from '../../answering/reuse-answer.ts'
import type { Config } from '../../config/config.ts'
import type { AccessControl } from '../../domain/access.ts'
import type { AnswerCache, AnswerReuse } from '../../domain/answer-cache.ts'
import type { LocatedQuestion } from '../../domain/message.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import { once } from '../../lib/once.ts'
import { projectFolder } from '../../lib/project.ts'
import type { Repositories } from '../../store/repositories/repositories.ts'

const MINUTE_MS = 60_000

/** Wires answers that are shown again; null where none is to be. */
export const makeConfiguredAnswerReuse = (
  config: Config,
  repositories: Repositories,
  deps: {
    readonly cache: AnswerCache
    readonly access: Pick<AccessControl, 'rightsFingerprint'>
    readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
    readonly now: () => Date
    readonly log: Log
  },
): AnswerReuse | null => {
  const { cacheMinutes } = config.answer
  if (cacheMinutes === 0) return null
  const { answers, questionContexts: briefs, cachedAnswers, candidates, traces } = repositories
  const { cache, access, findPlaced, now, log } = deps
  const fingerprint = once(async () => `${fingerprintSettings(config)} ${await fingerprintCode()}`)
  // Now, while the files are those that this process has loaded. What cannot be read is tried again by a question.
  fingerprint().catch(() => {})
  return makeAnswerReuse({
    ...{ cache, findPlaced, now, log },
    forMs: cacheMinutes * MINUTE_MS,
    fingerprint,
    rightsFingerprint: access.rightsFingerprint,
    canBeReused: questionId => cachedAnswers.mayBeShownAgain(questionId),
    findAnswer: questionId => answers.find(questionId),
    listCandidates: questionId => candidates.list(questionId),
    findContext: questionId => briefs.find(questionId),
    findTrace: questionId => traces.find(questionId, now()),
    copyResult: async (from, questionId) => {
      const to = randomUUID()
      return (await cachedAnswers.copyResult({ from, to, questionId }, now())) ? to : null
    },
  })
}

/**
 * Makes forgetting an answer that somebody found wrong, changed or took back, also where it was shown again. It is not
 * waited for: whether an answer may be shown again is read from the store too.
 */
export const makeInvalidateAnswer =
  (
    { cachedAnswers }: Pick<Repositories, 'cachedAnswers'>,
    { cache, log }: { readonly cache: Pick<AnswerCache, 'forget'>; readonly log: Log },
  ): ((questionId: string) => void) =>
  questionId => {
    void (async () => {
      await cache.forget((await cachedAnswers.sourceOf(questionId)) ?? questionId)
    })().catch((error: unknown) =>
      log.warn({ error, questionId }, 'could not remove an answer from the cache'),
    )
  }

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

/** The parts of this project that answers come of: code, prompts and trained models. */
const answeringFolders = ['graphs', 'prompts', 'src', 'weights'].map(folder => join(projectFolder, folder))

/**
 * One word for the version of Querent that runs: every file of it. A number somewhere would be as good as whoever raises
 * it, and a prompt is changed without one. Rejects where a file cannot be read.
 */
export const fingerprintCode = async (folders: readonly string[] = answeringFolders): Promise<string> => {
  const hash = createHash('sha256')
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
    for (const path of paths.sort()) {
      const text = await readFile(path)
      // With its name and its length, so that what moves from one file into the next is seen.
      hash.update(JSON.stringify([path.slice(folder.length), text.length])).update(text)
    }
  }
  return hash.digest('base64url')
}
