import type { InTransaction, Tx } from '../domain/operations/jobs.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import {
  type Champion,
  type LoadChampion,
  type SelectorState,
  type SelectorVersion,
  shippedVersion,
} from '../domain/selection/ranking.ts'

/** How long a champion is cached; every process sees a promotion within this time. */
const CACHE_MS = 30_000

/**
 * Reads the champion from the store at most every half minute. If the store is unavailable, the last one stays in use,
 * at first the shipped one; if this version cannot read the champion, the shipped one is used. Only the first failure
 * is logged.
 */
export const makeLoadChampion = (deps: {
  readonly find: () => Promise<Pick<SelectorVersion, 'version' | 'model'> | null>
  /** Throws if it cannot read the model. */
  readonly readModel: (model: unknown) => Omit<Champion, 'version'>
  readonly shipped: Champion
  readonly now: () => Date
  readonly log: Log
}): LoadChampion => {
  let current = deps.shipped
  let until = Number.NEGATIVE_INFINITY
  let reading: Promise<Champion> | null = null
  let isLogged = false

  const logOnce = (details: Readonly<Record<string, unknown>>, message: string): void => {
    if (!isLogged) deps.log.warn(details, message)
    isLogged = true
  }
  const toChampion = ({ version, model }: Pick<SelectorVersion, 'version' | 'model'>): Champion => {
    if (version === current.version) return current
    try {
      return { version, ...deps.readModel(model) }
    } catch (error) {
      logOnce(
        { error, version },
        'this version cannot read the selector in use; ranking with the shipped one',
      )
      return deps.shipped
    }
  }
  const read = async (): Promise<Champion> => {
    try {
      const found = await deps.find()
      current = found === null ? deps.shipped : toChampion(found)
    } catch (error) {
      logOnce(
        { error, version: current.version },
        'could not look up the selector in use; ranking with the last one',
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

/** The result of changing the selector in use. `not-before`: only a former champion can be restored. */
export type PromotionResult =
  | { readonly status: 'in-use'; readonly version: string; readonly before: string }
  | { readonly status: 'unknown' }
  | { readonly status: 'not-before'; readonly state: SelectorState }

interface PromoteDeps {
  readonly find: (version: string, tx: Tx) => Promise<Pick<SelectorVersion, 'version' | 'state'> | null>
  readonly findChampion: (tx: Tx) => Promise<Pick<SelectorVersion, 'version'> | null>
  readonly setState: (
    version: string,
    state: SelectorState,
    decision: { readonly by: string; readonly at: Date },
    tx: Tx,
  ) => Promise<unknown>
  readonly inTransaction: InTransaction
  readonly now: () => Date
}

type Promote = (version: string, by: string) => Promise<PromotionResult>

/** A person promotes a trained selector, whatever its report says. The previous one is retired. */
export const makePromoteSelector =
  ({ inTransaction, ...deps }: PromoteDeps): Promote =>
  (version, by) =>
    inTransaction(tx => putInUse({ ...deps, version, by, after: 'retired' }, tx))

/** A person rolls back to an earlier selector or the shipped one. The one that is rolled back counts as rejected. */
export const makeRollBackSelector =
  ({ inTransaction, ...deps }: PromoteDeps): Promote =>
  (version, by) =>
    inTransaction(async tx => {
      const wanted = version === shippedVersion ? null : await deps.find(version, tx)
      if (wanted?.state === 'rejected') return { status: 'not-before', state: wanted.state }
      return putInUse({ ...deps, version, by, after: 'rejected' }, tx)
    })

const putInUse = async (
  {
    version,
    by,
    after,
    ...deps
  }: Omit<PromoteDeps, 'inTransaction'> & {
    readonly version: string
    readonly by: string
    readonly after: SelectorState
  },
  tx: Tx,
): Promise<PromotionResult> => {
  if (version !== shippedVersion && (await deps.find(version, tx)) === null) return { status: 'unknown' }
  const before = (await deps.findChampion(tx))?.version ?? shippedVersion
  if (before === version) return { status: 'in-use', version, before }
  const decision = { by, at: deps.now() }
  if (before !== shippedVersion) await deps.setState(before, after, decision, tx)
  if (version !== shippedVersion) await deps.setState(version, 'champion', decision, tx)
  return { status: 'in-use', version, before }
}
