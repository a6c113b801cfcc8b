import { describe, expect, it } from 'vitest'
import { makeCallerQuestions } from '../../src/answering/caller-questions.ts'
import type { AnswerReport, Outcome } from '../../src/domain/answer.ts'
import type { ClarificationReply } from '../../src/domain/clarification.ts'
import type { Caller } from '../../src/domain/operations/caller.ts'
import { noModelUsage } from '../../src/domain/operations/usage.ts'
import type { Question, QuestionStatus } from '../../src/domain/question.ts'
import { nextTurn } from '../helpers/wait.ts'

const ada: Caller = { person: 'ada', team: null, databases: null }

const refused: Outcome = { status: 'refused', why: { code: 'off-topic' } }

/** A store of questions and a graph that records what it was asked to do. */
const open = ({ work = async () => {} }: { readonly work?: () => Promise<void> } = {}) => {
  const questions = new Map<string, Question & { status: QuestionStatus }>()
  const replies = new Map<string, ClarificationReply>()
  const done: string[] = []
  const report = async (questionId: string, what: string): Promise<AnswerReport> => {
    done.push(what)
    await work()
    return { questionId, outcome: refused, candidates: [], usage: noModelUsage }
  }
  const { ask, reply } = makeCallerQuestions({
    admit: async (_, named) =>
      named === 'hr'
        ? { status: 'not-allowed', reason: 'no', nextStep: 'none' }
        : { status: 'admitted', database: named ?? 'shop' },
    limit: async () => null,
    keepQuestion: async question => void questions.set(question.id, { ...question, status: 'queued' }),
    findQuestion: async id => questions.get(id) ?? null,
    insertReply: async (id, given) => {
      if (replies.has(id)) return false
      replies.set(id, given)
      return true
    },
    findClarification: async () => ({
      question: 'By which country?',
      options: ['billing', 'shipping'].map(label => ({ label, hint: '', candidateIds: [] })),
      defaultOption: 0,
    }),
    findReply: async id => replies.get(id) ?? null,
    answer: question => report(question.id, 'answer'),
    resume: (id, given) => report(id, `resume ${given.kind === 'option' ? given.number : given.text}`),
    loadResult: async () => null,
    stop: async (id, by) => void done.push(`stop for ${by} ${id === '' ? '' : 'it'}`),
    withAccount: async (_, { origin, person, team }, run) => {
      done.push(`as ${origin} ${person} ${team}`)
      return run()
    },
    now: () => new Date('2026-11-25T10:00:00Z'),
    timeZone: 'UTC',
  })
  /** A question that ada asked, in a status. */
  const asked = async (status: QuestionStatus, caller = ada): Promise<string> => {
    await ask(caller, { text: 'orders by country', database: null })
    const [id = ''] = [...questions.keys()].slice(-1)
    const question = questions.get(id)
    if (question) questions.set(id, { ...question, status })
    done.length = 0
    return id
  }
  return { ask, reply, asked, questions, replies, done }
}

const second: ClarificationReply = { kind: 'option', number: 2 }

describe('a question of a program', () => {
  it('is kept before it is answered, on the account of its person', async () => {
    const { ask, questions, done } = open()
    expect(await ask(ada, { text: 'orders', database: null })).toMatchObject({
      status: 'done',
      outcome: refused,
    })
    expect([...questions.values()]).toMatchObject([{ askedBy: 'ada', database: 'shop' }])
    expect(done).toEqual(['as mcp ada null', 'answer'])
  })

  it('follows one of the same person, in the same database', async () => {
    const { ask, asked, questions } = open()
    const first = await asked('answered')
    await ask(ada, { text: 'and by month?', database: null, follows: first })
    expect([...questions.values()].at(-1)).toMatchObject({ follows: first, database: 'shop' })
    await ask(ada, { text: 'pets', database: 'pets', follows: first })
    expect([...questions.values()].at(-1)?.follows).toBeUndefined()
    const bob = { ...ada, person: 'bob' }
    expect(await ask(bob, { text: 'and?', database: null, follows: first })).toEqual({ status: 'unknown' })
  })

  it('is not kept if the caller may not ask', async () => {
    const { ask, questions } = open()
    expect(await ask(ada, { text: 'salaries', database: 'hr' })).toMatchObject({ status: 'not-allowed' })
    expect(questions.size).toBe(0)
  })

  it('is stopped if its call is canceled, and the error stays', async () => {
    const stop = new AbortController()
    const { ask, done } = open({
      work: async () => {
        stop.abort(new Error('gone'))
        stop.signal.throwIfAborted()
      },
    })
    await expect(ask(ada, { text: 'x', database: null }, { signal: stop.signal })).rejects.toThrow('gone')
    expect(done.at(-1)).toBe('stop for ada it')
  })
})

describe('a reply', () => {
  it('resumes a question that waits, and is kept', async () => {
    const { reply, asked, replies, done } = open()
    const questionId = await asked('waiting')
    expect(await reply(ada, { questionId, reply: second })).toMatchObject({ status: 'done' })
    expect([replies.get(questionId), done.at(-1)]).toEqual([second, 'resume 2'])
  })

  it('names an option that there is', async () => {
    const { reply, asked, replies, done } = open()
    const questionId = await asked('waiting')
    expect(await reply(ada, { questionId, reply: { kind: 'option', number: 3 } })).toEqual({
      ...{ status: 'no-option', number: 3, options: 2 },
    })
    expect([replies.size, done]).toEqual([0, []])
  })

  it.each(['working', 'queued', 'failed'] as const)(
    'continues a question that is %s because its process died',
    async status => {
      const { reply, asked, replies, done } = open()
      const before = await asked(status)
      await reply(ada, { questionId: before, reply: second })
      expect(done.at(-1)).toBe('answer')
      const after = await asked(status)
      replies.set(after, { kind: 'option', number: 1 })
      await reply(ada, { questionId: after, reply: second })
      // The reply that came first counts.
      expect(done.at(-1)).toBe('resume 1')
    },
  )

  it.each(['stopping', 'stopped'] as const)('does nothing for a question that is %s', async status => {
    const { reply, asked, done } = open()
    const questionId = await asked(status)
    expect(await reply(ada, { questionId, reply: second })).toEqual({ status: 'stopped' })
    expect(done).toEqual([])
  })

  it.each([
    ['of someone else', { ...ada, person: 'bob' }],
    ['of the same id in another workspace', { ...ada, team: 'T1' }],
    ['of the shell', { ...ada, person: null }],
  ])('does not find a question %s', async (_, caller) => {
    const { reply, asked } = open()
    const questionId = await asked('waiting')
    expect(await reply(caller, { questionId, reply: second })).toEqual({ status: 'unknown' })
    expect(await reply(ada, { questionId: "'; drop", reply: second })).toEqual({ status: 'unknown' })
  })

  it('only waits if it says nothing', async () => {
    const { reply, asked, replies, done } = open()
    const questionId = await asked('waiting')
    await reply(ada, { questionId, reply: null })
    expect([replies.size, done.at(-1)]).toEqual([0, 'answer'])
  })
})

describe('a caller who waits only for a while', () => {
  it('leaves, and the question goes on; a later call gets its outcome, without working on it twice', async () => {
    const end = Promise.withResolvers<void>()
    const stop = new AbortController()
    const { ask, reply, questions, done } = open({ work: () => end.promise })
    const options = { patienceMs: 1, signal: stop.signal }
    const asked = await ask(ada, { text: 'orders', database: null }, options)
    const [questionId = ''] = [...questions.keys()]
    expect(asked).toEqual({ status: 'working', questionId, database: 'shop' })
    stop.abort()
    expect(await reply(ada, { questionId, reply: null }, { patienceMs: 1 })).toEqual(asked)
    const waiting = reply(ada, { questionId, reply: second })
    // It has found the question by then.
    await nextTurn()
    end.resolve()
    expect(await waiting).toMatchObject({ status: 'done', questionId })
    expect(done).toEqual(['as mcp ada null', 'answer'])
  })
})
