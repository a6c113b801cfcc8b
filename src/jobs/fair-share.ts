import type { Log, Metrics } from '../domain/operations/telemetry.ts'
import { type ExecuteSql, JOBS_SCHEMA } from './pg-boss-tables.ts'

/**
 * Shares the workers of all processes out among workspaces, as each becomes free: of those whose jobs wait, the one with
 * the fewest at work goes next, and of equals the one that this process has served longest ago. Nothing is held back:
 * one workspace alone has all workers, and no job that has begun is given up.
 */
export interface FairShare {
  /** A worker of this process took a job of this workspace; null where a job is nobody's. */
  began(team: string | null): void
  /**
   * Calls the job that goes next to the front, for a worker that is about to look. `ended` is the id of the job that it
   * has just done, which counts no longer. Never rejects: without it the oldest job goes next.
   */
  callNext(ended: string | null): Promise<void>
}

/** The workspace of a job's group, which is a workspace, or a workspace and a person with a space between. */
export const teamOfGroup = (group: string): string => group.split(' ', 1)[0] ?? group

/** The priority of a job that was called to the front; those that wait their turn have 0. */
const FRONT_PRIORITY = 1

/**
 * One that was called and that no worker has taken yet counts as at work, since a worker will have it in a moment: else
 * two that become free together would both be for the same workspace. Of one workspace the oldest is called whose person
 * may have another one at work, so that of one person an earlier job never goes after a later one. Two processes that look at
 * the same moment may exceed a share by one each.
 */
const MOVE_TO_FRONT = `
  with unended as materialized (
    select id, coalesce(group_tier, '') as team, group_id, state = 'active' as at_work, priority, created_on
    from ${JOBS_SCHEMA}.job
    where name = $1 and state in ('created', 'retry', 'active') and id is distinct from $2::uuid
      and not blocked and (state = 'active' or start_after <= now())),
  full_groups as (
    select group_id from unended where at_work and group_id is not null
    group by group_id having count(*) >= $3::int),
  shares as (
    select team, count(*) filter (where at_work or priority >= ${FRONT_PRIORITY}) as taken from unended group by team),
  heads as (
    select distinct on (team) id, team, created_on from unended
    where not at_work and priority < ${FRONT_PRIORITY}
      and (group_id is null or group_id not in (select group_id from full_groups))
    order by team, created_on, id),
  chosen as (
    select id, created_on from heads join shares using (team)
    where (select count(*) from heads) > 1
    order by taken, array_position($4::text[], team) nulls first, created_on, id limit 1)
  update ${JOBS_SCHEMA}.job as job set priority = ${FRONT_PRIORITY} from chosen
  where job.name = $1 and job.id = chosen.id and job.state in ('created', 'retry') and job.priority < ${FRONT_PRIORITY}
  returning exists (select from heads where heads.created_on < chosen.created_on) as overtook`

/** Of a group without a limit. */
const ANY_NUMBER = 2 ** 31 - 1

/** Makes the turns of one queue in one process. */
export const makeFairShare = (
  execute: ExecuteSql,
  given: {
    readonly queue: string
    /** As the workers have it, so that none is called that they would not take. */
    readonly perGroup: number | undefined
    readonly metrics: Pick<Metrics, 'jobOvertook'>
    readonly log: Log
  },
): FairShare => {
  const { queue, perGroup = ANY_NUMBER, metrics, log } = given
  // The workspace that was served longest ago comes first. There are as many as have installed the app.
  const served = new Set<string>()
  let last = Promise.resolve()

  const call = async (ended: string | null): Promise<void> => {
    try {
      const { rows } = await execute(MOVE_TO_FRONT, [queue, ended, perGroup, [...served]])
      if (rows[0]?.overtook === true) metrics.jobOvertook(queue)
    } catch (error) {
      log.warn({ queue, error }, 'could not choose the next workspace by fair share; taking the oldest job')
    }
  }

  return {
    began: team => {
      served.delete(team ?? '')
      served.add(team ?? '')
    },
    // One after the other, so that each sees what the one before it called.
    callNext: ended => {
      last = last.then(() => call(ended))
      return last
    },
  }
}
