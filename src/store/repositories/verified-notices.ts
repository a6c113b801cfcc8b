import type { OwnerNoticeLog, StalenessKey } from '../../core/verified-recheck.ts'
import type { Within } from '../transactions.ts'
import { makePostLog } from './post-log.ts'

/** Makes the queries over what owners of stale queries were asked. */
export const makeVerifiedNotices = (within: Within) =>
  makePostLog<StalenessKey>(within, {
    table: 'querent.verified_notices',
    keyOf: ({ queryId, since }) => ({ query_id: queryId, since }),
  }) satisfies OwnerNoticeLog
