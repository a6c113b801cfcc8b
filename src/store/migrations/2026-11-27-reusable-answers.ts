import type { Knex } from 'knex'

/** Which question each answer may be shown for again, and until when. A cache outside the store is only a hint. */
export const reusableAnswers = {
  name: '2026-11-27-reusable-answers',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      create table querent.reusable_answers (
        question_id uuid primary key references querent.questions on delete cascade,
        -- Hash of the question, what it was asked of, what answered it, and the rights of who asked.
        key_hash text not null,
        read_at timestamptz not null,
        expires_at timestamptz not null
      );
      create index reusable_answers_expires_at on querent.reusable_answers (expires_at);
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw('drop table querent.reusable_answers')
  },
}
