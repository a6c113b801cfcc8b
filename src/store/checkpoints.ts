import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  MemorySaver,
  type PendingWrite,
  WRITES_IDX_MAP,
} from '@langchain/langgraph-checkpoint'
import { Pool } from 'pg'
import { type Log, silentLog } from '../domain/operations/telemetry.ts'

const MAX_CONNECTIONS = 10

/** Checkpoints of graph runs, one thread per question. */
export interface Checkpoints {
  /** For LangGraph's `compile({ checkpointer })`. */
  readonly checkpointer: BaseCheckpointSaver
  /** Deletes a thread for good. The saver never deletes by itself: call this after a question has ended. */
  forget(threadId: string): Promise<void>
  close(): Promise<void>
}

/** Opens the checkpoints in the store, which must be migrated. */
export const makeCheckpoints = ({
  url,
  log = silentLog,
}: {
  readonly url: string
  readonly log?: Log
}): Checkpoints => {
  const pool = new Pool({
    connectionString: url,
    application_name: 'querent-graph',
    max: MAX_CONNECTIONS,
    // A server crash may lose the last steps of a run. They are repeated, which changes nothing.
    options: '-c synchronous_commit=off',
  })
  // A broken idle connection is replaced; without a listener it would end the process.
  pool.on('error', error => log.warn({ error }, 'a connection of the checkpoints broke'))
  const checkpointer = new PostgresCheckpointer(pool)
  return {
    checkpointer,
    forget: threadId => checkpointer.deleteThread(threadId),
    close: () => pool.end(),
  }
}

/** What LangGraph passes to name a checkpoint: the newest of its thread without an id. */
type ThreadConfig = Parameters<BaseCheckpointSaver['getTuple']>[0]

/** A serialized value: its format, and its bytes in base64. */
interface StoredValue {
  readonly channel: string
  readonly type: string
  readonly blob: string | null
}

interface CheckpointRow {
  readonly thread_id: string
  readonly checkpoint_ns: string
  readonly checkpoint_id: string
  readonly parent_checkpoint_id: string | null
  readonly checkpoint: Omit<Checkpoint, 'channel_values'>
  readonly metadata: CheckpointMetadata
  readonly values: readonly StoredValue[] | null
  readonly writes: readonly (StoredValue & { readonly task: string })[] | null
}

/**
 * LangGraph's checkpoints in Postgres. Each step is stored with one statement: LangGraph's own saver sends one per
 * channel within a transaction, ten round trips for each of a question's ten steps. The tables and their contents are
 * the same as with that saver, so questions that an older version began go on.
 */
class PostgresCheckpointer extends BaseCheckpointSaver {
  readonly #pool: Pool

  constructor(pool: Pool) {
    super()
    this.#pool = pool
  }

  async getTuple(config: ThreadConfig): Promise<CheckpointTuple | undefined> {
    const { checkpoint_ns = '' } = config.configurable ?? {}
    const [found] = await this.#read(
      { configurable: { ...config.configurable, checkpoint_ns } },
      { limit: 1 },
    )
    return found && this.#load(found)
  }

  async *list(config: ThreadConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    for (const row of await this.#read(config, options)) yield await this.#load(row)
  }

  async put(
    { configurable = {} }: ThreadConfig,
    { channel_values, ...checkpoint }: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<ThreadConfig> {
    const { thread_id, checkpoint_ns = '', checkpoint_id: parent = null } = configurable
    const changed = await Promise.all(
      Object.entries(newVersions).map(async ([channel, version]) => {
        const [type, bytes] =
          channel in channel_values ? await this.serde.dumpsTyped(channel_values[channel]) : [EMPTY, null]
        return { channel, version: String(version), type, blob: bytes && Buffer.from(bytes) }
      }),
    )
    const [, known] = await this.serde.dumpsTyped(metadata)
    await this.#pool.query(insertCheckpoint, [
      ...[thread_id, checkpoint_ns, checkpoint.id, parent, checkpoint],
      Buffer.from(known).toString(),
      ...[changed.map(one => one.channel), changed.map(one => one.version)],
      ...[changed.map(one => one.type), changed.map(one => one.blob)],
    ])
    return { configurable: { thread_id, checkpoint_ns, checkpoint_id: checkpoint.id } }
  }

  async putWrites(
    { configurable = {} }: ThreadConfig,
    writes: PendingWrite[],
    taskId: string,
  ): Promise<void> {
    const { thread_id, checkpoint_ns = '', checkpoint_id } = configurable
    // Interrupts and errors replace those of an earlier attempt, results of a task stay as they were first written.
    const isReplacing = writes.every(([channel]) => channel in WRITES_IDX_MAP)
    const dumped = await Promise.all(
      writes.map(async ([channel, value], i) => {
        const [type, bytes] = await this.serde.dumpsTyped(value)
        return { idx: WRITES_IDX_MAP[channel] ?? i, channel, type, blob: Buffer.from(bytes) }
      }),
    )
    // One statement cannot replace the same row twice, so the last of each place is kept.
    const rows = isReplacing ? [...new Map(dumped.map(one => [one.idx, one])).values()] : dumped
    await this.#pool.query(isReplacing ? replaceWrites : insertWrites, [
      ...[thread_id, checkpoint_ns, checkpoint_id, taskId],
      ...[rows.map(one => one.idx), rows.map(one => one.channel)],
      ...[rows.map(one => one.type), rows.map(one => one.blob)],
    ])
  }

  async deleteThread(threadId: string): Promise<void> {
    await this.#pool.query(deleteThread, [threadId])
  }

  async #read(
    { configurable = {} }: ThreadConfig,
    { before, filter = {}, limit }: CheckpointListOptions,
  ): Promise<readonly CheckpointRow[]> {
    const { thread_id = null, checkpoint_ns = null, checkpoint_id = null } = configurable
    const { rows } = await this.#pool.query<CheckpointRow>(selectCheckpoints, [
      ...[thread_id, checkpoint_ns, checkpoint_id, before?.configurable?.checkpoint_id ?? null],
      ...[JSON.stringify(filter), limit ?? null],
    ])
    return rows
  }

  async #load(row: CheckpointRow): Promise<CheckpointTuple> {
    const { thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id: parent } = row
    const stored = (row.values ?? []).filter(({ type }) => type !== EMPTY)
    const [values, pendingWrites, metadata] = await Promise.all([
      Promise.all(stored.map(async value => [value.channel, await this.#loadValue(value)] as const)),
      Promise.all(
        (row.writes ?? []).map(
          async write => [write.task, write.channel, await this.#loadValue(write)] as CheckpointPendingWrite,
        ),
      ),
      this.serde.loadsTyped('json', JSON.stringify(row.metadata)),
    ])
    return {
      config: { configurable: { thread_id, checkpoint_ns, checkpoint_id } },
      checkpoint: { ...row.checkpoint, channel_values: Object.fromEntries(values) },
      metadata,
      ...(parent !== null && {
        parentConfig: { configurable: { thread_id, checkpoint_ns, checkpoint_id: parent } },
      }),
      pendingWrites,
    }
  }

  #loadValue({ type, blob }: StoredValue): Promise<unknown> {
    return this.serde.loadsTyped(type, Buffer.from(blob ?? '', 'base64'))
  }
}

/** The type of a channel without a value. */
const EMPTY = 'empty'

const selectCheckpoints = `
  select thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata,
    (select json_agg(json_build_object('channel', b.channel, 'type', b.type, 'blob', encode(b.blob, 'base64')))
       from jsonb_each_text(c.checkpoint -> 'channel_versions') v
       join querent_graph.checkpoint_blobs b on b.thread_id = c.thread_id and b.checkpoint_ns = c.checkpoint_ns
        and b.channel = v.key and b.version = v.value) as values,
    (select json_agg(json_build_object('task', w.task_id, 'channel', w.channel, 'type', w.type,
                                       'blob', encode(w.blob, 'base64')) order by w.task_id, w.idx)
       from querent_graph.checkpoint_writes w
      where w.thread_id = c.thread_id and w.checkpoint_ns = c.checkpoint_ns
        and w.checkpoint_id = c.checkpoint_id) as writes
  from querent_graph.checkpoints c
  where ($1::text is null or thread_id = $1) and ($2::text is null or checkpoint_ns = $2)
    and ($3::text is null or checkpoint_id = $3) and ($4::text is null or checkpoint_id < $4)
    and metadata @> $5::jsonb
  order by checkpoint_id desc limit $6`

const insertCheckpoint = `
  with stored as (
    insert into querent_graph.checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
    select $1, $2, b.* from unnest($7::text[], $8::text[], $9::text[], $10::bytea[]) b
    on conflict do nothing
  )
  insert into querent_graph.checkpoints
    (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (thread_id, checkpoint_ns, checkpoint_id)
  do update set checkpoint = excluded.checkpoint, metadata = excluded.metadata`

const writeRows = `
  insert into querent_graph.checkpoint_writes
    (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob)
  select $1, $2, $3, $4, w.* from unnest($5::integer[], $6::text[], $7::text[], $8::bytea[]) w`

const insertWrites = `${writeRows} on conflict do nothing`

const replaceWrites = `${writeRows}
  on conflict (thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
  do update set channel = excluded.channel, type = excluded.type, blob = excluded.blob`

const deleteThread = `
  with blobs as (delete from querent_graph.checkpoint_blobs where thread_id = $1),
    writes as (delete from querent_graph.checkpoint_writes where thread_id = $1)
  delete from querent_graph.checkpoints where thread_id = $1`

/** Checkpoints that live as long as the process. Each run stays in memory until it is forgotten. */
export const makeMemoryCheckpoints = (): Checkpoints => {
  const checkpointer = new MemorySaver()
  return {
    checkpointer,
    forget: threadId => checkpointer.deleteThread(threadId),
    close: async () => {},
  }
}
