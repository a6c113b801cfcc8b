import type { Knex } from 'knex'

/** Indexes of databases that processes on several machines take over from each other, and who builds one now. */
export const sharedIndexes = {
  name: '2026-11-22-shared-indexes',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      create table querent.shared_indexes (
        -- A hash of the database's address, without its password.
        key text primary key,
        -- Parts of another version are not parts of this one.
        version uuid not null,
        saved_at timestamptz not null,
        parts integer not null
      );
      -- In parts, so that nobody holds an index twice to send or to receive it.
      create table querent.shared_index_parts (
        key text not null references querent.shared_indexes on delete cascade,
        version uuid not null,
        part integer not null,
        body bytea not null,
        primary key (key, version, part)
      );
      -- It is compressed already.
      alter table querent.shared_index_parts alter column body set storage external;
      -- Who builds an index touches its row again and again: one that is not touched was left behind.
      create table querent.index_turns (
        key text primary key,
        holder uuid not null,
        touched_at timestamptz not null
      );
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw('drop table querent.index_turns, querent.shared_index_parts, querent.shared_indexes')
  },
}
