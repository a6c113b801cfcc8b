import type { Knex } from 'knex'

/** Which meaning of an ambiguous question a candidate answers, as its model called it. */
export const namedMeanings = {
  name: '2026-11-25-named-meanings',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      -- Null if its draft did not call the question ambiguous.
      alter table querent.candidates add column named jsonb;
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw('alter table querent.candidates drop column named')
  },
}
