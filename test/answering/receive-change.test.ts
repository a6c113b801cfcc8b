import { expect, it } from 'vitest'
import { makeReceiveEdit } from '../../src/answering/receive-change.ts'
import type { EditedMessage } from '../../src/domain/message.ts'
import type { Tx } from '../../src/domain/operations/jobs.ts'
import { makeQuestion } from '../store/setup/make-question.ts'

const changed = (text: string): EditedMessage => ({
  text,
  location: { team: 'T', channel: 'C', thread: '1.0', message: '1.0' },
  askedBy: 'U1',
  askedAt: new Date(0),
  changedAt: '2.0',
  addressed: true,
  toOthers: false,
})

const editing = (isTooMuch: boolean) => {
  const done: string[] = []
  const hearEdit = makeReceiveEdit({
    inTransaction: work => work({} as Tx),
    findByMessage: async () => makeQuestion({ id: 'q1', key: 'T:C:1.0', text: 'how many tents?' }),
    withdraw: async id => void done.push(`took ${id} back`),
    storeQuestion: async ({ text }) => {
      done.push(`stored ${text}`)
      return 'q2'
    },
    limit: async () =>
      isTooMuch ? { status: 'not-allowed', reason: 'Too much.', nextStep: 'Try again in 1 minute.' } : null,
    notifyRateLimited: async (_, person, { nextStep }) => void done.push(`told ${person}: ${nextStep}`),
    handOver: async () => true,
    changeComment: async () => false,
    sendJob: async () => {},
    receive: async () => 'not-ours',
  })
  return { hearEdit, done }
}

it('keeps the earlier answer for an edit over the limit, and tells its author privately', async () => {
  const { hearEdit, done } = editing(true)
  expect(await hearEdit(changed('how many boats?'))).toBe('refused')
  expect(done).toEqual(['told U1: Try again in 1 minute.'])
})

it('does not count an edit that changes no words', async () => {
  const { hearEdit, done } = editing(true)
  expect(await hearEdit(changed('how many tents?'))).toBe('unchanged')
  expect(done).toEqual([])
})

it('asks the edited question within the limit', async () => {
  const { hearEdit, done } = editing(false)
  expect(await hearEdit(changed('how many boats?'))).toBe('asked-again')
  expect(done).toEqual(['took q1 back', 'stored how many boats?'])
})
