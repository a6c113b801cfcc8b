import type { Knex } from 'knex'

/** What belongs to the thread of a question: what it follows, what others said there, and questions that were taken back. */
export const threads = {
  name: '2026-11-21-threads',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      alter table querent.questions
        -- The question before it, where it was asked in no place that would tell.
        add column follows uuid references querent.questions on delete set null,
        -- When its message was edited into another question, or deleted: its answer is shown no more.
        add column withdrawn_at timestamptz;
      create index questions_message on querent.questions
        ((place ->> 'team'), (place ->> 'channel'), (place ->> 'message')) where place is not null;

      -- What people said to each other in threads that we answered in. Never read from the platform's history.
      create table querent.remarks (
        key text primary key,
        team text not null,
        channel text not null,
        thread text not null,
        said_by text not null,
        text text not null,
        said_at timestamptz not null
      );
      create index remarks_thread on querent.remarks (team, channel, thread, said_at);
      create index remarks_age on querent.remarks (said_at);
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      drop table querent.remarks;
      alter table querent.questions drop column follows, drop column withdrawn_at;
    `)
  },
}
