import type { Knex } from 'knex'

/** Who had something run that another asked or owns: what is read for it is on their account. */
export const whoPressed = {
  name: '2026-11-22-who-pressed',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      -- Null where it is whoever asked.
      alter table querent.questions add column run_by text;
      -- Null where nobody did: what is due is its owner's.
      alter table querent.digest_runs add column run_by text;
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      alter table querent.digest_runs drop column run_by;
      alter table querent.questions drop column run_by;
    `)
  },
}
