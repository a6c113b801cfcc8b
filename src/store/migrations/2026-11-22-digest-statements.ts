import type { Knex } from 'knex'

/** What each run of a digest sent to the database, to show it where the run is posted. */
export const digestStatements = {
  name: '2026-11-22-digest-statements',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw('alter table querent.digest_runs add column statements jsonb')
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw('alter table querent.digest_runs drop column statements')
  },
}
