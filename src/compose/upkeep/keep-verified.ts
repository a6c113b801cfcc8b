import { touchedTables } from '../../../graphs/answer/verified/touched-tables.ts'
import { makeAskVerifiedOwner } from '../../app/verified/ask-verified-owner.ts'
import { makeRecheckVerified } from '../../app/verified/recheck-verified.ts'
import { makeSendDueRechecks } from '../../app/verified/send-due-rechecks.ts'
import { makeTryVerified } from '../../app/verified/try-verified.ts'
import type { Resources } from '../../compose.ts'
import type { AskOwner } from '../../core/verified-recheck.ts'
import type { Jobs } from '../../jobs/make-jobs.ts'
import { resultKey } from '../../selection/result-key.ts'
import { maintenanceRunContext } from '../audit/context-of-upkeep.ts'
import type { OwnStore } from '../store/open-own-store.ts'

/** How often a process looks which verified queries are due: by an index, so it costs next to nothing. */
const LOOK_EVERY_MS = 30_000

/**
 * Keeps verified queries true: takes the jobs that run them again and ask their owners, and looks now and then which are
 * due. Resolves with how to stop looking. With `recheckHours` 0 nothing is run again; owners are asked all the same.
 */
export const startVerifiedQueryJobs = async (
  {
    config,
    openDatabase,
    readSchema,
    inRunContext,
    log,
  }: Pick<Resources, 'config' | 'openDatabase' | 'readSchema' | 'inRunContext' | 'log'>,
  { store }: OwnStore,
  deps: { readonly jobs: Jobs; readonly askOwner: AskOwner; readonly now: () => Date },
): Promise<() => void> => {
  const { jobs, askOwner, now } = deps
  const { verifiedQueries } = store.repositories
  const { recheckHours } = config.verified
  const find = (id: string) => verifiedQueries.find(id)
  const recheck = makeRecheckVerified({
    find,
    openDatabase,
    readSchema,
    tryVerified: makeTryVerified({ resultKey }),
    touchedTables,
    recordRun: (known, given, tx) => verifiedQueries.recordRun(known, given, tx),
    inTransaction: store.inTransaction,
    sendJob: (queue, data, given) => jobs.send(queue, data, given),
    everyHours: recheckHours,
    now,
    log,
  })
  const ask = makeAskVerifiedOwner({ find, askOwner })
  const sendDue = makeSendDueRechecks({
    due: (at, most) => verifiedQueries.due(at, most),
    send: data => jobs.send('recheck-verified', data),
    now,
  })
  await jobs.work('ask-verified-owner', data => ask(data), { concurrency: 1 })
  if (recheckHours === 0) return () => {}
  // One at a time: running them again must not slow down what people wait for.
  await jobs.work(
    'recheck-verified',
    ({ queryId }, { signal }) =>
      inRunContext(maintenanceRunContext('verified', null), () => recheck(queryId, { signal })),
    { concurrency: 1 },
  )
  const look = (): void => {
    sendDue().catch((error: unknown) => log.warn({ error }, 'verified queries could not be looked through'))
  }
  look()
  const timer = setInterval(look, LOOK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
