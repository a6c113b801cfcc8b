import type { Knex } from 'knex'

/** What App Home looks up: the latest failures, without reading every question. */
export const home = {
  name: '2026-11-21-home',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      create index questions_failed on querent.questions (updated_at) where status = 'failed';
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw('drop index querent.questions_failed')
  },
}
