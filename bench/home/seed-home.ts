import { Client } from 'pg'

/** How much stands in the store. */
export interface HomeSize {
  readonly questions: number
  readonly digests: number
  readonly people: number
}

/**
 * Fills a migrated store: questions of many people over a year with their outcomes, votes on most answers, verified
 * queries, proposed rules, and digests. Rows are as the bot writes them, as far as App Home reads them.
 */
export const seedHome = async (url: string, { questions, digests, people }: HomeSize): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    // Answers and candidates that nobody reads here are left out, so references to them cannot hold.
    await client.query('set session_replication_role = replica')
    await client.query(
      `insert into querent.questions
         (id, key, text, database, status, asked_by, time_zone, asked_at, place, created_at, updated_at)
       select gen_random_uuid(), 'k' || n, 'How many orders were there in week ' || n || '?', 'shop',
         case when n % 20 = 0 then 'failed' when n % 20 = 1 then 'refused' else 'answered' end,
         'U' || n % $2, 'UTC', at,
         jsonb_build_object('team', 'T1', 'channel', 'C' || n % 20, 'thread', n || '.0', 'message', n || '.0'), at, at
       from (select n, now() - n * interval '50 minutes' as at from generate_series(1, $1::int) as n) as asked`,
      [questions, people],
    )
    await client.query(
      `insert into querent.runs (id, question_id, status, outcome, usage, started_at, finished_at)
       select gen_random_uuid(), id, 'finished',
         jsonb_build_object('status', status, 'reason', 'The database was away.', 'nextStep', 'Ask again.'),
         '{}', asked_at, asked_at
       from querent.questions`,
    )
    await client.query(
      `insert into querent.votes (question_id, person, vote, run_id, candidate_id)
       select question_id, 'U' || row_number() over (), case when random() < 0.8 then 'up' else 'down' end, id, 'c1'
       from querent.runs where outcome ->> 'status' = 'answered'`,
    )
    await client.query(
      `insert into querent.verified_queries
         (id, database, question, masked_question, sql, skeleton, slots, fingerprint, status, saved_by, saved_at, decided_by, decided_at)
       select gen_random_uuid(), 'shop', 'How many orders were there in week ' || n || '?', 'How many _?', 'select 1', null,
         '[]', 'f', case when n % 10 = 0 then 'proposed' else 'accepted' end, 'U1', now(), 'U1', now()
       from generate_series(1, 300) as n`,
    )
    const question = {
      id: 'q1',
      text: 'How many orders were there last week?',
      database: 'shop',
      statement: { sql: 'select 1', today: '2026-11-22', periods: [] },
      fingerprint: 'f',
    }
    await client.query(
      `insert into querent.digests
         (id, team, owner, title, questions, cron, time_zone, schedule_words, condition, target, next_due, created_at, request)
       select gen_random_uuid(), 'T1', 'U' || n % $2, 'Digest ' || n, jsonb_build_array($3::jsonb), '0 9 * * 1', 'UTC',
         'every Monday at 9:00', '{"kind":"always"}', jsonb_build_object('kind', 'channel', 'channel', 'C' || n % 20),
         now() + n * interval '10 minutes', now(), 'r' || n
       from generate_series(1, $1::int) as n`,
      [digests, people, JSON.stringify(question)],
    )
    await client.query('analyze')
  } finally {
    await client.end()
  }
}
