import type { Knex } from 'knex'

/** What each voter's word weighs, and what admins decided about feedback that waited for them. */
export const voters = {
  name: '2026-11-26-voters',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      create table querent.voter_weights (
        person text primary key,
        weight double precision not null check (weight between 0 and 1),
        updated_at timestamptz not null
      );

      -- Holds for what the person had said of the answer by then. Goes with its question.
      create table querent.feedback_reviews (
        question_id uuid not null references querent.questions on delete cascade,
        person text not null,
        decision text not null check (decision in ('accepted', 'dropped')),
        decided_by text,
        decided_at timestamptz not null,
        primary key (question_id, person)
      );
      create index feedback_reviews_person on querent.feedback_reviews (person);
      create index votes_person on querent.votes (person, voted_at);
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      drop index querent.votes_person;
      drop table querent.feedback_reviews, querent.voter_weights
    `)
  },
}
