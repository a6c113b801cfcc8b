import { z } from 'zod'
import { queueNames } from './queues.ts'

/** How full a queue is, counted over all processes. */
interface QueueStats {
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

/** The schema of pg-boss's tables. They are its own: beside it, only this folder reads them, and nobody migrates them. */
export const JOBS_SCHEMA = 'querent_jobs'

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

/**
 * Jobs of a person, and of questions that go: those that name the person as a value, those of the person's turn, and of
 * those that are over also the ones that mention the person in a text. A worker that has one of them ends it for nothing.
 */
const FORGET = `
  delete from ${JOBS_SCHEMA}.job
  where group_id = $1 or strpos(data::text, $2) > 0 or singleton_key ~ $4
    or data ->> 'questionId' = any($3)
    or (state in ('completed', 'cancelled', 'failed')
      and concat(data::text, ' ', output::text, ' ', source_output::text) ~ $4)`

/** Whole ids of Slack are looked for within texts: that of one person can be the beginning of another's. */
const mentionOf = (person: string): string | null =>
  /^[UW][A-Z0-9]{5,}$/.test(person) ? `\\m${person}\\M` : null

/** Whether there are queues yet: a store that no bot has run on has none. */
const FIND = `select to_regclass('${JOBS_SCHEMA}.job') is not null as found`

/** Deletes the jobs of a person from all queues, within whatever `execute` runs in. Returns how many. */
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

/** Runs one statement with `$1` placeholders on our own database. */
export type ExecuteSql = (
  sql: string,
  values?: readonly unknown[],
) => Promise<{ readonly rows: Record<string, unknown>[] }>
