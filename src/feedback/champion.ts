import type { Log } from '../domain/operations/telemetry.ts'
import type { InTransaction, Tx } from '../domain/operations/transaction.ts'
import {
  type Champion,
  type LoadChampion,
  type SelectorState,
  type SelectorVersion,
  shippedVersion,
} from '../domain/ranking.ts'

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

/** How a change of the selector in use went. `not-before`: only a former champion can be gone back to. */
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

/** Makes the use case: a person puts a trained selector in use, whatever its report says. The one before is retired. */
export const makePromoteSelector =
  ({ inTransaction, ...deps }: PromoteDeps): Promote =>
  (version, by) =>
    inTransaction(tx => putInUse({ ...deps, version, by, after: 'retired' }, tx))

/**
 * Makes the use case: a person goes back to a selector that was in use before, or to the shipped one. The one that is
 * rolled back counts as rejected.
 */
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
