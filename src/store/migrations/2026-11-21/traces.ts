import type { Knex } from 'knex'

/** How each question was worked on, as one document that expires with the results whose first rows it holds. */
export const traces = {
  name: '2026-11-21-traces',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      create table querent.traces (
        question_id uuid primary key references querent.questions on delete cascade,
        trace jsonb not null,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null
      );
      create index traces_expiry on querent.traces (expires_at);
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw('drop table querent.traces')
  },
}
