import type { Knex } from 'knex'

/** The workspaces that the app is installed in, where there are several. */
export const installations = {
  name: '2026-11-22-installations',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      create table querent.installations (
        team text primary key,
        team_name text not null,
        bot_user_id text not null,
        bot_id text not null,
        scopes text[] not null,
        -- The tokens, sealed with a key that is not in here, and bound to the team.
        sealed text not null,
        expires_at timestamptz,
        installed_at timestamptz not null,
        failure_reason text,
        failed_at timestamptz
      );
      create index installations_expires_at on querent.installations (expires_at) where expires_at is not null;
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw('drop table querent.installations')
  },
}
