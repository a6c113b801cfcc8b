import { describe, expect, it } from 'vitest'
import { askToRunExpensive } from '../../graphs/answer/expensive/run-approval.ts'
import { matchReply } from '../../graphs/answer/options.ts'
import {
  makeExpireClarification,
  makeReplyToClarification,
  makeStoreReply,
} from '../../src/answering/reply-to-clarification.ts'
import type { Clarification, ClarificationReply } from '../../src/domain/clarification.ts'
import type { Tx } from '../../src/domain/operations/jobs.ts'
import { makeCandidate } from '../helpers/make-candidate.ts'

const heavy = askToRunExpensive(
  makeCandidate({ id: 'c1', run: { status: 'failed', errorClass: 'too-heavy', message: 'It reads much.' } }),
)

const vague: Clarification = {
  question: 'Which?',
  options: ['billing country', 'no country'].map(label => ({ label, hint: '', candidateIds: [] })),
  defaultOption: 1,
}

/** What a reply leads to, where the question stands as `waiting` unless it has ended. */
const replying = (clarification: Clarification, { ended = false } = {}) => {
  const written: string[] = []
  const reply = makeReplyToClarification({
    inTransaction: work => work({} as Tx),
    storeReply: makeStoreReply({
      insertReply: async () => true,
      findClarification: async () => clarification,
      findChosenOption: matchReply,
      markStopping: async (_, by) => {
        if (ended) return null
        written.push(`stopped by ${by}`)
        return 'waiting'
      },
      sendJob: async queue => void written.push(queue),
    }),
  })
  const expire = makeExpireClarification({ findClarification: async () => clarification, reply })
  return {
    written,
    expire: () => expire('q1'),
    say: (said: ClarificationReply) => reply({ questionId: 'q1', reply: said, repliedBy: 'U1' }),
  }
}

const words = (text: string) => ({ kind: 'text', text }) as const

describe('the reply to whether an expensive query may run', () => {
  it.each([{ kind: 'option', number: 3 } as const, words('no'), words('Cancel.'), words('never mind')])(
    'stops the question if it cancels: %o',
    async said => {
      const { say, written } = replying(heavy)
      expect(await say(said)).toBe('taken')
      expect(written).toEqual(['stopped by U1', 'stop'])
    },
  )

  it('stops it without a person if none came in time', async () => {
    const { expire, written } = replying(heavy)
    await expire()
    expect(written).toEqual(['stopped by null', 'stop'])
  })

  it.each([{ kind: 'option', number: 1 } as const, words('yes'), words('Narrow it'), words('only of cod')])(
    'resumes with anything else: %o',
    async said => {
      const { say, written } = replying(heavy)
      await say(said)
      expect(written).toEqual(['resume'])
    },
  )

  it('shows the outcome again if the question has ended', async () => {
    const { say, written } = replying(heavy, { ended: true })
    await say(words('no'))
    expect(written).toEqual(['resume'])
  })
})

it('a choice of interpretations is not canceled by any word or by expiry', async () => {
  const { say, expire, written } = replying(vague)
  await say(words('no'))
  await expire()
  expect(written).toEqual(['resume', 'resume'])
})
