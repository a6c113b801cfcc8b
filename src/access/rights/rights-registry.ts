import type { DataRights } from '../../domain/access/data-rights.ts'
import { QuerentError } from '../../domain/errors.ts'

/** Keys of so many different rights are remembered; more are looked up again when their people ask. */
const mostRights = 10_000

/** The rights behind the keys in references to databases. In this process alone: rights are decided anew in each. */
export interface RightsRegistry {
  /** Remembers rights, and returns their key. */
  readonly add: (rights: DataRights) => string
  /** The rights of a key. Throws `QuerentError` if nobody was given them in this process. */
  readonly find: (key: string) => DataRights
}

/** Makes an empty registry. */
export const makeRightsRegistry = (): RightsRegistry => {
  const known = new Map<string, DataRights>()
  return {
    add: rights => {
      known.delete(rights.key)
      known.set(rights.key, rights)
      const [oldest] = known.keys()
      if (known.size > mostRights && oldest !== undefined) known.delete(oldest)
      return rights.key
    },
    find: key => {
      const rights = known.get(key)
      if (rights === undefined)
        throw new QuerentError(
          'unknown-rights',
          'I no longer know what the person who asked this may see. Ask the question again.',
        )
      return rights
    },
  }
}
