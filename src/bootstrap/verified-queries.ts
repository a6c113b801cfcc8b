import { touchedTables } from '../../graphs/answer/verified/read-verified.ts'
import { maintenanceRunContext } from '../audit/run-contexts.ts'
import type { AskOwner, ResolveStaleVerified } from '../domain/verified-query.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { startPolling } from '../lib/poll.ts'
import { resultKey } from '../ranking/result-key.ts'
import type { Repositories } from '../store/repositories/repositories.ts'
import {
  makeRecheckVerified,
  makeSendDueRechecks,
  makeTryVerified,
} from '../verified-queries/recheck-verified.ts'
import { makeAskVerifiedOwner, makeResolveStaleVerified } from '../verified-queries/resolve-stale.ts'
import type { OwnStore } from './own-store.ts'
import type { Resources } from './resources.ts'

/** How often a process looks for verified queries that are due: it uses an index, so it costs almost nothing. */
const LOOK_EVERY_MS = 30_000

/**
 * Runs the jobs that recheck verified queries and ask their owners, and regularly looks for due ones. Resolves with a
 * function that stops looking. With `recheckHours` 0 nothing is rechecked; owners are still asked.
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
  // One at a time: rechecks must not slow down what people wait for.
  await jobs.work(
    'recheck-verified',
    ({ queryId }, { signal }) =>
      inRunContext(maintenanceRunContext('verified', null), () => recheck(queryId, { signal })),
    { concurrency: 1 },
  )
  return startPolling(sendDue, {
    everyMs: LOOK_EVERY_MS,
    onError: error => log.warn({ error }, 'could not look for verified queries to recheck'),
  })
}

/** Resolves stale verified queries, for Slack's buttons and the command line. */
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
