import { describe, expect, it } from 'vitest'
import type { Background } from '../../../src/slack/listeners/clicks-and-forms.ts'
import {
  makeHomeProposalClick,
  makeHomeProposalEdit,
  makeHomeProposalSubmitted,
  makeHomeProposedQueryClick,
  makeHomeRebuildClick,
  makeHomeRuleClick,
  makeHomeStaleQueryClick,
} from '../../../src/slack/listeners/home.ts'

/** A click of a person who is no admin, as Slack sends it: anyone who can call us could forge one. */
const clickWith = (value: string) =>
  ({
    ack: async () => {},
    action: { value },
    body: { user: { id: 'U1' }, team: { id: 'T1' } },
    client: {},
  }) as never

const around = () => {
  const notes: string[] = []
  const started: Promise<unknown>[] = []
  const background: Background = {
    run: (_what, work) => void started.push(work()),
    settled: async () => void (await Promise.all(started)),
  }
  return {
    notes,
    background,
    showHome: async (_client: unknown, _asker: unknown, note?: string) => void notes.push(note ?? ''),
  }
}

const never = (): never => {
  throw new Error('nobody but an admin may do this')
}

const isAdmin = (): boolean => false

describe('a button for admins that somebody else presses', () => {
  it.each([
    [
      'accepts no rule',
      (a: ReturnType<typeof around>) => makeHomeRuleClick('accepted', { decideRule: never, isAdmin }, a),
    ],
    [
      'rejects no rule',
      (a: ReturnType<typeof around>) => makeHomeRuleClick('rejected', { decideRule: never, isAdmin }, a),
    ],
    [
      'accepts no proposal',
      (a: ReturnType<typeof around>) =>
        makeHomeProposalClick('accepted', { findProposal: never, decideProposal: never, isAdmin }, a),
    ],
    [
      'edits no proposal',
      (a: ReturnType<typeof around>) => makeHomeProposalEdit({ findProposal: never, isAdmin }, a),
    ],
    [
      'accepts no proposed query',
      (a: ReturnType<typeof around>) =>
        makeHomeProposedQueryClick('accept', { decideVerified: never, isAdmin }, a),
    ],
    [
      'keeps no query',
      (a: ReturnType<typeof around>) =>
        makeHomeStaleQueryClick('keep', { resolveStaleVerified: never, isAdmin }, a),
    ],
    [
      'removes no query',
      (a: ReturnType<typeof around>) =>
        makeHomeStaleQueryClick('remove', { resolveStaleVerified: never, isAdmin }, a),
    ],
  ])('%s', async (_what, make) => {
    const surroundings = around()
    await make(surroundings)(clickWith('11111111-2222-3333-4444-555555555555:0'))
    await surroundings.background.settled()
    expect(surroundings.notes).toEqual([expect.stringContaining('slack.admins')])
  })

  it('has no say in a form about a proposal either', async () => {
    const surroundings = around()
    const submitted = makeHomeProposalSubmitted(
      { findProposal: never, decideProposal: never, isAdmin },
      surroundings,
    )
    let acknowledged = 0
    await submitted({
      ack: async () => void acknowledged++,
      body: { user: { id: 'U1' }, team: { id: 'T1' } },
      view: { id: 'V1', private_metadata: 'metric\nrevenue\nshop', state: { values: {} } },
      client: {},
    } as never)
    await surroundings.background.settled()
    expect([acknowledged, surroundings.notes]).toEqual([1, []])
  })

  it('is told that an index is not theirs to rebuild', async () => {
    const surroundings = around()
    const rebuild = makeHomeRebuildClick({ rebuildIndex: never, isAdmin }, surroundings)
    await rebuild(clickWith('shop'))
    await surroundings.background.settled()
    expect(surroundings.notes).toEqual([expect.stringContaining('slack.admins')])
  })
})
