import type { Knex } from 'knex'

/** What a candidate and an answer are about, in the words of the semantic layer. */
export const answerMeaning = {
  name: '2026-11-23-answer-meaning',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      -- Null if the statement was not read as a metric query.
      alter table querent.candidates add column meaning jsonb;
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw('alter table querent.candidates drop column meaning')
  },
}
