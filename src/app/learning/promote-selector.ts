import { type SelectorState, type SelectorVersion, shippedVersion } from '../../core/selector-version.ts'
import type { InTransaction, Tx } from '../../core/tx.ts'

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
