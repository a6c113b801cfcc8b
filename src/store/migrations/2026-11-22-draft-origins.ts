import type { Knex } from 'knex'

/** Which draft a candidate is, beside its id. Null for candidates that were stored before. */
export const draftOrigins = {
  name: '2026-11-22-draft-origins',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      alter table querent.candidates
        add column attempt integer, add column round integer, add column sample integer;
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      alter table querent.candidates drop column attempt, drop column round, drop column sample;
    `)
  },
}
