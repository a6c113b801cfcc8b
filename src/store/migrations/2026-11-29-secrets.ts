import type { Knex } from 'knex'

/** Secrets that the store makes once and keeps, such as the one behind the keys of masks that hash. */
export const secrets = {
  name: '2026-11-29-secrets',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      create table querent.secrets (
        name text primary key,
        value bytea not null,
        made_at timestamptz not null default now()
      )
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw('drop table querent.secrets')
  },
}
