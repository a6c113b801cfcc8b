import type { Knex } from 'knex'

/** Every statement that was sent, or refused to be sent, to a database that people ask about. */
export const audit = {
  name: '2026-11-22-audit',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      create table querent.audit_log (
        id uuid primary key,
        at timestamptz not null,
        origin text not null,
        person text,
        team text,
        channel text,
        -- No foreign keys: what was run stays on record when a question or a digest is deleted.
        question_id text,
        digest_id text,
        database text not null,
        dialect text not null,
        kind text not null check (kind in ('run', 'explain', 'schema')),
        sql text not null,
        verdict text not null check (verdict in
          ('started', 'ran', 'cut', 'refused', 'failed', 'timed-out', 'cancelled')),
        error_class text,
        reason text,
        rows bigint,
        bytes bigint,
        milliseconds double precision
      );
      create index audit_log_at on querent.audit_log (at, id);
      create index audit_log_person on querent.audit_log (person, at) where person is not null;
      create index audit_log_question on querent.audit_log (question_id) where question_id is not null;
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw('drop table querent.audit_log')
  },
}
