import { touchedTables } from '../../../graphs/answer/verified/touched-tables.ts'
import { makeSettleVerified } from '../../app/verified/settle-verified.ts'
import { makeTryVerified } from '../../app/verified/try-verified.ts'
import type { Resources } from '../../compose.ts'
import type { SettleVerified } from '../../core/verified-recheck.ts'
import { resultKey } from '../../selection/result-key.ts'
import type { Repositories } from '../../store/repositories/make-repositories.ts'
import { contextOfUpkeep } from '../audit/context-of-upkeep.ts'

/** Wires how stale verified queries are settled, for Slack's buttons and for the command line. */
export const settleVerifiedIn = (
  {
    config,
    openDatabase,
    readSchema,
    inRunContext,
  }: Pick<Resources, 'config' | 'openDatabase' | 'readSchema' | 'inRunContext'>,
  { verifiedQueries }: Pick<Repositories, 'verifiedQueries'>,
  now: () => Date,
): SettleVerified => {
  const settle = makeSettleVerified({
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
  return given => inRunContext(contextOfUpkeep('verified', given.by), () => settle(given))
}
