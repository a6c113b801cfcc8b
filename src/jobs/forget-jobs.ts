import { type ExecuteSql, JOBS_SCHEMA } from './jobs-schema.ts'

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
