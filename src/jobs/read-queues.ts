import { z } from 'zod'
import { type ExecuteSql, JOBS_SCHEMA } from './jobs-schema.ts'
import { queueNames } from './queues.ts'

/** How full a queue is, counted over all processes. */
export interface QueueStats {
  readonly queue: string
  /** Jobs that wait for a worker, those that are due later among them. */
  readonly waiting: number
  readonly active: number
  /** Jobs that failed for good and that nobody has decided on. */
  readonly dead: number
  /** How long the oldest job that is due has waited, in seconds; 0 where none waits. */
  readonly oldestSeconds: number
}

const StatsRow = z.object({
  queue: z.string(),
  waiting: z.int(),
  active: z.int(),
  dead: z.int(),
  oldest: z.number().nullable(),
})

/**
 * Jobs that are done are not read. A dead job lies in a queue of its own, with the one that it failed on as its source.
 */
const QUEUE_STATS = `
  select coalesce(case when source_name is not null and not name = any($1) then source_name end, name) as queue,
    count(*) filter (where name = any($1) and state in ('created', 'retry'))::int as waiting,
    count(*) filter (where state = 'active')::int as active,
    count(*) filter (where not name = any($1) and state in ('created', 'retry'))::int as dead,
    extract(epoch from now() - min(start_after)
      filter (where name = any($1) and state in ('created', 'retry') and start_after <= now()))::float8 as oldest
  from ${JOBS_SCHEMA}.job where state in ('created', 'retry', 'active') group by 1`

/** Makes the reading of all queues, empty ones too: an alert on a series that is not there never fires. */
export const makeReadQueueStats =
  (execute: ExecuteSql): (() => Promise<readonly QueueStats[]>) =>
  async () => {
    const { rows } = await execute(QUEUE_STATS, [queueNames])
    const found = new Map(rows.map(row => StatsRow.parse(row)).map(row => [row.queue, row]))
    return queueNames.map(queue => {
      const row = found.get(queue)
      return {
        queue,
        waiting: row?.waiting ?? 0,
        active: row?.active ?? 0,
        dead: row?.dead ?? 0,
        oldestSeconds: Math.max(0, row?.oldest ?? 0),
      }
    })
  }
