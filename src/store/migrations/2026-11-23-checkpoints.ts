import type { Knex } from 'knex'

/** Checkpoints of graph runs. The tables are those of LangGraph's own saver, which made them in older versions. */
export const checkpoints = {
  name: '2026-11-23-checkpoints',
  up: async (knex: Knex): Promise<void> => {
    await knex.raw(`
      create schema if not exists querent_graph;
      create table if not exists querent_graph.checkpoints (
        thread_id text not null,
        checkpoint_ns text not null default '',
        checkpoint_id text not null,
        parent_checkpoint_id text,
        type text,
        checkpoint jsonb not null,
        metadata jsonb not null default '{}',
        primary key (thread_id, checkpoint_ns, checkpoint_id)
      );
      create table if not exists querent_graph.checkpoint_blobs (
        thread_id text not null,
        checkpoint_ns text not null default '',
        channel text not null,
        version text not null,
        type text not null,
        blob bytea,
        primary key (thread_id, checkpoint_ns, channel, version)
      );
      create table if not exists querent_graph.checkpoint_writes (
        thread_id text not null,
        checkpoint_ns text not null default '',
        checkpoint_id text not null,
        task_id text not null,
        idx integer not null,
        channel text not null,
        type text,
        blob bytea not null,
        primary key (thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
      );
    `)
  },
  down: async (knex: Knex): Promise<void> => {
    await knex.raw('drop schema querent_graph cascade')
  },
}
