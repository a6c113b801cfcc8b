import type { Knex } from 'knex'

/** Questions with SQL that somebody stands for. */
export const verifiedQueries = {
  name: '2026-11-21-verified-queries',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      create table querent.verified_queries (
        id uuid primary key,
        database text not null,
        question text not null,
        masked_question text not null,
        sql text not null,
        skeleton text,
        slots jsonb not null,
        -- Of the catalog under which it was saved.
        fingerprint text not null,
        status text not null check (status in ('proposed', 'accepted', 'removed')),
        saved_by text,
        saved_at timestamptz not null,
        decided_by text,
        decided_at timestamptz,
        check (status = 'proposed' or decided_at is not null)
      );
      -- One accepted answer a question; hashed, because a question may be longer than an index takes.
      create unique index verified_queries_accepted on querent.verified_queries (database, md5(lower(question)))
        where status = 'accepted';
      create index verified_queries_list on querent.verified_queries (database, status, saved_at);
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw('drop table querent.verified_queries')
  },
}
