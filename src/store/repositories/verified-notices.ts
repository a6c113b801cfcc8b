import { z } from 'zod'
import type { Tx } from '../../core/tx.ts'
import type { NoticeLog, StalenessKey } from '../../core/verified-recheck.ts'
import { cleanText } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const TABLE = 'querent.verified_notices'

const Row = z.object({ channel: z.string(), ts: z.string().nullable() })

const keyOf = ({ queryId, since }: StalenessKey) => ({ query_id: queryId, since })

/** Makes the queries over what owners of stale queries were asked. */
export const makeVerifiedNotices = (within: Within) =>
  ({
    claim: async (notice, tx?: Tx) => {
      const claimed = await within(tx)(TABLE)
        .insert({ ...keyOf(notice), channel: notice.channel, claimed_at: notice.claimedAt })
        .onConflict(['query_id', 'since'])
        .ignore()
        .returning('query_id')
      return claimed.length === 1
    },

    find: async (key, tx?: Tx) => {
      const row: unknown = await within(tx)(TABLE).where(keyOf(key)).first()
      return row === undefined ? null : Row.parse(row)
    },

    markPosted: async (key, { ts, at }, tx?: Tx) => {
      await within(tx)(TABLE)
        .where(keyOf(key))
        .update({ ts: cleanText(ts), posted_at: at })
    },
  }) satisfies NoticeLog
