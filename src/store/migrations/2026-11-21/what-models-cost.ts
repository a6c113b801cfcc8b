import type { Knex } from 'knex'

/** What models cost, by day, person, model and role. */
export const modelUsage = {
  name: '2026-11-21-what-models-cost',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      create table querent.model_usage (
        day date not null,
        -- Empty for nobody: a null would not be found again by the primary key.
        asked_by text not null,
        model text not null,
        role text not null,
        calls bigint not null check (calls >= 0),
        prompt_tokens bigint not null check (prompt_tokens >= 0),
        completion_tokens bigint not null check (completion_tokens >= 0),
        -- Null once a reply had no price: what is not known is not added up.
        money numeric check (money >= 0),
        primary key (day, asked_by, model, role)
      );
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw('drop table querent.model_usage')
  },
}
