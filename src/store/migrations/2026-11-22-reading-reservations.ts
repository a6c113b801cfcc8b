import type { Knex } from 'knex'

/** What statements under way may still read, and what was read for each question, beside what is counted already. */
export const readingReservations = {
  name: '2026-11-22-reading-reservations',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      create table querent.reading_reservations (
        -- That of the statement in the audit log.
        id uuid primary key,
        day date not null,
        person text,
        channel text,
        question_id text,
        rows bigint not null,
        milliseconds double precision not null,
        -- Renewed while the statement runs: what a dead process reserved is free again then.
        expires_at timestamptz not null
      );
      alter table querent.budget_usage drop constraint budget_usage_scope_check;
      alter table querent.budget_usage add constraint budget_usage_scope_check
        check (scope in ('person', 'channel', 'question', 'all'));
      -- Of a question that goes on after midnight there is a row for each day.
      create index budget_usage_question on querent.budget_usage (name) where scope = 'question';
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      drop table querent.reading_reservations;
      drop index querent.budget_usage_question;
      delete from querent.budget_usage where scope = 'question';
      alter table querent.budget_usage drop constraint budget_usage_scope_check;
      alter table querent.budget_usage add constraint budget_usage_scope_check
        check (scope in ('person', 'channel', 'all'));
    `)
  },
}
