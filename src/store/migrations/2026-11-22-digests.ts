import type { Knex } from 'knex'

/** Digests: questions that are asked again and again, each of their runs, and what was posted of them. */
export const digests = {
  name: '2026-11-22-digests',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      create table querent.digests (
        id uuid primary key,
        team text not null,
        owner text not null,
        title text not null,
        questions jsonb not null,
        cron text not null,
        time_zone text not null,
        schedule_words text not null,
        condition jsonb not null,
        target jsonb not null,
        pause jsonb,
        next_due timestamptz,
        failures integer not null default 0,
        repair jsonb,
        created_at timestamptz not null,
        -- The form that made it: sent twice, it makes one.
        request text not null unique,
        check (pause is null or next_due is null)
      );
      create index digests_due on querent.digests (next_due) where next_due is not null;
      create index digests_owner on querent.digests (team, owner, next_due, id);
      create index digests_team on querent.digests (team, next_due, id);

      -- One row for each due time, and for each time that somebody wanted one at once.
      create table querent.digest_runs (
        digest_id uuid not null references querent.digests on delete cascade,
        scheduled_for timestamptz not null,
        kind text not null check (kind in ('due', 'late', 'by-hand')),
        missed integer not null,
        -- Of a run by hand: two clicks of one button are one run.
        request text,
        claimed_at timestamptz not null,
        ended_at timestamptz,
        outcome text,
        primary key (digest_id, scheduled_for),
        unique (digest_id, request),
        check ((ended_at is null) = (outcome is null))
      );
      create index digest_runs_open on querent.digest_runs (claimed_at) where ended_at is null;

      -- What the last run that was told found, as far as it takes to compare: a number, or hashes of rows.
      create table querent.digest_findings (
        digest_id uuid not null references querent.digests on delete cascade,
        question_id text not null,
        finding jsonb not null,
        found_at timestamptz not null,
        primary key (digest_id, question_id)
      );

      create table querent.digest_messages (
        digest_id uuid not null references querent.digests on delete cascade,
        scheduled_for timestamptz not null,
        step text not null,
        channel text not null,
        ts text,
        claimed_at timestamptz not null,
        posted_at timestamptz,
        primary key (digest_id, scheduled_for, step)
      );
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      drop table querent.digest_messages;
      drop table querent.digest_findings;
      drop table querent.digest_runs;
      drop table querent.digests;
    `)
  },
}
