import type { Knex } from 'knex'

/** What was typed where a statement was run from a shell; and trials of the walls are in the log too. */
export const auditOfShells = {
  name: '2026-11-22-audit-of-shells',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      alter table querent.audit_log
        add column command text,
        drop constraint audit_log_kind_check,
        -- Not valid: rows that are there are right already, and there may be millions to look through.
        add constraint audit_log_kind_check check (kind in ('run', 'explain', 'schema', 'trial')) not valid
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      delete from querent.audit_log where kind = 'trial';
      alter table querent.audit_log
        drop column command,
        drop constraint audit_log_kind_check,
        add constraint audit_log_kind_check check (kind in ('run', 'explain', 'schema')) not valid
    `)
  },
}
