import { describe, expect, it } from 'vitest'
import { makeAskQuestion } from '../../src/answering/ask-question.ts'
import type { AdmittedQuestion } from '../../src/domain/message.ts'
import type { Tx } from '../../src/domain/operations/jobs.ts'

const asked = (message: string) => ({
  text: 'how many tents?',
  location: { team: 'T', channel: 'C', thread: message, message },
  askedBy: 'U1',
  askedAt: new Date(0),
})

/** A store that forgets what a transaction wrote that broke. */
const asking = (limit: number) => {
  let stored: readonly string[] = []
  let counted = 0
  const ask = makeAskQuestion({
    admit: async () => ({ status: 'admitted', database: 'shop' }),
    inTransaction: async work => {
      const before = stored
      try {
        return await work({} as Tx)
      } catch (error) {
        stored = before
        throw error
      }
    },
    storeQuestion: async ({ location }: AdmittedQuestion) => {
      if (stored.includes(location.message)) return null
      stored = [...stored, location.message]
      return `q-${location.message}`
    },
    claim: async () => true,
    storeDigestRequest: async () => {
      throw new Error('no digest is wanted')
    },
    limit: async () => {
      counted += 1
      return counted <= limit
        ? null
        : { status: 'not-allowed', reason: 'Too much.', nextStep: 'Try again in 1 minute.' }
    },
  })
  return { ask, stored: () => stored, counted: () => counted }
}

describe('a question from a button', () => {
  it('is not stored over the limit, and says when to ask again', async () => {
    const { ask, stored } = asking(1)
    expect(await ask(asked('1'))).toEqual({ status: 'asked', questionId: 'q-1' })
    expect(await ask(asked('2'))).toMatchObject({ status: 'not-allowed', nextStep: 'Try again in 1 minute.' })
    expect(stored()).toEqual(['1'])
  })

  it('counts once, however often its click is delivered', async () => {
    const { ask, counted } = asking(5)
    await ask(asked('1'))
    expect(await ask(asked('1'))).toEqual({ status: 'known' })
    expect(counted()).toBe(1)
  })
})
