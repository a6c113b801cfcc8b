import type { Knex } from 'knex'

/** What the experts of a live chooser said, and how often each was wrong. */
export const expertRounds = {
  name: '2026-11-25-expert-rounds',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      -- Names of experts and keys of results; neither rows nor SQL. Goes with its question.
      create table querent.expert_rounds (
        question_id uuid primary key references querent.questions on delete cascade,
        groups jsonb not null,
        answers jsonb not null,
        -- The experts that were wrong, by what people did about the answer; null until something is known.
        wrong jsonb,
        saved_at timestamptz not null default now()
      );

      -- Counts stay when questions expire: they are what was learned.
      create table querent.expert_mistakes (
        expert text primary key,
        mistakes integer not null check (mistakes >= 0),
        updated_at timestamptz not null default now()
      );
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw('drop table querent.expert_mistakes, querent.expert_rounds')
  },
}
