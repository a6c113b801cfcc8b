import type { Log, Metrics } from '../domain/operations/telemetry.ts'
import { type ExecuteSql, JOBS_SCHEMA } from './pg-boss-tables.ts'

/**
 * Shares the workers of all processes among workspaces as each becomes free. Of the workspaces with waiting jobs, the
 * one with the fewest running jobs goes next; among equals, the one this process served longest ago. No worker is kept
 * idle: one workspace alone gets all of them, and no started job is interrupted.
 */
export interface FairShare {
  /** A worker of this process took a job of this workspace; null if the job belongs to none. */
  began(team: string | null): void
  /**
   * Moves the job that goes next to the front, for a worker that is about to look. `ended` is the id of the job it just
   * finished, which no longer counts. Never rejects: if it fails, the oldest job goes next.
   */
  callNext(ended: string | null): Promise<void>
}

/** The workspace of a job's group. A group is a workspace, or a workspace and a person separated by a space. */
export const teamOfGroup = (group: string): string => group.split(' ', 1)[0] ?? group

/** The priority of a job moved to the front; waiting jobs have 0. */
const FRONT_PRIORITY = 1

/**
 * A job at the front that no worker has taken yet counts as running, because a worker will take it at once; otherwise
 * two workers that become free together would both serve the same workspace. The oldest job is chosen among people who
 * may run another one, so a person's jobs keep their order. Two processes that choose at the same moment may each
 * exceed a share by one.
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

/** For a group without a limit. */
const ANY_NUMBER = 2 ** 31 - 1

/** Shares one queue's workers in one process. */
export const makeFairShare = (
  execute: ExecuteSql,
  given: {
    readonly queue: string
    /** The workers' own limit, so that no job is chosen that they would not take. */
    readonly perGroup: number | undefined
    readonly metrics: Pick<Metrics, 'jobOvertook'>
    readonly log: Log
  },
): FairShare => {
  const { queue, perGroup = ANY_NUMBER, metrics, log } = given
  // The workspace served longest ago comes first. There is one entry per installed workspace.
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
    // One choice at a time, so that each sees the previous one.
    callNext: ended => {
      last = last.then(() => call(ended))
      return last
    },
  }
}
