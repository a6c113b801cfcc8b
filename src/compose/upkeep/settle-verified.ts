import { touchedTables } from '../../../graphs/answer/verified/touched-tables.ts'
import { makeResolveStaleVerified } from '../../app/verified/settle-verified.ts'
import { makeTryVerified } from '../../app/verified/try-verified.ts'
import type { Resources } from '../../compose.ts'
import type { ResolveStaleVerified } from '../../core/verified-recheck.ts'
import { resultKey } from '../../selection/result-key.ts'
import type { Repositories } from '../../store/repositories/make-repositories.ts'
import { maintenanceRunContext } from '../audit/context-of-upkeep.ts'

/** Wires how stale verified queries are settled, for Slack's buttons and for the command line. */
export const makeStoredSettleVerified = (
  {
    config,
    openDatabase,
    readSchema,
    inRunContext,
  }: Pick<Resources, 'config' | 'openDatabase' | 'readSchema' | 'inRunContext'>,
  { verifiedQueries }: Pick<Repositories, 'verifiedQueries'>,
  now: () => Date,
): ResolveStaleVerified => {
  const settle = makeResolveStaleVerified({
    find: id => verifiedQueries.find(id),
    openDatabase,
    readSchema,
    tryVerified: makeTryVerified({ resultKey }),
    touchedTables,
    confirm: (stale, given) => verifiedQueries.confirm(stale, given),
    dismiss: (stale, decision) => verifiedQueries.dismiss(stale, decision),
    everyHours: config.verified.recheckHours,
    now,
  })
  return given => inRunContext(maintenanceRunContext('verified', given.by), () => settle(given))
}
