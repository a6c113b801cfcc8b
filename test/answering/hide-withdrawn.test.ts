import { describe, expect, it } from 'vitest'
import { makeHideWithdrawn } from '../../src/answering/work-on-question.ts'
import type { Delivery } from '../../src/domain/message.ts'
import { makeQuestion } from '../store/setup/make-question.ts'

const question = makeQuestion()

const location = { team: 'T', channel: 'C', thread: '1.0', message: '1.0' }

const placed = { question, location }

/** A quiet delivery that writes down what it shows. `during` happens while something is shown. */
const open = (during: (state: { withdrawn: boolean }) => void = () => {}) => {
  const state = { withdrawn: false }
  const shown: string[] = []
  const show = (what: string) => async () => {
    shown.push(what)
    during(state)
  }
  const delivery: Delivery = {
    acknowledge: () => {},
    begin: show('begun'),
    progress: () => {},
    settle: async () => void shown.push('settled'),
    finish: show('finished'),
    stopped: show('stopped'),
    refresh: show('refreshed'),
    share: async () => ({ kind: 'everyone' }),
    withhold: async () => {},
    remove: async id => void shown.push(id === question.id ? 'removed' : id),
  }
  return { quiet: makeHideWithdrawn(delivery, async () => state.withdrawn), state, shown }
}

describe('a delivery that hides withdrawn questions', () => {
  it('shows other questions', async () => {
    const { quiet, shown } = open()
    await quiet.begin(placed)
    await quiet.stopped(placed, 'U1')
    await quiet.refresh(question.id)
    expect(shown).toEqual(['begun', 'stopped', 'refreshed'])
  })

  it('shows no outcome and no progress of withdrawn questions', async () => {
    const { quiet, state, shown } = open()
    state.withdrawn = true
    await quiet.begin(placed)
    await quiet.stopped(placed, null)
    await quiet.refresh(question.id)
    expect(shown).toEqual(['settled', 'settled', 'settled'])
  })

  it('removes a question withdrawn while it was being shown', async () => {
    const { quiet, shown } = open(state => {
      state.withdrawn = true
    })
    await quiet.begin(placed)
    expect(shown).toEqual(['begun', 'settled', 'removed'])
  })
})
