import { Annotation, Command, END, interrupt, START, StateGraph } from '@langchain/langgraph'
import { describe, expect, it } from 'vitest'
import { makeCheckpoints } from '../../src/store/checkpoints.ts'
import { createTestDatabase } from '../helpers/test-database.ts'

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

const thread = { configurable: { thread_id: 'q1' } }

describe('checkpoints', () => {
  it('let another process continue where the first one asked', async () => {
    await using database = await createTestDatabase({ migrated: true })
    const worked: string[] = []
    const first = await makeCheckpoints({ url: database.url })
    await makeAskingGraph(worked).compile({ checkpointer: first.checkpointer }).invoke({ city: '' }, thread)
    await first.close()
    const second = await makeCheckpoints({ url: database.url })
    const graph = makeAskingGraph(worked).compile({ checkpointer: second.checkpointer })
    const answer = await graph.invoke(new Command({ resume: 'Lund' }), thread)
    expect(answer.text).toBe('bikes of Lund')
    expect(worked).toEqual(['begin', 'end'])
    await second.close()
  })

  it('are deleted by thread', async () => {
    await using database = await createTestDatabase()
    const checkpoints = await makeCheckpoints({ url: database.url })
    const graph = makeAskingGraph([]).compile({ checkpointer: checkpoints.checkpointer })
    const other = { configurable: { thread_id: 'q2' } }
    await graph.invoke({ city: '' }, thread)
    await graph.invoke({ city: '' }, other)
    await checkpoints.forget('q1')
    expect((await graph.getState(thread)).next).toEqual([])
    expect((await graph.getState(other)).next).toEqual(['ask'])
    await checkpoints.close()
  })

  it('are set up once when several processes start together', async () => {
    await using database = await createTestDatabase()
    const opened = await Promise.all(Array.from({ length: 4 }, () => makeCheckpoints({ url: database.url })))
    await Promise.all(opened.map(checkpoints => checkpoints.close()))
    expect(opened).toHaveLength(4)
  })

  it('survive that an idle connection of theirs is cut', async () => {
    await using database = await createTestDatabase()
    const checkpoints = await makeCheckpoints({ url: database.url })
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
