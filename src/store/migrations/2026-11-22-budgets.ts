import type { Knex } from 'knex'

/** What is counted against budgets: by day for a person, a channel and everybody, and by question for models. */
export const budgets = {
  name: '2026-11-22-budgets',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      create table querent.budget_usage (
        day date not null,
        scope text not null check (scope in ('person', 'channel', 'all')),
        -- Empty where the scope is all.
        name text not null,
        -- Of models; for a channel alone, since model_usage has the others.
        tokens bigint not null default 0,
        money numeric not null default 0,
        -- Of databases.
        rows bigint not null default 0,
        milliseconds double precision not null default 0,
        primary key (day, scope, name)
      );
      create table querent.question_usage (
        question_id uuid not null references querent.questions (id) on delete cascade,
        role text not null,
        calls bigint not null,
        tokens bigint not null,
        money numeric not null,
        primary key (question_id, role)
      );
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw('drop table querent.question_usage, querent.budget_usage')
  },
}
