import type { Log } from '../../core/log.ts'
import type { Champion, LoadChampion, SelectorVersion } from '../../core/selector-version.ts'

/** How long a champion is used before it is looked whether there is another: a promotion reaches every process by then. */
const CACHE_MS = 30_000

/**
 * Makes the port over the store, read at most every half minute. Where the store is away the champion that was last
 * read stays in use, at first the shipped one; where this version of Querent cannot read the champion it is the shipped
 * one too. The first such trouble is logged.
 */
export const makeLoadChampion = (deps: {
  readonly find: () => Promise<Pick<SelectorVersion, 'version' | 'model'> | null>
  /** Throws on a model that it cannot read. */
  readonly readModel: (model: unknown) => Omit<Champion, 'version'>
  readonly shipped: Champion
  readonly now: () => Date
  readonly log: Log
}): LoadChampion => {
  let current = deps.shipped
  let until = Number.NEGATIVE_INFINITY
  let reading: Promise<Champion> | null = null
  let isTold = false

  const tell = (details: Readonly<Record<string, unknown>>, message: string): void => {
    if (!isTold) deps.log.warn(details, message)
    isTold = true
  }
  const toChampion = ({ version, model }: Pick<SelectorVersion, 'version' | 'model'>): Champion => {
    if (version === current.version) return current
    try {
      return { version, ...deps.readModel(model) }
    } catch (error) {
      tell(
        { error, version },
        'the selector in use cannot be read by this version; ranking by the shipped one',
      )
      return deps.shipped
    }
  }
  const read = async (): Promise<Champion> => {
    try {
      const found = await deps.find()
      current = found === null ? deps.shipped : toChampion(found)
    } catch (error) {
      tell(
        { error, version: current.version },
        'the selector in use could not be looked up; ranking on by the last one',
      )
    }
    until = deps.now().getTime() + CACHE_MS
    return current
  }
  return async () => {
    if (deps.now().getTime() < until) return current
    reading ??= read().finally(() => {
      reading = null
    })
    return reading
  }
}
