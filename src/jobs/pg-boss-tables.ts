import { z } from 'zod'
import { queueNames } from './queues.ts'

/** How full a queue is, over all processes. */
interface QueueStats {
  readonly queue: string
  /** Jobs waiting for a worker, including those due later. */
  readonly waiting: number
  readonly active: number
  /** Jobs that failed for good and that no admin has decided about. */
  readonly dead: number
  /** How long the oldest due job has waited, in seconds; 0 if none waits. */
  readonly oldestSeconds: number
}

const StatsRow = z.object({
  queue: z.string(),
  waiting: z.int(),
  active: z.int(),
  dead: z.int(),
  oldest: z.number().nullable(),
})

/** The schema of pg-boss's tables. pg-boss owns and migrates them; apart from it, only this folder reads them. */
export const JOBS_SCHEMA = 'querent_jobs'

/** Done jobs are not read. A dead job is in a queue of its own, with its original queue as source. */
const QUEUE_STATS = `
  select coalesce(case when source_name is not null and not name = any($1) then source_name end, name) as queue,
    count(*) filter (where name = any($1) and state in ('created', 'retry'))::int as waiting,
    count(*) filter (where state = 'active')::int as active,
    count(*) filter (where not name = any($1) and state in ('created', 'retry'))::int as dead,
    extract(epoch from now() - min(start_after)
      filter (where name = any($1) and state in ('created', 'retry') and start_after <= now()))::float8 as oldest
  from ${JOBS_SCHEMA}.job where state in ('created', 'retry', 'active') group by 1`

/** Reads the statistics of all queues, empty ones too: an alert on a missing series never fires. */
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

/**
 * Jobs of a person and of deleted questions: those that name the person as a value, those of the person's group, and
 * finished ones that mention the person in a text. A worker running one of them finishes it without effect.
 */
const FORGET = `
  delete from ${JOBS_SCHEMA}.job
  where group_id = $1 or strpos(data::text, $2) > 0 or singleton_key ~ $4
    or data ->> 'questionId' = any($3)
    or (state in ('completed', 'cancelled', 'failed')
      and concat(data::text, ' ', output::text, ' ', source_output::text) ~ $4)`

/** Only whole Slack ids are matched in texts: one id can be the beginning of another. */
const mentionOf = (person: string): string | null =>
  /^[UW][A-Z0-9]{5,}$/.test(person) ? `\\m${person}\\M` : null

/** Whether queues exist: a store that no bot has used has none. */
const FIND = `select to_regclass('${JOBS_SCHEMA}.job') is not null as found`

/** Deletes the jobs of a person from all queues, in the transaction of `execute`. Returns how many. */
export const deleteJobsOfPerson = async (
  execute: ExecuteSql,
  { person, questionIds }: { readonly person: string; readonly questionIds: readonly string[] },
): Promise<number> => {
  const [queues] = (await execute(FIND)).rows
  if (queues?.found !== true) return 0
  const { rows } = await execute(
    `with gone as (${FORGET} returning 1) select count(*)::int as gone from gone`,
    [person, JSON.stringify(person), questionIds, mentionOf(person)],
  )
  return Number(rows[0]?.gone ?? 0)
}

/** Runs one statement with `$1` placeholders in the store. */
export type ExecuteSql = (
  sql: string,
  values?: readonly unknown[],
) => Promise<{ readonly rows: Record<string, unknown>[] }>
