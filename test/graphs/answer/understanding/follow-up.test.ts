import { describe, expect, it } from 'vitest'
import { interpretMessage, interpretReply } from '../../../../graphs/answer/understanding/follow-up.ts'
import type {
  AskForRewrite,
  ClassifiedMessage,
  ConversationTurn,
} from '../../../../src/domain/conversation.ts'
import type { Database } from '../../../../src/domain/database.ts'
import { ModelError } from '../../../../src/domain/errors.ts'
import { makeReadFollowUp } from '../../../../src/parser/follow-up/read-follow-up.ts'
import { trainedModel } from '../../../../src/parser/rank/model.ts'
import { understandQuestion } from '../../../../src/parser/understand/understand-question.ts'
import { findLibraryValues, libraryCatalog } from '../../../parser/library.ts'
import { clock, read } from '../../../parser/read.ts'

const first = 'How many books are there by genre?'

const askedAt = clock.now().toISOString()

const usage = { modelCalls: 1, promptTokens: 10, completionTokens: 2 }

const turn: ConversationTurn = {
  questionId: 'before',
  originalText: first,
  text: first,
  askedBy: 'U1',
  askedAt: clock.now(),
  sql: read(first)[0]?.sql ?? '',
  headline: '3 rows',
  assumptions: [],
  confidence: 0.9,
  chain: [],
}

type Given = { turns?: readonly ConversationTurn[]; model?: ClassifiedMessage | ModelError | null }

const askedOf = (said: string) => ({
  id: 'q',
  text: said,
  database: 'library',
  askedAt,
  timeZone: clock.timeZone,
})

/** The model gives what a test says, and must not be asked without; null stands for no model at all. */
const readingDeps = (given: Given) => {
  const asked: Parameters<AskForRewrite>[0][] = []
  const askForRewrite: AskForRewrite = async request => {
    asked.push(request)
    if (!given.model) throw new Error('there is no model to ask')
    if (given.model instanceof ModelError) throw given.model
    return { value: given.model, usage }
  }
  const deps = {
    understand: understandQuestion,
    database: async () =>
      ({ catalog: libraryCatalog('sqlite'), findValues: findLibraryValues }) as unknown as Database,
    loadTranscript: async () => ({ turns: given.turns ?? [turn], comments: [] }),
    readFollowUp: makeReadFollowUp(trainedModel, understandQuestion),
    ...(given.model === null ? {} : { askForRewrite }),
  }
  return { deps, asked }
}

/** Reads a message after one answered question. */
const readAfter = async (said: string, given: Given = {}) => {
  const { deps, asked } = readingDeps(given)
  const reading = await interpretMessage(askedOf(said), understandQuestion(said, clock), deps, {})
  return { reading, asked: asked.map(({ message }) => message), requests: asked }
}

describe('a message in a thread', () => {
  it('that is a plain change is read by rules alone', async () => {
    const { reading, asked } = await readAfter('only crime')
    expect(asked).toEqual([])
    expect(reading).toMatchObject({
      kind: 'question',
      understanding: {
        kind: 'data',
        text: 'How many books are there by genre, crime',
        followUp: { said: 'only crime', chain: [{ text: first }], confidence: 0.9 },
      },
    })
  })

  it.each([null, { kind: 'new-question', question: 'how many members live in Elmford?' } as const])(
    'that is a question of its own is left as it is, with a model or without: %o',
    async model => {
      const { reading } = await readAfter('how many members live in Elmford?', { model })
      expect(reading).toMatchObject({ understanding: { text: 'how many members live in Elmford?' } })
      expect(reading.kind === 'question' && reading.understanding.followUp).toBeUndefined()
      expect(reading.kind === 'question' && reading.understanding.previous).toBeUndefined()
    },
  )

  it('is asked about in one call that sees the last answer and the tables, and no row', async () => {
    const { requests } = await readAfter('no, I meant by shelf', { model: { kind: 'unclear', question: '' } })
    const [request] = requests
    expect(requests).toHaveLength(1)
    expect(request?.columns).toEqual(['genre', 'number_of_books'])
    expect(request?.tables).toMatch(/^books\(id, title, .*\)$/m)
    expect(request?.tables).not.toMatch(/crime/i)
  })

  it.each([
    'no, only crime',
    'crime looks off, can you split it by year',
    'only crime, but not the old ones',
    'what share of those is crime?',
  ])('is left to the model if its words say more than a change: %s', async said => {
    const { asked } = await readAfter(said, { model: { kind: 'unclear', question: '' } })
    expect(asked).toEqual([said])
  })

  it.each(['only crime', 'by year instead', 'top 3', 'as a chart', 'without crime'])(
    'is read by rules alone if it is a change in plain words: %s',
    async said => {
      const { reading, asked } = await readAfter(said)
      expect(asked).toEqual([])
      expect(reading).toMatchObject({ understanding: { followUp: { said }, previous: { question: first } } })
    },
  )

  it('that the model calls a new question keeps its own words, whatever the model made of them', async () => {
    const said = 'hmm ok. wait, how many members live in Elmford?'
    const taken = await readAfter(said, {
      model: { kind: 'new-question', question: 'how many members live in Elmford?' },
    })
    expect(taken.reading).toMatchObject({ understanding: { text: 'how many members live in Elmford?' } })
    const invented = await readAfter(said, {
      model: { kind: 'new-question', question: 'how many members left?' },
    })
    expect(invented.reading).toMatchObject({ understanding: understandQuestion(said, clock) })
  })

  it('that asks for nothing is small talk, by the model or by rules', async () => {
    const model = { kind: 'small-talk', question: '' } as const
    expect((await readAfter('only in our town', { model })).reading).toEqual({ kind: 'small-talk', usage })
    const byRules = await readAfter('lol crime is tiny', { model: null })
    expect(byRules.reading).toMatchObject({ kind: 'small-talk', usage: { modelCalls: 0 } })
  })

  it.each([{ kind: 'unclear', question: '' } as const, { kind: 'follow-up', question: ' ' } as const])(
    'is never guessed at if the model cannot tell what it asks: $kind',
    async model => {
      const { reading } = await readAfter('no, the crime one', { model })
      expect(reading).toEqual({ kind: 'unreadable', problem: { code: 'unclear' }, examples: [], usage })
    },
  )

  it('that rules cannot read is rewritten by the model', async () => {
    const text = 'How many books are there by genre that nobody borrowed?'
    const { reading, asked } = await readAfter('only the neglected ones', {
      model: { kind: 'follow-up', question: text },
    })
    expect(asked).toEqual(['only the neglected ones'])
    expect(reading).toMatchObject({
      kind: 'question',
      understanding: {
        text,
        rewritten: true,
        previous: { question: first, sql: turn.sql, columns: ['genre', 'number_of_books'] },
      },
      usage,
    })
  })

  it('is refused with what works where neither can read it', async () => {
    const { reading } = await readAfter('only unicorns', { model: { kind: 'unclear', question: '' } })
    expect(reading).toMatchObject({ kind: 'unreadable', examples: ['top 5', 'only crime'], usage })
  })

  it('is read by rules where the model fails, whose call is paid for', async () => {
    const model = new ModelError('model-failed', 'no answer', { usage })
    const { reading } = await readAfter('only unicorns', { model })
    expect(reading).toMatchObject({ kind: 'unreadable', usage })
  })

  it('that asks why is taken apart by rules, whether there is a model or not', async () => {
    const { reading, asked } = await readAfter('why is crime low?')
    expect(asked).toEqual([])
    expect(reading).toMatchObject({
      kind: 'question',
      isWhy: true,
      understanding: {
        kind: 'data',
        text: `${first.slice(0, -1)}, why is crime low`,
        followUp: { said: 'why is crime low?' },
      },
    })
  })

  it('that asks why of an answer that rules did not make is left to the model', async () => {
    const text = 'How many crime books were bought each year?'
    const { reading } = await readAfter('why is crime low?', {
      turns: [{ ...turn, sql: 'select 1' }],
      model: { kind: 'follow-up', question: text },
    })
    expect(reading).toMatchObject({ kind: 'question', understanding: { text, rewritten: true } })
    expect(reading).not.toHaveProperty('isWhy')
  })

  it('that is the first of its thread is a question', async () => {
    const { reading } = await readAfter('only crime', { turns: [] })
    expect(reading).toMatchObject({ kind: 'question', understanding: { text: 'only crime' } })
  })
})

describe('a typed reply to a question back', () => {
  const pending = { turn: { ...turn, askedBack: 'By which genre? Genre / Shelf' }, option: 'Genre' }

  const replyWith = async (said: string, given: Given = { model: null }) => {
    const { deps, asked } = readingDeps({ turns: [], ...given })
    const understood = understandQuestion(said, clock)
    const { read } = await interpretReply(askedOf(said), understood, pending, deps, {})
    return { read, asked }
  }

  it('that changes the question is a change of it, with the default option standing', async () => {
    const { read } = await replyWith('without crime')
    expect(read).toMatchObject({
      kind: 'question',
      understanding: { followUp: { said: 'without crime', before: first }, assumedOption: 'Genre' },
    })
  })

  it('that groups by something else leaves no option standing', async () => {
    const { read } = await replyWith('by year instead')
    expect(read).toMatchObject({ kind: 'question', understanding: { followUp: { said: 'by year instead' } } })
    expect(read?.kind === 'question' && read.understanding.assumedOption).toBeUndefined()
  })

  it('that is another question is that question', async () => {
    const said = 'how many members live in Elmford?'
    expect((await replyWith(said)).read).toMatchObject({ kind: 'question', understanding: { text: said } })
  })

  it.each(['the one on the label', 'what people borrowed'])(
    'that only explains adds its words: %s',
    async said => {
      expect((await replyWith(said)).read).toBeNull()
    },
  )

  it('is shown to the model with the question back', async () => {
    const text = 'How many books are there by genre without crime?'
    const { read, asked } = await replyWith('no crime please, it spoils the list', {
      model: { kind: 'follow-up', question: text },
    })
    expect(asked[0]?.transcript.turns.at(-1)).toMatchObject({ askedBack: 'By which genre? Genre / Shelf' })
    expect(read).toMatchObject({ understanding: { text, rewritten: true } })
  })

  it('that the model cannot read adds its words', async () => {
    const { read } = await replyWith('the neglected ones', { model: { kind: 'unclear', question: '' } })
    expect(read).toBeNull()
  })
})
