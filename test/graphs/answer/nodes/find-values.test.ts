import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFindValues } from '../../../../graphs/answer/nodes/find-values.ts'
import type { State } from '../../../../graphs/answer/state.ts'
import { makeGuard } from '../../../../src/databases/guard/guard.ts'
import { type OpenDatabase, openDatabase } from '../../../../src/databases/open-database.ts'
import { ModelError } from '../../../../src/domain/errors.ts'
import { silentAudit } from '../../../../src/domain/operations/audit.ts'
import type { AskForKeywords, Keyword, KeywordRequest } from '../../../../src/domain/question-context.ts'
import { understandQuestion } from '../../../../src/parser/understand/understand-question.ts'
import { makeMemoryRunStore } from '../../../../src/store/in-memory.ts'
import { makeSqliteFile } from '../../../helpers/sqlite-file.ts'

const kites = makeSqliteFile(`
  create table kites (id integer primary key, maker text, state text, colour text);
  insert into kites (maker, state, colour) values
    ('Alba Works', 'torn', 'red'), ('Brisa', 'whole', 'blue'), ('Cyan Kites', 'torn', 'green');
`)

let opened: OpenDatabase

beforeAll(async () => {
  opened = await openDatabase(
    { dialect: 'sqlite', name: 'kites', location: kites.file },
    {
      audit: silentAudit,
      guard: makeGuard(),
      limits: { timeoutMs: 5_000, maxRows: 1_000, maxBytes: 1_000_000 },
    },
  )
})

afterAll(async () => {
  await opened.close()
  kites.remove()
})

const spent = { modelCalls: 1, promptTokens: 80, completionTokens: 9 }

const torn: Keyword = { text: 'torn', said: 'ripped', source: 'model', weight: 0.9 }

/** Runs the node on a question; the model, if there is one, gives what `ask` gives. */
const findValues = async (
  text: string,
  ask?: AskForKeywords,
  signal?: AbortSignal,
  mode: 'adaptive' | 'full' = 'full',
) => {
  const workbench = makeMemoryRunStore()
  const asked: KeywordRequest[] = []
  const told: string[] = []
  const clock = { now: () => new Date('2026-03-02T10:00:00Z'), timeZone: 'UTC' }
  const understanding = understandQuestion(text, clock)
  await workbench.saveContext('q1', { understanding, matches: [], linked: { tables: [] } })
  const node = makeFindValues({
    database: async () => opened.database,
    storing: { runStore: workbench },
    drafting: { mode },
    agents: null,
    understanding: ask
      ? {
          askForKeywords: (request: KeywordRequest) => {
            asked.push(request)
            return ask(request)
          },
        }
      : {},
  })
  const state = { question: { id: 'q1', text, database: 'kites' } } as State
  const update = await node(state, {
    writer: event => void told.push(event.detail),
    ...(signal && { signal }),
  })
  const { matches } = await workbench.loadContext('q1')
  return { update, asked, told, matches }
}

const gives =
  (...value: Keyword[]): AskForKeywords =>
  async () => ({ value, usage: spent })

describe('the values of a question', () => {
  it('are found without any model', async () => {
    const { matches, update } = await findValues('Which red kites are ripped?')
    expect(matches).toEqual([{ keyword: 'red', table: 'kites', column: 'colour', value: 'red', score: 1 }])
    expect(update).toEqual({})
  })

  it('are found by the model’s spellings too, in the words of the question, and the call is paid', async () => {
    const { matches, update, asked } = await findValues('Which red kites are ripped?', gives(torn))
    expect(matches.map(({ keyword, value, score }) => [keyword, value, score])).toEqual([
      ['red', 'red', 1],
      ['ripped', 'torn', 0.9],
    ])
    expect(update).toEqual({ usage: spent })
    expect(asked).toEqual([
      { question: 'Which red kites are ripped?', tables: 'kites(maker, state, colour)', questionId: 'q1' },
    ])
  })

  it('ask no model where names and values account for every word', async () => {
    const { asked, matches } = await findValues(
      'How many red kites are there from Alba Works since last month?',
      gives(torn),
    )
    expect(asked).toEqual([])
    expect(matches.map(match => match.value)).toEqual(expect.arrayContaining(['Alba Works', 'red']))
  })

  it('are those found without the model when it fails, and the failed call is paid', async () => {
    const { matches, update, told } = await findValues('Which red kites are ripped?', async () => {
      throw new ModelError('model-failed', 'the endpoint is down', { usage: spent })
    })
    expect(matches.map(match => match.value)).toEqual(['red'])
    expect(update).toEqual({ usage: spent })
    expect(told).toContain('Keywords without the model: the endpoint is down')
  })

  it('ask the model later if drafts are made in rounds', async () => {
    const { asked, matches } = await findValues(
      'Which red kites are ripped?',
      gives(torn),
      undefined,
      'adaptive',
    )
    expect([asked, matches.map(({ value }) => value)]).toEqual([[], ['red']])
  })

  it('stop when the question is stopped while the model thinks', async () => {
    const stop = new AbortController()
    const asking = findValues(
      'Which red kites are ripped?',
      async () => {
        stop.abort()
        throw new ModelError('cancelled', 'The question was stopped.', { usage: spent })
      },
      stop.signal,
    )
    await expect(asking).rejects.toMatchObject({ name: 'AbortError' })
  })
})
