import type { Knex } from 'knex'

/** Verified queries are run again, go stale, and their owners are asked. */
export const verifiedRechecks = {
  name: '2026-11-21-verified-rechecks',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      alter table querent.verified_queries
        -- Tables and columns that the SQL reads, as they were; null where it was saved before this was kept.
        add column touches jsonb,
        -- When it is to be run again; null for at once. Only accepted ones are.
        add column due_at timestamptz,
        add column last_run jsonb,
        add column stale_since timestamptz,
        add column stale_reasons jsonb;
      alter table querent.verified_queries drop constraint verified_queries_status_check;
      alter table querent.verified_queries add constraint verified_queries_status_check
        check (status in ('proposed', 'accepted', 'stale', 'removed'));
      alter table querent.verified_queries add constraint verified_queries_stale_check
        check ((status = 'stale') = (stale_since is not null) and (stale_since is null) = (stale_reasons is null));
      create index verified_queries_due on querent.verified_queries (due_at) where status = 'accepted';

      -- What owners of stale queries were asked: one message for each time that one went stale.
      create table querent.verified_notices (
        query_id uuid not null references querent.verified_queries on delete cascade,
        since timestamptz not null,
        channel text not null,
        ts text,
        claimed_at timestamptz not null,
        posted_at timestamptz,
        primary key (query_id, since)
      );
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      drop table querent.verified_notices;
      -- What was stale was in use before and is not fit for it now.
      update querent.verified_queries set status = 'removed', stale_since = null, stale_reasons = null
        where status = 'stale';
      alter table querent.verified_queries drop constraint verified_queries_stale_check;
      alter table querent.verified_queries drop constraint verified_queries_status_check;
      alter table querent.verified_queries add constraint verified_queries_status_check
        check (status in ('proposed', 'accepted', 'removed'));
      drop index querent.verified_queries_due;
      alter table querent.verified_queries
        drop column touches, drop column due_at, drop column last_run,
        drop column stale_since, drop column stale_reasons;
    `)
  },
}
