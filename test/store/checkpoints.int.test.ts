import { Annotation, Command, END, interrupt, START, StateGraph } from '@langchain/langgraph'
import { emptyCheckpoint } from '@langchain/langgraph-checkpoint'
import { describe, expect, it } from 'vitest'
import { makeCheckpoints } from '../../src/store/checkpoints.ts'
import { collect } from '../helpers/collect.ts'
import { createTestDatabase } from '../helpers/test-database.ts'
import { withClient } from '../helpers/with-client.ts'

/** A graph that asks in its middle, as the answer graph does. */
const makeAskingGraph = (worked: string[]) =>
  new StateGraph(Annotation.Root({ city: Annotation<string>, text: Annotation<string> }))
    .addNode('begin', () => {
      worked.push('begin')
      return {}
    })
    .addNode('ask', () => ({ city: interrupt('Which city?') as string }))
    .addNode('end', ({ city }) => {
      worked.push('end')
      return { text: `bikes of ${city}` }
    })
    .addEdge(START, 'begin')
    .addEdge('begin', 'ask')
    .addEdge('ask', 'end')
    .addEdge('end', END)

/** The last step of the graph above, which waits for a city, as PostgresSaver 1.0.5 stored it. */
const storedByLangGraph = `
  insert into querent_graph.checkpoints
    (thread_id, checkpoint_id, parent_checkpoint_id, checkpoint, metadata)
  values ('q1', '1f1e6e59-5fea-6970-8001-fe5910c6bb04', '1f1e6e59-5fe0-6d30-8000-c30534e1df4e',
    '{"v": 4, "id": "1f1e6e59-5fea-6970-8001-fe5910c6bb04", "ts": "2026-11-23T02:28:36.359Z",
      "versions_seen": {"begin": {"branch:to:begin": 2}, "__input__": {}, "__start__": {"__start__": 1}},
      "channel_versions": {"city": 2, "__start__": 2, "branch:to:ask": 3, "branch:to:begin": 3}}',
    '{"step": 1, "source": "loop", "parents": {}}');
  insert into querent_graph.checkpoint_blobs (thread_id, channel, version, type, blob) values
    ('q1', '__start__', '2', 'empty', null), ('q1', 'city', '2', 'json', '""'),
    ('q1', 'branch:to:begin', '3', 'empty', null), ('q1', 'branch:to:ask', '3', 'json', 'null');
  insert into querent_graph.checkpoint_writes (thread_id, checkpoint_id, task_id, idx, channel, type, blob) values
    ('q1', '1f1e6e59-5fea-6970-8001-fe5910c6bb04', '54a78409-b7c5-5bca-8bab-f8fcd5156440', -3, '__interrupt__',
     'json', '{"id":"08861597d2f17216c21563c848f3b26d","value":"Which city?"}');`

const thread = { configurable: { thread_id: 'q1' } }

describe('checkpoints', () => {
  it('let another process continue where the first one asked', async () => {
    await using database = await createTestDatabase({ migrated: true })
    const worked: string[] = []
    const first = makeCheckpoints({ url: database.url })
    await makeAskingGraph(worked).compile({ checkpointer: first.checkpointer }).invoke({ city: '' }, thread)
    await first.close()
    const second = makeCheckpoints({ url: database.url })
    const graph = makeAskingGraph(worked).compile({ checkpointer: second.checkpointer })
    const answer = await graph.invoke(new Command({ resume: 'Lund' }), thread)
    expect(answer.text).toBe('bikes of Lund')
    expect(worked).toEqual(['begin', 'end'])
    await second.close()
  })

  it('are deleted by thread', async () => {
    await using database = await createTestDatabase({ migrated: true })
    const checkpoints = makeCheckpoints({ url: database.url })
    const graph = makeAskingGraph([]).compile({ checkpointer: checkpoints.checkpointer })
    const other = { configurable: { thread_id: 'q2' } }
    await graph.invoke({ city: '' }, thread)
    await graph.invoke({ city: '' }, other)
    await checkpoints.forget('q1')
    expect((await graph.getState(thread)).next).toEqual([])
    expect((await graph.getState(other)).next).toEqual(['ask'])
    await checkpoints.close()
  })

  it('keep every kind of value, and every step of a thread', async () => {
    await using database = await createTestDatabase({ migrated: true })
    const checkpoints = makeCheckpoints({ url: database.url })
    const value = { text: `it's "quoted" \\`, none: null, numbers: [1, 2.5] }
    const graph = new StateGraph(Annotation.Root({ value: Annotation<unknown> }))
      .addNode('one', () => ({ value }))
      .addNode('two', () => ({}))
      .addEdge(START, 'one')
      .addEdge('one', 'two')
      .addEdge('two', END)
      .compile({ checkpointer: checkpoints.checkpointer })
    await graph.invoke({ value: null }, thread)
    const states = await collect(graph.getStateHistory(thread))
    expect(states.map(({ next }) => next)).toEqual([[], ['two'], ['one'], ['__start__']])
    expect(states[0]?.values).toEqual({ value })
    expect(states[2]?.values).toEqual({ value: null })
    const last = await collect(graph.getStateHistory(thread, { limit: 1, filter: { source: 'loop' } }))
    expect(last.map(({ next }) => next)).toEqual([[]])
    await checkpoints.close()
  })

  it('keep the first result of a task, and the last interrupt', async () => {
    await using database = await createTestDatabase({ migrated: true })
    const { checkpointer, close } = makeCheckpoints({ url: database.url })
    const config = await checkpointer.put(
      thread,
      emptyCheckpoint(),
      { source: 'loop', step: 0, parents: {} },
      {},
    )
    await checkpointer.putWrites(config, [['city', 'Lund']], 'task')
    await checkpointer.putWrites(config, [['city', 'Oslo']], 'task')
    await checkpointer.putWrites(config, [['__interrupt__', 'Which city?']], 'task')
    await checkpointer.putWrites(
      config,
      [
        ['__interrupt__', 'A?'],
        ['__interrupt__', 'B?'],
      ],
      'task',
    )
    expect((await checkpointer.getTuple(thread))?.pendingWrites).toEqual([
      ['task', '__interrupt__', 'B?'],
      ['task', 'city', 'Lund'],
    ])
    await close()
  })

  it('of an older version, which used the saver of LangGraph, are continued', async () => {
    await using database = await createTestDatabase({ migrated: true })
    await withClient(database.url, client => client.query(storedByLangGraph))
    const checkpoints = makeCheckpoints({ url: database.url })
    const worked: string[] = []
    const graph = makeAskingGraph(worked).compile({ checkpointer: checkpoints.checkpointer })
    const answer = await graph.invoke(new Command({ resume: 'Lund' }), thread)
    expect(answer.text).toBe('bikes of Lund')
    expect(worked).toEqual(['end'])
    await checkpoints.close()
  })

  it('survive that an idle connection of theirs is cut', async () => {
    await using database = await createTestDatabase({ migrated: true })
    const checkpoints = makeCheckpoints({ url: database.url })
    const { Client } = await import('pg')
    const admin = new Client({ connectionString: database.url })
    await admin.connect()
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'querent-graph' and datname = current_database()`,
    )
    await admin.end()
    const graph = makeAskingGraph([]).compile({ checkpointer: checkpoints.checkpointer })
    await expect
      .poll(() =>
        graph.invoke({ city: '' }, thread).then(
          () => 'ran',
          () => 'cut',
        ),
      )
      .toBe('ran')
    await checkpoints.close()
  })
})
