import { describe, expect, it } from 'vitest'
import { interpretMessage } from '../../../../graphs/answer/understanding/follow-up.ts'
import type {
  AskForRewrite,
  ConversationTurn,
  RewrittenQuestion,
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

/** Reads a message after one answered question; the model gives what a test says, and must not be asked without. */
const readAfter = async (
  said: string,
  given: { turns?: readonly ConversationTurn[]; model?: RewrittenQuestion | ModelError } = {},
) => {
  const asked: string[] = []
  const askForRewrite: AskForRewrite = async request => {
    asked.push(request.message)
    if (given.model === undefined) throw new Error('there is no model to ask')
    if (given.model instanceof ModelError) throw given.model
    return { value: given.model, usage }
  }
  const question = { id: 'q', text: said, database: 'library', askedAt, timeZone: clock.timeZone }
  const reading = await interpretMessage(
    question,
    understandQuestion(said, clock),
    {
      understand: understandQuestion,
      database: async () =>
        ({ catalog: libraryCatalog('sqlite'), findValues: findLibraryValues }) as unknown as Database,
      loadTranscript: async () => ({ turns: given.turns ?? [turn], comments: [] }),
      readFollowUp: makeReadFollowUp(trainedModel, understandQuestion),
      askForRewrite,
    },
    {},
  )
  return { reading, asked }
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

  it('that is a question of its own is left as it is', async () => {
    const { reading, asked } = await readAfter('how many members live in Elmford?')
    expect(asked).toEqual([])
    expect(reading).toMatchObject({ understanding: { text: 'how many members live in Elmford?' } })
    expect(reading.kind === 'question' && reading.understanding.followUp).toBeUndefined()
  })

  it('that rules cannot read is rewritten by the model', async () => {
    const text = 'How many books are there by genre that nobody borrowed?'
    const { reading, asked } = await readAfter('only the neglected ones', {
      model: { kind: 'follow-up', question: text },
    })
    expect(asked).toEqual(['only the neglected ones'])
    expect(reading).toMatchObject({ kind: 'question', understanding: { text, rewritten: true }, usage })
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
