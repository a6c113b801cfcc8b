import { classAccess, hasGroupsFor } from '../../access/rights/resolve-rights.ts'
import type { Resources } from '../../bootstrap/resources.ts'
import type { Config } from '../../config/config.ts'
import { formatDatabaseRef } from '../../domain/database.ts'
import { QuerentError } from '../../domain/errors.ts'
import { rightsFindings } from '../copy/operations.ts'
import type { Check } from './checks.ts'

/**
 * Opens a database under the rights of each group that names it, so that a rule that matches nothing is found before
 * someone asks. Rules that depend on the person are checked when that person asks.
 */
export const checkRights = async (
  name: string,
  {
    config,
    resources,
    signal,
  }: { readonly config: Config; readonly resources: Resources; readonly signal: AbortSignal },
): Promise<Omit<Check, 'part'>> => {
  const { rights } = config
  if (!hasGroupsFor(rights, name)) return { status: 'not-set', finding: rightsFindings.sameForAll }
  const checked: string[] = []
  const personal: string[] = []
  for (const group of rights.groups) {
    const access = classAccess(rights, group.name, name)
    if (access?.kind === 'closed') personal.push(group.name)
    if (access?.kind === 'open') checked.push(group.name)
    if (access?.kind !== 'restricted') continue
    const key = resources.rightsRegistry.add(access.rights)
    try {
      await resources.openDatabase(formatDatabaseRef({ database: name, glossary: null, rights: key }), {
        signal,
      })
    } catch (error) {
      if (!(error instanceof QuerentError)) throw error
      throw new QuerentError(error.code, rightsFindings.broken(group.name, error.message), { cause: error })
    }
    checked.push(group.name)
  }
  return { status: 'ok', finding: rightsFindings.checked(checked, personal) }
}
