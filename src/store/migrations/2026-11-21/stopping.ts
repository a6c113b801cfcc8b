import type { Knex } from 'knex'

/** Who stopped a question, and when what was kept only to work on it was thrown away. */
export const stopping = {
  name: '2026-11-21-stopping',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      alter table querent.questions add column stopped_by text, add column forgotten_at timestamptz;
      create index questions_to_forget on querent.questions (updated_at)
        where forgotten_at is null and status in ('answered', 'refused', 'failed', 'stopped');
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      drop index querent.questions_to_forget;
      alter table querent.questions drop column stopped_by, drop column forgotten_at;
    `)
  },
}
